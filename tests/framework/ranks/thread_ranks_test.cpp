#include "quoin/testing/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "framework/ranks/testing.hpp"

namespace quoin {
namespace {

using test::memory_of;
using testing::run_ranks;
using Transfer = std::unique_ptr<Communicator::Transfer>;

/// Without mischief, and with that of some seeds.
std::vector<testing::RankOptions> options() {
  std::vector<testing::RankOptions> all(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) all.push_back({seed});
  return all;
}

TEST(ThreadRanks, EachIsOneOfAll) {
  std::array<std::atomic<int>, 5> calls{};
  run_ranks(5, [&](Communicator& ranks) {
    ++calls.at(static_cast<std::size_t>(ranks.rank()));
    EXPECT_EQ(ranks.size(), 5);
    EXPECT_EQ(ranks.host().rank, ranks.rank());
    EXPECT_EQ(ranks.host().size, 5);
    EXPECT_EQ(ranks.host().name, one_process()->host().name);
  });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(ThreadRanks, MessagesComeInOrderWhateverIsWaitedForFirst) {
  constexpr int count = 20;
  for (const testing::RankOptions& option : options()) {
    for (const int size : {1, 2, 3, 7}) {
      const auto body = [&](Communicator& ranks) {
        const int next = (ranks.rank() + 1) % size;
        const int before = (ranks.rank() + size - 1) % size;
        std::array<int, 2 * count> got{};
        std::array<int, 2 * count> sent{};
        std::vector<Transfer> transfers;
        for (int k = 0; k < 2 * count; ++k) {
          const auto at = static_cast<std::size_t>(k);
          sent.at(at) = 1000 * ranks.rank() + k;
          transfers.push_back(ranks.receive(memory_of(got.at(at)), before, k % 2));
          transfers.push_back(ranks.send(memory_of(sent.at(at)), next, k % 2));
        }
        while (!transfers.empty()) {
          ranks.wait(*transfers.back());
          EXPECT_TRUE(ranks.done(*transfers.back()));
          transfers.pop_back();
        }
        for (int k = 0; k < 2 * count; ++k) EXPECT_EQ(got.at(static_cast<std::size_t>(k)), 1000 * before + k);
      };
      run_ranks(size, body, option);
    }
  }
}

/// Of two messages of a rank to itself, which comes first.
int first_of_two(const testing::RankOptions& option, int other_tag) {
  int first = -1;
  const auto body = [&](Communicator& ranks) {
    std::array<int, 2> got{};
    const Transfer sent0 = ranks.send(memory_of(got), 0, 0);
    const Transfer sent1 = ranks.send(memory_of(got), 0, other_tag);
    const Transfer receive0 = ranks.receive(memory_of(got), 0, 0);
    const Transfer receive1 = ranks.receive(memory_of(got), 0, other_tag);
    while (first < 0) {
      if (ranks.done(*receive1)) first = 1;
      if (ranks.done(*receive0)) first = 0;
    }
  };
  run_ranks(1, body, option);
  return first;
}

TEST(ThreadRanks, ShuffledMessagesOvertakeThoseOfOtherTagsAlone) {
  std::set<int> first_of_two_tags;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    first_of_two_tags.insert(first_of_two({seed}, 1));
    EXPECT_EQ(first_of_two({seed}, 0), 0) << "seed " << seed;
  }
  EXPECT_EQ(first_of_two_tags, (std::set{0, 1}));
}

TEST(ThreadRanks, AShuffledSendMayWaitForItsReceive) {
  int waiting = 0;
  for (const testing::RankOptions& option : options()) {
    const auto body = [&](Communicator& ranks) {
      int value = 7;
      const Transfer sent = ranks.send(memory_of(value), 0, 0);
      const bool waits = !ranks.done(*sent);
      if (waits) value = 8;  // as it must not: the message is still here
      EXPECT_EQ(test::receive<int>(ranks, 0, 0), waits ? 8 : 7);
      EXPECT_TRUE(ranks.done(*sent));
      if (waits) ++waiting;
      EXPECT_FALSE(waits && !option.shuffle);
    };
    run_ranks(1, body, option);
  }
  EXPECT_GT(waiting, 0);
  EXPECT_LT(waiting, 20);
}

TEST(ThreadRanks, TransfersThatGoWereWaitedFor) {
  for (const testing::RankOptions& option : options()) {
    const auto body = [&](Communicator& ranks) {
      int value = ranks.rank() == 0 ? 7 : 0;
      if (ranks.rank() == 0) {
        (void)ranks.send(memory_of(value), 1, 0);
        value = 8;
      } else {
        (void)ranks.receive(memory_of(value), 0, 0);
        EXPECT_EQ(value, 7);
      }
      int ranks_seen = 1;
      (void)ranks.combine(memory_of(ranks_seen), [](std::span<const std::byte> left, std::span<std::byte> right) {
        right[0] = static_cast<std::byte>(static_cast<int>(left[0]) + static_cast<int>(right[0]));
      });
      EXPECT_EQ(ranks_seen, 2);
    };
    run_ranks(2, body, option);
  }
}

/// Products of these do not commute.
using Matrix = std::array<std::uint64_t, 4>;

Matrix product(const Matrix& a, const Matrix& b) {
  return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
}

void join_matrices(std::span<const std::byte> left, std::span<std::byte> right) {
  Matrix a{};
  Matrix b{};
  std::memcpy(&a, left.data(), sizeof a);
  std::memcpy(&b, right.data(), sizeof b);
  b = product(a, b);
  std::memcpy(right.data(), &b, sizeof b);
}

TEST(ThreadRanks, CombineJoinsInTheOrderOfRanks) {
  for (const testing::RankOptions& option : options()) {
    for (const int size : {1, 2, 3, 8}) {
      const auto of_rank = [](int rank, std::uint64_t round) {
        return Matrix{round, 1, 1, static_cast<std::uint64_t>(rank)};
      };
      const auto body = [&](Communicator& ranks) {
        Matrix one = of_rank(ranks.rank(), 1);
        Matrix two = of_rank(ranks.rank(), 2);
        const Transfer first = ranks.combine(memory_of(one), join_matrices);
        const Transfer second = ranks.combine(memory_of(two), join_matrices);
        ranks.wait(*second);
        while (!ranks.done(*first)) {
        }
        for (const auto& [got, round] : {std::pair{one, 1U}, {two, 2U}}) {
          Matrix expected = {1, 0, 0, 1};
          for (int rank = 0; rank < size; ++rank) expected = product(expected, of_rank(rank, round));
          EXPECT_EQ(got, expected) << "round " << round << " of " << size << " ranks";
        }
      };
      run_ranks(size, body, option);
    }
  }
}

/// Without it the test above says less than it seems.
TEST(ThreadRanks, ShuffledCombineBracketsDifferentlyOnEveryRank) {
  const auto subtract = [](std::span<const std::byte> left, std::span<std::byte> right) {
    right[0] = static_cast<std::byte>(static_cast<int>(left[0]) - static_cast<int>(right[0]));
  };
  for (const testing::RankOptions& option : options()) {
    std::array<std::byte, 8> results{};
    const auto body = [&](Communicator& ranks) {
      auto value = static_cast<std::byte>(1 << ranks.rank());
      ranks.wait(*ranks.combine(memory_of(value), subtract));
      results.at(static_cast<std::size_t>(ranks.rank())) = value;
    };
    run_ranks(8, body, option);
    EXPECT_EQ(std::set(results.begin(), results.end()).size() > 1, option.shuffle.has_value());
  }
}

TEST(ThreadRanks, BroadcastComesFromItsRoot) {
  for (const testing::RankOptions& option : options()) {
    const auto body = [&](Communicator& ranks) {
      for (int root = 0; root < 3; ++root) {
        int value = ranks.rank();
        ranks.broadcast(memory_of(value), root);
        EXPECT_EQ(value, root);
      }
      ranks.broadcast({}, 0);
    };
    run_ranks(3, body, option);
  }
}

}  // namespace
}  // namespace quoin
