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

std::vector<std::byte> written_and_read(const std::shared_ptr<Executor>& device, ResultBytes bytes) {
  const auto queue = device->queue();
  const std::vector<std::byte> values{std::byte{3}, std::byte{5}, std::byte{8}};
  bytes.buffer().upload(*queue, values);
  queue->synchronize();
  const auto seen = bytes.read(*queue, 2);
  return {seen.begin(), seen.end()};
}

TEST(ResultBytes, LieWhereTheHostSeesThem) {
  const auto device = with_pinned_memory();
  ResultBytes bytes(device, 3);
  EXPECT_THAT(device->asked, ElementsAre(MemoryKind::pinned));
  EXPECT_NE(bytes.buffer().memory().on_host(), nullptr);
  EXPECT_THAT(written_and_read(device, std::move(bytes)), ElementsAre(std::byte{3}, std::byte{5}));
}

TEST(ResultBytes, AreCopiedWhereItDoesNot) {
  const auto device = with_pinned_memory();
  device->seen = false;
  EXPECT_THAT(written_and_read(device, ResultBytes(device, 3)), ElementsAre(std::byte{3}, std::byte{5}));
  EXPECT_THAT(device->asked, ElementsAre(MemoryKind::pinned, MemoryKind::device));
  const auto without = std::make_shared<PinningExecutor>();
  EXPECT_THAT(written_and_read(without, ResultBytes(without, 3)), ElementsAre(std::byte{3}, std::byte{5}));
}

}  // namespace
}  // namespace quoin
