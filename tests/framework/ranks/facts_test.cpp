// What is said of ranks, and how long they wait.

#include "ranks/facts.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "framework/ranks/testing.hpp"
#include "quoin/testing/thread_ranks.hpp"
#include "ranks/waiting.hpp"

namespace quoin {
namespace {

TEST(GatherFacts, TheFirstRankGetsThemByRank) {
  for (const int size : {1, 2, 5}) {
    testing::run_ranks(size, [&](Communicator& ranks) {
      const std::string number = std::to_string(ranks.rank());
      const std::vector<RankFacts> all = gather_facts(ranks, "backend " + number, ranks.rank() == 1 ? "" : "a\nb");
      ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks.rank() == 0 ? size : 0));
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(all[k].host, ranks.host().name);
        EXPECT_EQ(all[k].backend, "backend " + std::to_string(k));
        EXPECT_EQ(all[k].device, k == 1 ? "" : "a\nb");
      }
    });
  }
}

TEST(WaitingTime, IsThatOfCallsThatWaitForOthers) {
  testing::run_ranks(2, [](Communicator& ranks) {
    WaitingTime timed(ranks);
    EXPECT_EQ(timed.seconds(), 0.0);
    constexpr auto late = std::chrono::milliseconds(50);
    if (ranks.rank() == 1) {
      std::this_thread::sleep_for(late);
      test::send(timed, 7, 0, 1);
      std::this_thread::sleep_for(late);
    } else {
      EXPECT_EQ(test::receive<int>(timed, 1, 1), 7);
      EXPECT_GE(timed.seconds(), 0.04);
    }
    const double before = timed.seconds();
    int value = 3;
    timed.broadcast(test::memory_of(value), 1);
    if (ranks.rank() == 0) {
      EXPECT_GE(timed.seconds() - before, 0.04);
    }
    const double after = timed.seconds();
    std::this_thread::sleep_for(late);
    EXPECT_EQ(timed.seconds(), after);
  });
}

}  // namespace
}  // namespace quoin
