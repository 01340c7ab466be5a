// What the first rank learns of the others while they wait.

#include "ranks/attentive.hpp"

#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <span>
#include <thread>

#include "framework/ranks/testing.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AttentiveRanks, CountWhatTheirCallsWaitForOthers) {
  testing::run_ranks(2, [](Communicator& ranks) {
    AttentiveRanks timed(ranks);
    EXPECT_EQ(timed.traffic().waiting_seconds, 0.0);
    constexpr auto late = std::chrono::milliseconds(50);
    if (ranks.rank() == 1) {
      std::this_thread::sleep_for(late);
      test::send(timed, 7, 0, 1);
      std::this_thread::sleep_for(late);
    } else {
      EXPECT_EQ(test::receive<int>(timed, 1, 1), 7);
      EXPECT_GE(timed.traffic().waiting_seconds, 0.04);
    }
    const double before = timed.traffic().waiting_seconds;
    int value = 3;
    timed.broadcast(test::memory_of(value), 1);
    if (ranks.rank() == 0) {
      EXPECT_GE(timed.traffic().waiting_seconds - before, 0.04);
    }
    const double after = timed.traffic().waiting_seconds;
    std::this_thread::sleep_for(late);
    EXPECT_EQ(timed.traffic().waiting_seconds, after);
  });
}

TEST(AttentiveRanks, CountWhatTheySendAndWhatAllDo) {
  testing::run_ranks(3, [](Communicator& ranks) {
    AttentiveRanks counted(ranks);
    const std::array<double, 5> values{};
    std::array<double, 5> theirs{};
    if (ranks.rank() == 0) {
      for (const int to : {1, 2, 1}) counted.wait(*counted.send(std::as_bytes(std::span(values)), to, 1));
    } else {
      for (int k = ranks.rank(); k < 3; ++k)
        counted.wait(*counted.receive(std::as_writable_bytes(std::span(theirs)), 0, 1));
    }
    int value = 1;
    counted.broadcast(test::memory_of(value), 0);
    counted.wait(*counted.combine(test::memory_of(value), [](auto /*left*/, auto /*right*/) {}));
    if (ranks.rank() > 0) {
      counted.broadcast(test::memory_of(value), 0);
      return;
    }
    const Traffic own = counted.traffic();
    EXPECT_EQ(own.messages, 3);
    EXPECT_EQ(own.bytes, 120);
    EXPECT_EQ(own.collectives, 2);
    for (const AttentiveRanks::Answer& other : counted.ask()) {  // what they are asked is not counted
      EXPECT_EQ(other.traffic.messages, 0);
      EXPECT_EQ(other.traffic.bytes, 0);
      EXPECT_GE(other.traffic.collectives, 2);  // it may answer in the one before the last
    }
    EXPECT_EQ(counted.traffic().messages, 3);
    counted.broadcast(test::memory_of(value), 0);
  });
}

TEST(AttentiveRanks, AnswerWhileTheyWaitInAnyCall) {
  testing::run_ranks(4, [](Communicator& ranks) {
    const std::string trace(static_cast<std::size_t>(100 * ranks.rank()), 't');
    AttentiveRanks attentive(ranks, [&trace] { return trace; });
    int value = 0;
    if (ranks.rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      for (const bool with_traces : {false, true, false}) {
        const std::vector<AttentiveRanks::Answer> answers = attentive.ask(with_traces);
        ASSERT_EQ(answers.size(), 3U);
        for (std::size_t k = 0; k < answers.size(); ++k) {
          EXPECT_EQ(answers[k].trace.size(), with_traces ? 100 * (k + 1) : 0);
          EXPECT_NEAR(answers[k].clock_ahead, 0.0, 1.0);
        }
      }
      value = 5;
      test::send(attentive, value, 1, 3);
    } else if (ranks.rank() == 1) {
      value = test::receive<int>(attentive, 0, 3);
    }
    attentive.broadcast(test::memory_of(value), 1);
    EXPECT_EQ(value, 5);
    if (ranks.rank() == 0) {
      EXPECT_GE(attentive.ask()[1].traffic.waiting_seconds, 0.01);
    }
  });
}

TEST(AttentiveRanks, AreMissedWhereTheyDoNotAnswer) {
  testing::run_ranks(4, [](Communicator& ranks) {
    AttentiveRanks attentive(ranks);
    std::vector<int> missing;
    std::jthread beside;
    if (ranks.rank() == 0) beside = std::jthread([&] { missing = attentive.missing(0.2); });
    if (ranks.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(400));
    int value = 1;
    attentive.broadcast(test::memory_of(value), 2);
    if (beside.joinable()) beside.join();
    EXPECT_EQ(missing, ranks.rank() == 0 ? std::vector<int>{2} : std::vector<int>{});
  });
}

TEST(AttentiveRanks, AllAnswerWhereTheyWaitForEachOther) {
  testing::run_ranks(3, [](Communicator& ranks) {
    AttentiveRanks attentive(ranks);
    std::optional<std::vector<int>> missing;
    if (ranks.rank() == 0) {
      std::jthread beside([&] {
        missing = attentive.missing(5);
        test::send(ranks, 1, 0, 4);  // what that thread waits for
      });
      EXPECT_EQ(test::receive<int>(attentive, 0, 4), 1);
    }
    if (ranks.rank() == 0) {
      EXPECT_THAT(missing.value(), IsEmpty());
    }
    int value = 0;
    attentive.broadcast(test::memory_of(value), 0);
  });
}

TEST(AttentiveRanks, TheFirstOneIsMissedWhereItHangsItself) {
  testing::run_ranks(2, [](Communicator& ranks) {
    AttentiveRanks attentive(ranks);
    if (ranks.rank() == 0) {
      EXPECT_THAT(attentive.missing(0.1), ElementsAre(0));
    }
  });
}

}  // namespace
}  // namespace quoin
