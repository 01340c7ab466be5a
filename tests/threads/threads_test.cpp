#include <gtest/gtest.h>

#include <barrier>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "quoin/watchdog.hpp"

namespace quoin {
namespace {

TEST(ParallelParts, EveryItemHasOneThread) {
  std::vector<int> visits(100000, 0);
  parallel_parts(100000, [&](const Part& part) {
    for (std::int64_t k = part.first; k < part.last; ++k) ++visits[static_cast<std::size_t>(k)];
  });
  EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0), 100000);
}

TEST(ParallelParts, HaveNoMoreThreadsThanTheyMay) {
  const std::int64_t cores = most_threads();
  limit_threads(cores + 1);
  EXPECT_EQ(most_threads(), cores);
  limit_threads(1);
  EXPECT_EQ(most_threads(), 1);
  EXPECT_EQ(parts_of(100000), 1);
  parallel_parts(100000, [caller = std::this_thread::get_id()](const Part& part) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(part.last, 100000);
  });
  limit_threads(0);
  EXPECT_EQ(most_threads(), cores);
}

TEST(ParallelParts, ThrowsWhatTheFirstPartThrew) {
  const auto fail = [](const Part& part) { throw std::runtime_error(std::to_string(part.first)); };
  try {
    parallel_parts(100000, fail);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
}

/// Many callers at a time, each of whose parts calls again.
TEST(RunParts, ServesCallersBesideAndWithinEachOther) {
  constexpr std::int64_t callers = 4, calls = 50, parts = 8;
  std::vector<std::vector<std::int64_t>> sums(callers, std::vector<std::int64_t>(parts, 0));
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::int64_t>& sum : sums)
      threads.emplace_back([&sum] {
        for (int call = 0; call < calls; ++call)
          run_parts(parts, [&sum](std::int64_t part) {
            std::vector<std::int64_t> inner(3, 0);
            run_parts(3, [&inner](std::int64_t k) { inner[static_cast<std::size_t>(k)] = k; });
            sum[static_cast<std::size_t>(part)] += std::accumulate(inner.begin(), inner.end(), part);
          });
      });
  }
  for (const std::vector<std::int64_t>& sum : sums)
    for (std::int64_t part = 0; part < parts; ++part)
      EXPECT_EQ(sum[static_cast<std::size_t>(part)], calls * (part + 3)) << part;
}

/// A part that waits for another one does so for ever where both have one thread.
TEST(RunParts, HasAThreadForEachPart) {
  std::barrier all(5);
  for (int call = 0; call < 3; ++call) run_parts(5, [&all](std::int64_t) { all.arrive_and_wait(); });
}

TEST(Watchdog, IsSilentWhileItHears) {
  bool bitten = false;
  {
    Watchdog dog(3600.0, [&] { bitten = true; });
    for (int k = 0; k < 1000; ++k) dog.heard();
  }
  EXPECT_FALSE(bitten);
}

/// As the loop of a run does: what is written before heard() may be read by the one who bites.
TEST(Watchdog, MayReadWhatWasWrittenBeforeItHeard) {
  int iterations = 0;
  int seen = -1;
  std::mutex mutex;
  std::condition_variable bitten;
  Watchdog dog(2.0, [&] {
    const std::lock_guard lock(mutex);
    seen = iterations;
    bitten.notify_one();
  });
  iterations = 7;
  dog.heard();
  std::unique_lock lock(mutex);
  bitten.wait(lock, [&] { return seen >= 0; });
  EXPECT_EQ(seen, 7);
}

}  // namespace
}  // namespace quoin
