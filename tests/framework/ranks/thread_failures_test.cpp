// Ranks that fail, or wait for what never comes: all end.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/ranks/testing.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using test::end_of;
using test::memory_of;
using testing::run_ranks;

void keep_right(std::span<const std::byte> /*left*/, std::span<std::byte> /*right*/) {}

/// How ranks 0 and 1 can wait for rank 2.
const std::vector<std::pair<std::string, std::function<void(Communicator&)>>>& ways_to_wait() {
  static const std::vector<std::pair<std::string, std::function<void(Communicator&)>>> ways = {
      {"receive", [](Communicator& ranks) { (void)test::receive<int>(ranks, 2, 3); }},
      {"poll",
       [](Communicator& ranks) {
         int value = 0;
         const auto received = ranks.receive(memory_of(value), 2, 3);
         while (!ranks.done(*received)) {
         }
       }},
      {"combine",
       [](Communicator& ranks) {
         int value = 0;
         ranks.wait(*ranks.combine(memory_of(value), keep_right));
       }},
      {"broadcast",
       [](Communicator& ranks) {
         int value = 0;
         ranks.broadcast(memory_of(value), 2);
       }},
      {"each other",
       [](Communicator& ranks) {
         if (ranks.rank() == 0) (void)test::receive<int>(ranks, 1, 3);
         if (ranks.rank() == 1) (void)test::receive<int>(ranks, 2, 3);
       }},
  };
  return ways;
}

/// Ends of the ranks' bodies, and of the run.
std::vector<std::string> ends(int size, const std::function<void(Communicator&)>& body,
                              const testing::RankOptions& option = {}) {
  std::vector<std::string> all(static_cast<std::size_t>(size) + 1);
  all.back() = end_of([&] {
    const auto watched = [&](Communicator& ranks) {
      std::string& end = all[static_cast<std::size_t>(ranks.rank())];
      try {
        body(ranks);
        end = "done";
      } catch (...) {
        end = end_of([] { throw; });
        throw;
      }
    };
    run_ranks(size, watched, option);
  });
  return all;
}

TEST(ThreadFailures, OneThatThrowsEndsAllThatWait) {
  for (const auto& [name, wait] : ways_to_wait()) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto all = ends(3,
                            [&meet = wait](Communicator& ranks) {
                              if (ranks.rank() == 2) throw Error(ErrorKind::io, "the disk is full", "field.vti");
                              meet(ranks);
                            },
                            {seed});
      EXPECT_EQ(all[0], "6: rank 2: rank 2 has failed: field.vti: the disk is full") << name;
      EXPECT_EQ(all[1], all[0]) << name;
      EXPECT_EQ(all[3], "6: field.vti: the disk is full") << name;
    }
  }
}

TEST(ThreadFailures, OneThatTellsOfItsFailureEndsAllThatWait) {
  for (const auto& [name, wait] : ways_to_wait()) {
    const auto all = ends(3, [&meet = wait](Communicator& ranks) {
      if (ranks.rank() == 2) return ranks.report_failure(Error(ErrorKind::device, "no memory"));
      meet(ranks);
    });
    EXPECT_EQ(all[0], "7: rank 2: rank 2 has failed: no memory") << name;
    EXPECT_EQ(all[1], all[0]) << name;
  }
}

TEST(ThreadFailures, WhatIsNoErrorOfOursIsABugToOthers) {
  const auto all = ends(2, [](Communicator& ranks) {
    if (ranks.rank() == 1) throw std::runtime_error("own");
    (void)test::receive<int>(ranks, 1, 0);
  });
  EXPECT_EQ(all[0], "bug: rank 1: rank 1 has failed: own");
  EXPECT_EQ(all[2], "exception: own");
  EXPECT_THROW(run_ranks(1, [](Communicator&) { throw 7; }), int);
}

TEST(ThreadFailures, OneThatHasEndedEndsAllThatWait) {
  for (const auto& [name, wait] : ways_to_wait()) {
    if (name == "each other") continue;
    const auto all = ends(3, [&meet = wait](Communicator& ranks) {
      if (ranks.rank() != 2) meet(ranks);
    });
    EXPECT_TRUE(all[3].ends_with("but rank 2 has ended")) << name << ": " << all[3];
    EXPECT_EQ(all[3].substr(0, 10), "bug: rank ");
  }
}

