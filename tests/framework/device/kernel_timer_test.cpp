#include "quoin/kernel_timer.hpp"

#include <gtest/gtest.h>

#include "quoin/testing/mocks.hpp"

namespace quoin {
namespace {

/// A device on which kernel k takes seconds_[k].
class KernelTimerTest : public ::testing::Test {
 protected:
  KernelTimerTest() {
    ON_CALL(queue_, record).WillByDefault([this](Event& event) {
      ++records_;
      dynamic_cast<testing::FakeEvent&>(event).at = now_;
    });
  }

  /// One launch of each kernel, of which the timer gets to see `kept`. Returns what collect() does.
  double chunk(KernelTimer& timer, std::size_t kept = 2) {
    records_ = 0;
    timer.begin(queue_);
    for (const std::size_t kernel : {0, 1}) {
      now_ += seconds_[kernel];
      timer.mark(queue_, kernel, {10.0, 1.0}, 20.0);
    }
    timer.end(queue_);
    return timer.collect(kept);
  }

  testing::FakeExecutor executor_;
  ::testing::NiceMock<testing::MockQueue> queue_;
  double now_ = 100.0;
  std::array<double, 2> seconds_{3.0, 1.0};
  int records_ = 0;
};

TEST_F(KernelTimerTest, TimesTheFirstChunksLaunchByLaunchAndThenEachSixtyFourth) {
  KernelTimer timer(executor_, 2);
  timer.add("a");
  timer.add("b");
  for (int k = 0; k < 130; ++k) {
    EXPECT_EQ(chunk(timer), 4.0);
    EXPECT_EQ(records_, k < 3 || k % 64 == 0 ? 3 : 2) << "chunk " << k;
  }
  EXPECT_EQ(timer.rows()[0].calls, 130);
  EXPECT_EQ(timer.rows()[0].seconds, 390.0);
  EXPECT_EQ(timer.rows()[1].seconds, 130.0);
  EXPECT_EQ(timer.rows()[1].bytes, 1300.0);
  EXPECT_EQ(timer.rows()[1].roofline_bytes, 2600.0);
}

TEST_F(KernelTimerTest, SharesTheTimeOfAChunkAsLaunchesLastTook) {
  KernelTimer timer(executor_, 2);
  timer.add("a");
  timer.add("b");
  for (int k = 0; k < 3; ++k) chunk(timer);
  seconds_ = {6.0, 2.0};
  EXPECT_EQ(chunk(timer), 8.0);
  EXPECT_EQ(timer.rows()[0].seconds, 3 * 3.0 + 6.0);
  EXPECT_EQ(timer.rows()[1].seconds, 3 * 1.0 + 2.0);
}

TEST_F(KernelTimerTest, DropsLaunchesBehindAStop) {
  KernelTimer timer(executor_, 2);
  timer.add("a");
  timer.add("b");
  for (int k = 0; k < 3; ++k) chunk(timer);
  seconds_ = {3.0, 0.5};
  EXPECT_EQ(chunk(timer, 1), 3.0);
  EXPECT_EQ(timer.rows()[0].calls, 4);
  EXPECT_EQ(timer.rows()[1].calls, 3);
  EXPECT_EQ(timer.rows()[1].seconds, 3.0);
}

TEST_F(KernelTimerTest, WhatIsNotCollectedTakesNoChunksPlace) {
  KernelTimer timer(executor_, 2);
  timer.add("a");
  timer.add("b");
  for (int k = 0; k < 4; ++k) {
    for (int more = 0; more < 3; ++more) timer.begin(queue_);
    chunk(timer);
    EXPECT_EQ(records_, k < 3 ? 3 : 2) << "chunk " << k;
  }
}

TEST_F(KernelTimerTest, KernelsOfOneNameShareARow) {
  KernelTimer timer(executor_, 2);
  EXPECT_EQ(timer.add("a"), 0U);
  EXPECT_EQ(timer.add("b"), 1U);
  EXPECT_EQ(timer.add("a"), 0U);
}

}  // namespace
}  // namespace quoin
