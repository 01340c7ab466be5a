#include <array>

#include "framework/ranks/testing.hpp"
#include "quoin/testing/mocks.hpp"

namespace quoin {
namespace {

using ::testing::_;
using ::testing::NiceMock;
using ::testing::Return;
using ::testing::Throw;

TEST(MockCommunicator, LeftAloneIsOneProcess) {
  NiceMock<testing::MockCommunicator> ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.host().name, one_process()->host().name);
  int value = 7;
  ranks.broadcast(test::memory_of(value), 0);
  ranks.wait(*ranks.combine(test::memory_of(value), {}));
  EXPECT_EQ(value, 7);
  const auto received = ranks.receive(test::memory_of(value), 0, 1);
  EXPECT_FALSE(ranks.done(*received));
  test::send(ranks, 8, 0, 1);
  EXPECT_TRUE(ranks.done(*received));
  EXPECT_EQ(value, 8);
  EXPECT_EXIT(ranks.abort(7), ::testing::ExitedWithCode(7), "");
}

TEST(MockCommunicator, SaysWhatItIsTold) {
  NiceMock<testing::MockCommunicator> ranks;
  EXPECT_CALL(ranks, rank).WillOnce(Return(3));
  EXPECT_CALL(ranks, send(_, 3, 1)).WillOnce(Throw(Error(ErrorKind::io, "no network")));
  EXPECT_EQ(ranks.rank(), 3);
  EXPECT_THROW((void)ranks.send({}, 3, 1), Error);
}

}  // namespace
}  // namespace quoin
