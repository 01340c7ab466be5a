#include "quoin/ranks.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cstring>
#include <numeric>

#include "quoin/error.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using quoin::testing::run_ranks;

std::span<std::byte> bytes_of(std::string& text) { return std::as_writable_bytes(std::span(text)); }

TEST(ThreadRanks, MessagesOfATagKeepTheirOrder) {
  for (const unsigned seed : {0U, 1U, 2U, 3U}) {
    run_ranks(
        4,
        [](Communicator& ranks) {
          const int next = (ranks.rank() + 1) % ranks.size();
          const int before = (ranks.rank() + ranks.size() - 1) % ranks.size();
          for (int tag : {5, 6})
            for (int k = 0; k < 20; ++k) {
              std::string text = std::to_string(1000 * tag + k);
              ranks.wait(*ranks.send(bytes_of(text), next, tag));
            }
          for (int tag : {6, 5})
            for (int k = 0; k < 20; ++k) {
              std::string text(4, ' ');
              ranks.wait(*ranks.receive(bytes_of(text), before, tag));
              EXPECT_EQ(text, std::to_string(1000 * tag + k));
            }
        },
        seed);
  }
}

TEST(ThreadRanks, ValuesAreJoinedInTheOrderOfRanks) {
  for (const int size : {1, 2, 3, 7}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      run_ranks(
          size,
          [size](Communicator& ranks) {
            // A text and its length in the last byte.
            std::string value(9, '.');
            value[0] = static_cast<char>('a' + ranks.rank());
            value[8] = 1;
            ranks.wait(*ranks.combine(bytes_of(value), [](auto left, auto right) {
              std::string l(9, ' '), r(9, ' ');
              std::memcpy(l.data(), left.data(), 9);
              std::memcpy(r.data(), right.data(), 9);
              std::string both =
                  l.substr(0, static_cast<std::size_t>(l[8])) + r.substr(0, static_cast<std::size_t>(r[8]));
              const auto length = static_cast<char>(both.size());
              both.resize(8, '.');
              both += length;
              std::memcpy(right.data(), both.data(), 9);
            }));
            EXPECT_EQ(value.substr(0, static_cast<std::size_t>(size)), std::string("abcdefg").substr(0, size));
          },
          seed);
    }
  }
}

TEST(ThreadRanks, AFailureEndsAllAndIsTold) {
  std::atomic<int> told{0};
  const auto fail = [&](Communicator& ranks) {
    if (ranks.rank() == 1) throw Error(ErrorKind::io, "the disk is full");
    try {
      (void)least_of(ranks, 3);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_STREQ(error.what(), "the disk is full");
      EXPECT_EQ(error.where(), "rank 1");
      ++told;
      throw;
    }
  };
  try {
    run_ranks(3, fail);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "");  // the one of rank 1 itself
  }
  EXPECT_EQ(told, 2);
}

TEST(ThreadRanks, ARankThatHasEndedIsNotWaitedFor) {
  EXPECT_THROW(run_ranks(2,
                         [](Communicator& ranks) {
                           std::string text(1, ' ');
                           if (ranks.rank() == 0) ranks.wait(*ranks.receive(bytes_of(text), 1, 0));
                         }),
               Error);
  // What it has sent or handed in before is there.
  run_ranks(3, [](Communicator& ranks) {
    std::string text = "x";
    const auto met = ranks.combine(bytes_of(text), [](auto, auto) {});
    if (ranks.rank() == 0) ranks.wait(*met);
  });
}

TEST(ThreadRanks, AMessageOfAnotherLengthIsAnError) {
  EXPECT_THROW(run_ranks(2,
                         [](Communicator& ranks) {
                           std::string text(ranks.rank() == 0 ? 3 : 4, ' ');
                           if (ranks.rank() == 0) ranks.wait(*ranks.send(bytes_of(text), 1, 0));
                           if (ranks.rank() == 1) ranks.wait(*ranks.receive(bytes_of(text), 0, 0));
                         }),
               Error);
}

TEST(Ranks, AgreeOnTheLeastAndHearTheFirst) {
  for (const int size : {1, 2, 5}) {
    run_ranks(size, [size](Communicator& ranks) {
      EXPECT_EQ(least_of(ranks, 10 - ranks.rank()), 11 - size);
      EXPECT_EQ(text_of_first(ranks, ranks.rank() == 0 ? "a case" : "something else"), "a case");
      EXPECT_EQ(text_of_first(ranks, ""), "");
    });
  }
}

TEST(Ranks, SumsOfPartsAreTheSumOfTheWhole) {
  constexpr std::int64_t leaves = 77;
  std::vector<double> values(leaves);
  std::iota(values.begin(), values.end(), 0.1);
  TreeDigest<double> whole;
  for (const double value : values) whole.add(value);
  for (const int size : {1, 3, 7, 100}) {  // some have nothing
    run_ranks(
        size,
        [&](Communicator& ranks) {
          const std::int64_t first = leaves * ranks.rank() / size;
          const std::int64_t last = leaves * (ranks.rank() + 1) / size;
          std::array<TreeDigest<double>, 2> parts{TreeDigest<double>(first), TreeDigest<double>(first)};
          for (std::int64_t k = first; k < last; ++k) {
            parts[0].add(values[static_cast<std::size_t>(k)]);
            parts[1].add(1.0);
          }
          combine_sums(ranks, std::span<TreeDigest<double>>(parts));
          EXPECT_EQ(parts[0].sum(), whole.sum());
          EXPECT_EQ(parts[1].sum(), static_cast<double>(leaves));
        },
        7);
  }
}

TEST(OneProcess, TalksToItself) {
  const auto alone = one_process();
  EXPECT_EQ(alone->rank(), 0);
  EXPECT_EQ(alone->size(), 1);
  EXPECT_EQ(alone->host().size, 1);
  std::string given = "abc", taken(3, ' ');
  const auto receipt = alone->receive(bytes_of(taken), 0, 1);
  EXPECT_FALSE(alone->done(*receipt));
  EXPECT_THROW(alone->wait(*receipt), Error);
  alone->wait(*alone->send(bytes_of(given), 0, 1));
  alone->wait(*receipt);
  EXPECT_EQ(taken, "abc");
  EXPECT_EQ(least_of(*alone, 4), 4);
  EXPECT_EQ(text_of_first(*alone, "case"), "case");
}

}  // namespace
}  // namespace quoin
