#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "quoin/buffer.hpp"
#include "quoin/testing/fake_executor.hpp"

namespace quoin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Keeps which kinds of memory it was asked for.
struct PinningExecutor : testing::FakeExecutor {
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    asked.push_back(kind);
    return FakeExecutor::allocate(bytes, seen ? kind : MemoryKind::device);
  }
  bool seen = true;
  std::vector<MemoryKind> asked;
};

std::shared_ptr<PinningExecutor> with_pinned_memory() {
  auto device = std::make_shared<PinningExecutor>();
  device->info.memories.push_back(MemoryKind::pinned);
  return device;
}

TEST(HostBytes, LieWhereTheDeviceCopiesAtFullRate) {
  const auto device = with_pinned_memory();
  HostBytes bytes(device, 100);
  EXPECT_THAT(device->asked, ElementsAre(MemoryKind::pinned));
  ASSERT_EQ(bytes.all().size(), 100U);
  bytes.all().back() = std::byte{7};
  const HostBytes moved = std::move(bytes);
  EXPECT_EQ(moved.all()[99], std::byte{7});
}

TEST(HostBytes, ArePlainWhereTheHostDoesNotSeeSuchMemory) {
  const auto device = with_pinned_memory();
  device->seen = false;
  HostBytes bytes(device, 100);
  ASSERT_EQ(bytes.all().size(), 100U);
  bytes.all().back() = std::byte{7};
  const HostBytes moved = std::move(bytes);
  EXPECT_EQ(moved.all()[99], std::byte{7});
}

TEST(HostBytes, NeedNoDeviceMemoryWhereThereIsNoneOfThatKind) {
  const auto device = std::make_shared<PinningExecutor>();
  EXPECT_EQ(HostBytes(device, 100).all().size(), 100U);
  EXPECT_THAT(device->asked, IsEmpty());
  EXPECT_EQ(HostBytes(with_pinned_memory(), 0).all().size(), 0U);
}

}  // namespace
}  // namespace quoin