/// And not that they wait for each other, whichever thread hears of the end first.
TEST(ThreadFailures, OneThatHasEndedIsNamedWhereOthersWaitForItsWaiter) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto all = ends(4, [](Communicator& ranks) {
      if (ranks.rank() < 3) (void)test::receive<int>(ranks, ranks.rank() + 1, 0);
    });
    EXPECT_EQ(all[4], "bug: rank 2: waits for a message of rank 3 with tag 0, but rank 3 has ended");
  }
}

TEST(ThreadFailures, WhatCameBeforeTheEndIsReceived) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto body = [](Communicator& ranks) {
      if (ranks.rank() == 0) {
        const int value = 7;
        (void)ranks.send(std::as_bytes(std::span(&value, 1)), 1, 0);
      } else {
        EXPECT_EQ(test::receive<int>(ranks, 0, 0), 7);
      }
    };
    EXPECT_EQ(ends(2, body, {seed})[2], "done");
  }
}

TEST(ThreadFailures, RanksThatWaitForEachOtherAreTold) {
  const auto all =
      ends(3, [](Communicator& ranks) { (void)test::receive<int>(ranks, (ranks.rank() + 1) % 3, ranks.rank()); });
  for (const std::string& end : all) {
    EXPECT_EQ(end.substr(0, 10), "bug: rank ");
    EXPECT_TRUE(
        end.ends_with(": ranks wait for each other: rank 0 for a message of rank 1 with tag 0; rank 1 for a "
                      "message of rank 2 with tag 1; rank 2 for a message of rank 0 with tag 2"))
        << end;
  }
}

/// As under MPI, where messages are long.
TEST(ThreadFailures, RanksThatWaitForTheirSendsBeforeTheyReceiveAreTold) {
  const auto body = [](Communicator& ranks) {
    test::send(ranks, 7, 1 - ranks.rank(), 0);
    (void)test::receive<int>(ranks, 1 - ranks.rank(), 0);
  };
  EXPECT_EQ(ends(2, body)[2], "done");
  int told = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    if (ends(2, body, {seed})[2].ends_with("ranks wait for each other: rank 0 for rank 1 to receive a message with tag "
                                           "0; rank 1 for rank 0 to receive a "
                                           "message with tag 0"))
      ++told;
  EXPECT_GT(told, 0);
}

TEST(ThreadFailures, OneThatThrowsGivesItsTransfersUp) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto all = ends(2,
                          [](Communicator& ranks) {
                            std::array<int, 3> values{};
                            const auto received = ranks.receive(memory_of(values[0]), 1 - ranks.rank(), 0);
                            const auto sent = ranks.send(memory_of(values[1]), 1 - ranks.rank(), 1);
                            const auto combined = ranks.combine(memory_of(values[2]), keep_right);
                            if (ranks.rank() == 1) throw std::runtime_error("own");
                            ranks.wait(*received);
                          },
                          {seed});
    EXPECT_EQ(all[0], "bug: rank 1: rank 1 has failed: own");
    EXPECT_EQ(all[2], "exception: own");
  }
}

/// Which may have been sent before or come after.
TEST(ThreadFailures, AGivenUpReceiveTakesItsMessage) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto body = [&](Communicator& ranks) {
      const auto meet = [&] { ranks.wait(*ranks.combine({}, keep_right)); };
      if (ranks.rank() == 0) {
        if (seed % 2 == 0) meet();
        const int value = 1;
        const auto sent = ranks.send(std::as_bytes(std::span(&value, 1)), 1, 0);
        if (seed % 2 == 1) meet();
        ranks.wait(*sent);
        return test::send(ranks, 2, 1, 0);
      }
      if (seed % 2 == 1) meet();
      try {
        int value = 0;
        const auto received = ranks.receive(memory_of(value), 0, 0);
        throw std::runtime_error("own");
      } catch (const std::runtime_error&) {
      }
      if (seed % 2 == 0) meet();
      EXPECT_EQ(test::receive<int>(ranks, 0, 0), 2);
    };
    EXPECT_EQ(ends(2, body, {seed})[2], "done");
  }
}

