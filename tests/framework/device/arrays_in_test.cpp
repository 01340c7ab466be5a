#include "device/arrays_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quoin/error.hpp"
#include "quoin/testing/fake_executor.hpp"

namespace quoin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::shared_ptr<testing::FakeExecutor> pinning_device() {
  auto device = std::make_shared<testing::FakeExecutor>();
  device->info.memories = {MemoryKind::device, MemoryKind::pinned, MemoryKind::zero_copy};
  return device;
}

TEST(ArraysIn, AreInMemoryOfTheKind) {
  const auto device = with_arrays_in(MemoryKind::zero_copy, pinning_device());
  EXPECT_EQ(device->allocate(8, MemoryKind::device)->kind(), MemoryKind::zero_copy);
  EXPECT_EQ(device->allocate(8, MemoryKind::pinned)->kind(), MemoryKind::pinned);  // asked for by its name
  EXPECT_EQ(device->device().name, "fake device, arrays in zero_copy memory");
}

TEST(ArraysIn, LeaveTheDevicesOwnMemoryAlone) {
  const auto device = pinning_device();
  EXPECT_EQ(with_arrays_in(MemoryKind::device, device), device);
}

TEST(ArraysIn, RefuseAKindThatTheDeviceLacks) {
  try {
    with_arrays_in(MemoryKind::shared_fine, pinning_device());
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_EQ(error.where(), "fake device");
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("no memory of the kind shared_fine"), HasSubstr("it has: device, pinned, zero_copy")));
  }
}

}  // namespace
}  // namespace quoin
