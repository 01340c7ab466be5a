#include "quoin/kernel_timer.hpp"

#include <gtest/gtest.h>

#include "quoin/testing/mocks.hpp"

namespace quoin {
namespace {

using ::testing::Return;

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
    for (const std::size_t kernel : {0, 1}) launch(timer, kernel);
    timer.end(queue_);
    return timer.collect(kept);
  }
  void launch(KernelTimer& timer, std::size_t kernel, const Cost& cost = {10.0, 1.0}) {
    timer.before(queue_, kernel, cost, 20.0);
    now_ += seconds_[kernel];
    timer.after(queue_);
  }
  static KernelTimer with_rows(Executor& executor) {
    KernelTimer timer(executor);
    timer.add("a");
    timer.add("b");
    return timer;
  }

  testing::FakeExecutor executor_;
  ::testing::NiceMock<testing::MockQueue> queue_;
  double now_ = 100.0;
  std::array<double, 2> seconds_{3.0, 1.0};
  int records_ = 0;
  KernelTimer timer_ = with_rows(executor_);
};

TEST_F(KernelTimerTest, TimesFewLaunchesNowAndThenAndAlwaysTheWhole) {
  for (int k = 0; k < 130; ++k) {
    EXPECT_EQ(chunk(timer_), 4.0);
    EXPECT_EQ(records_, k % 64 < 3 ? 3 : 2) << "chunk " << k;
  }
  EXPECT_EQ(timer_.rows()[0].calls, 130);
  EXPECT_EQ(timer_.rows()[0].seconds, 390.0);
  EXPECT_EQ(timer_.rows()[1].seconds, 130.0);
  EXPECT_EQ(timer_.rows()[1].bytes, 1300.0);
  EXPECT_EQ(timer_.rows()[1].roofline_bytes, 2600.0);
}

TEST_F(KernelTimerTest, TimesAKernelThatComesLateAsOften) {
  for (int k = 0; k < 9; ++k) chunk(timer_);
  timer_.begin(queue_);
  for (int k = 0; k < 10; ++k) launch(timer_, 0);
  launch(timer_, 1, {99.0, 0.0});  // another kind of the same row
  timer_.end(queue_);
  EXPECT_EQ(timer_.collect(11), 31.0);
  EXPECT_EQ(timer_.rows()[1].seconds, 9 * 1.0 + 1.0);
}

TEST_F(KernelTimerTest, SharesTheTimeOfAChunkAsLaunchesLastTook) {
  for (int k = 0; k < 4; ++k) chunk(timer_);
  seconds_ = {6.0, 2.0};
  EXPECT_EQ(chunk(timer_), 8.0);
  EXPECT_EQ(timer_.rows()[0].seconds, 4 * 3.0 + 6.0);
  EXPECT_EQ(timer_.rows()[1].seconds, 4 * 1.0 + 2.0);
}

TEST_F(KernelTimerTest, AFirstLaunchThatTakesLongerIsNotTypical) {
  seconds_ = {5.0, 1.0};
  EXPECT_EQ(chunk(timer_), 6.0);  // nothing else is known
  seconds_ = {3.0, 1.0};
  chunk(timer_);
  for (int k = 0; k < 4; ++k) chunk(timer_);
  EXPECT_EQ(timer_.rows()[0].seconds, 5.0 + 5 * 3.0);
}

TEST_F(KernelTimerTest, DropsLaunchesBehindAStop) {
  for (int k = 0; k < 3; ++k) chunk(timer_);
  seconds_ = {3.0, 0.5};
  EXPECT_EQ(chunk(timer_, 1), 3.0);
  EXPECT_EQ(timer_.rows()[0].calls, 4);
  EXPECT_EQ(timer_.rows()[1].calls, 3);
  EXPECT_EQ(timer_.rows()[1].seconds, 3.0);
}

TEST_F(KernelTimerTest, WhatIsNotCollectedIsAsIfItHadNotBeen) {
  for (int k = 0; k < 5; ++k) {
    for (int more = 0; more < 3; ++more) {
      timer_.begin(queue_);
      launch(timer_, 1);
    }
    chunk(timer_);
    EXPECT_EQ(records_, k < 3 ? 3 : 2) << "chunk " << k;
  }
  EXPECT_EQ(timer_.rows()[1].calls, 5);
}

TEST_F(KernelTimerTest, LaunchesOfASequenceShareTheTimeOfTheirChunk) {
  ON_CALL(queue_, begin_sequence).WillByDefault(Return(true));
  ON_CALL(queue_, end_sequence).WillByDefault([] { return std::make_unique<Sequence>(); });
  ON_CALL(queue_, run_sequence).WillByDefault([this](Sequence&) { now_ += 8.0; });
  TimedSequence sequence(queue_, timer_, [this] {
    for (const std::size_t kernel : {0, 1}) launch(timer_, kernel);
  });
  EXPECT_EQ(records_, 0);
  EXPECT_EQ(timer_.launches(), 0U);
  EXPECT_TRUE(sequence.exists());
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(sequence.wanted(), 3 - k);
    chunk(timer_);
  }
  EXPECT_EQ(sequence.wanted(), 0);
  timer_.begin(queue_);
  for (int k = 0; k < 2; ++k) sequence.run(queue_);
  timer_.end(queue_);
  EXPECT_EQ(timer_.launches(), 4U);
  EXPECT_EQ(timer_.collect(4), 16.0);
  EXPECT_EQ(timer_.rows()[0].calls, 5);
  EXPECT_EQ(timer_.rows()[0].seconds, 3 * 3.0 + 12.0);
  EXPECT_EQ(timer_.rows()[1].seconds, 3 * 1.0 + 4.0);
}

TEST_F(KernelTimerTest, WithoutSequencesNothingIsRecorded) {
  const TimedSequence sequence(queue_, timer_, [] { FAIL(); });
  for (int k = 0; k < 5; ++k) chunk(timer_);
  EXPECT_FALSE(sequence.exists());
}

TEST_F(KernelTimerTest, ALaunchThatCannotBeRecordedEndsTheSequence) {
  EXPECT_CALL(queue_, begin_sequence).WillOnce(Return(true));
  EXPECT_CALL(queue_, end_sequence);
  EXPECT_THROW(TimedSequence(queue_, timer_,
                             [this] {
                               launch(timer_, 0);
                               throw Error(ErrorKind::device, "no such launch");
                             }),
               Error);
  EXPECT_EQ(chunk(timer_), 4.0);
}

TEST_F(KernelTimerTest, KernelsOfOneNameShareARow) {
  KernelTimer timer(executor_);
  EXPECT_EQ(timer.add("a"), 0U);
  EXPECT_EQ(timer.add("b"), 1U);
  EXPECT_EQ(timer.add("a"), 0U);
}

}  // namespace
}  // namespace quoin
