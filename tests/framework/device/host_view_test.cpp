#include "quoin/host_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "quoin/field.hpp"
#include "quoin/testing/fake_executor.hpp"
#include "quoin/testing/mocks.hpp"

namespace quoin {
namespace {

using ::testing::Return;
using ::testing::StrictMock;
using ::testing::Throw;

constexpr auto seven = std::byte{7};

struct LentView : ::testing::Test {
  testing::FakeMemory memory{100};
  StrictMock<testing::MockQueue> queue;  // nothing is copied
  std::vector<std::byte> room;
};

TEST_F(LentView, IsTheMemoryItselfAndIsGivenBackOnce) {
  std::byte* const there = testing::FakeMemory::of(memory, 40, 10).data();
  EXPECT_CALL(queue, map(::testing::Ref(memory), 40, 10)).WillOnce(Return(there));
  EXPECT_CALL(queue, unmap(::testing::Ref(memory), there));
  HostView view(queue, memory, 40, 10, room);
  EXPECT_TRUE(view.lent());
  EXPECT_EQ(view.read().data(), there);
  EXPECT_EQ(view.bytes().data(), there);
  EXPECT_EQ(view.bytes().size(), 10U);
  view.store();
  EXPECT_TRUE(room.empty());
}

TEST_F(LentView, NeedsNoRoomOrTellsThatItIsNotThere) {
  std::byte* const there = testing::FakeMemory::of(memory, 20, 30).data();
  EXPECT_CALL(queue, map(::testing::Ref(memory), 20, 30)).WillOnce(Return(there)).WillOnce(Return(nullptr));
  EXPECT_CALL(queue, unmap(::testing::Ref(memory), there));
  {
    HostView view(queue, memory, 20, 30);
    ASSERT_TRUE(view.lent());
    EXPECT_EQ(view.read().data(), there);
    EXPECT_EQ(view.read().size(), 30U);
  }
  EXPECT_FALSE(HostView(queue, memory, 20, 30).lent());
}

TEST_F(LentView, IsGivenBackByAnErrorOnTheWay) {
  std::byte* const there = testing::FakeMemory::of(memory, 0, 10).data();
  EXPECT_CALL(queue, map).WillOnce(Return(there));
  EXPECT_CALL(queue, unmap).WillOnce(Throw(std::runtime_error("the device is gone")));  // the queue tells later
  const auto work = [&] {
    const HostView view(queue, memory, 0, 10, room);
    throw std::logic_error("on the way");
  };
  EXPECT_THROW(work(), std::logic_error);
}

TEST(HostView, IsACopyWhereTheHostCannotLook) {
  testing::FakeExecutor device;
  const auto queue = device.queue();
  testing::FakeMemory memory(100);
  std::vector<std::byte> room;
  {
    HostView view(*queue, memory, 40, 10, room);
    std::ranges::fill(view.bytes(), seven);
    EXPECT_NE(testing::FakeMemory::of(memory, 40, 1)[0], seven);
    view.store();
  }
  EXPECT_EQ(testing::FakeMemory::of(memory, 49, 1)[0], seven);
  EXPECT_NE(testing::FakeMemory::of(memory, 39, 1)[0], seven);
  EXPECT_NE(testing::FakeMemory::of(memory, 50, 1)[0], seven);
  HostView view(*queue, memory, 45, 6, room);
  EXPECT_FALSE(view.lent());
  EXPECT_EQ(view.read()[4], seven);
  EXPECT_NE(view.read()[5], seven);
}

}  // namespace
}  // namespace quoin