TEST(ThreadFailures, AReceiveThatGoesAndNeverComesFailsItsRank) {
  const auto all = ends(2, [](Communicator& ranks) {
    int value = 0;
    if (ranks.rank() == 1) (void)ranks.receive(memory_of(value), 0, 0);
  });
  EXPECT_EQ(all[2], "bug: rank 1: waits for a message of rank 0 with tag 0, but rank 0 has ended");
}

TEST(ThreadFailures, AMessageThatNobodyReceivesIsABug) {
  const auto all = ends(2, [](Communicator& ranks) {
    if (ranks.rank() == 0) test::send(ranks, 7, 1, 5);
  });
  EXPECT_EQ(all[2], "bug: rank 1: a message of rank 0 with tag 5 was never received");
}

TEST(ThreadFailures, OtherLengthsAreBugs) {
  EXPECT_EQ(ends(2,
                 [](Communicator& ranks) {
                   if (ranks.rank() == 0) test::send(ranks, std::int16_t{7}, 1, 5);
                   if (ranks.rank() == 1) (void)test::receive<std::int32_t>(ranks, 0, 5);
                 })[2],
            "bug: rank 1: a message of rank 0 with tag 5 has 2 bytes, but 4 were asked for");
  std::array<std::byte, 3> bytes{};
  EXPECT_EQ(ends(2,
                 [&](Communicator& ranks) {
                   std::array<std::byte, 3> own = bytes;
                   const auto value = std::span(own).first(ranks.rank() == 0 ? 2 : 3);
                   const auto combined = ranks.combine(value, keep_right);
                   if (ranks.rank() == 1) ranks.wait(*combined);
                 })[1],
            "bug: rank 1: a value of combine() has 2 bytes, but 3 were asked for");
  EXPECT_EQ(ends(2,
                 [&](Communicator& ranks) {
                   std::array<std::byte, 3> own = bytes;
                   ranks.broadcast(std::span(own).first(ranks.rank() == 0 ? 2 : 3), 0);
                 })[2],
            "bug: rank 1: broadcast() of rank 0 has 2 bytes, but 3 were asked for");
}

TEST(ThreadFailures, OtherCollectiveCallsAreBugs) {
  for (const int root : {0, 1}) {
    const std::string end = ends(2, [root](Communicator& ranks) {
      int value = 0;
      if (ranks.rank() == 0) ranks.broadcast(memory_of(value), 0);
      if (ranks.rank() == 1 && root == 1) ranks.broadcast(memory_of(value), 1);
      if (ranks.rank() == 1 && root == 0) ranks.wait(*ranks.combine(memory_of(value), keep_right));
    })[2];
    EXPECT_NE(end.find(" where rank "), std::string::npos) << end;
  }
}

TEST(ThreadFailures, AJoinThatThrowsFailsItsRank) {
  const auto join = [](std::span<const std::byte>, std::span<std::byte>) { throw std::runtime_error("no join"); };
  EXPECT_EQ(ends(2,
                 [&](Communicator& ranks) {
                   int value = 0;
                   ranks.wait(*ranks.combine(memory_of(value), join));
                 })[2],
            "exception: no join");
}

TEST(ThreadFailures, WhatCannotBeIsRefused) {
  EXPECT_THROW(run_ranks(0, [](Communicator&) {}), Error);
  run_ranks(2, [](Communicator& ranks) {
    int value = 0;
    EXPECT_THROW((void)ranks.send(memory_of(value), 2, 0), Error);
    EXPECT_THROW((void)ranks.receive(memory_of(value), -1, 0), Error);
    EXPECT_THROW((void)ranks.send(memory_of(value), 0, Communicator::last_tag + 1), Error);
    EXPECT_THROW(ranks.broadcast(memory_of(value), 2), Error);
    const auto of_another = one_process()->combine({}, keep_right);
    EXPECT_THROW(ranks.wait(*of_another), Error);
  });
}

}  // namespace
}  // namespace quoin
