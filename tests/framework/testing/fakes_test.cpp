// The fake device, and mocks on the plugin's side of the boundary.

#include <cmath>

#include "quoin/buffer.hpp"
#include "quoin/testing/fake_checkpoint.hpp"
#include "quoin/testing/mocks.hpp"

namespace quoin {
namespace {

using ::testing::_;
using ::testing::ByMove;
using testing::elements;
using testing::FakeCheckpoint;
using testing::FakeExecutor;
using testing::FakeMemory;
using testing::Launch;
using testing::MockBackend;
using testing::MockExecutor;
using testing::MockMemory;
using testing::MockQueue;
using ::testing::NiceMock;
using ::testing::Return;
using ::testing::Throw;

ErrorKind kind_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(FakeExecutor, MemoryThatNobodyWroteIsNan) {
  const auto device = std::make_shared<FakeExecutor>();
  const auto queue = device->queue();
  Buffer<double> buffer(device, 3);
  buffer.upload(*queue, std::vector<double>{1.5}, 1);
  std::vector<double> values(3);
  buffer.download(*queue, values);
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 1.5);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(FakeExecutor, ACopyThatDoesNotFitIsABug) {
  FakeExecutor device;
  NiceMock<MockQueue> mock;
  const auto own = device.queue();
  const auto memory = device.allocate(16, MemoryKind::device);
  const NiceMock<MockMemory> other;
  std::vector<std::byte> bytes(8);
  for (Queue* queue : std::initializer_list<Queue*>{own.get(), &mock}) {
    queue->copy_in(*memory, 8, bytes);
    queue->copy_out(bytes, *memory, 0);
    EXPECT_EQ(kind_of([&] { queue->copy_in(*memory, 9, bytes); }), ErrorKind::bug);
    EXPECT_EQ(kind_of([&] { queue->copy_out(bytes, *memory, 17); }), ErrorKind::bug);
    EXPECT_EQ(kind_of([&] { queue->copy_out(bytes, other, 0); }), ErrorKind::bug);
  }
}

TEST(FakeExecutor, NotesLaunchesAndDoesWhatTheyAreSaidToDo) {
  FakeExecutor device;
  device.launch_cost = {16.0, 2.0};
  device.launch_seconds = 0.5;
  device.define("twice", [](const Launch& launch) {
    for (std::int64_t i = launch.box.lower[0]; i < launch.box.upper[0]; ++i)
      elements<float>(launch.arguments[0])[i] *= 2;
  });
  const auto queue = device.queue();
  const auto another = device.queue();
  const auto memory = device.allocate(16, MemoryKind::device);
  std::vector<float> values{1, 2, 3, 4};
  queue->copy_in(*memory, 0, std::as_bytes(std::span(values)));
  const auto before = device.event();
  const auto after = device.event();
  const auto twice = device.kernel({"twice", Precision::float32, {{"depth", 3}}});
  queue->record(*before);
  const Argument argument = Argument::buffer(*memory, sizeof(float));
  twice->launch(*queue, {{1, 0, 0}, {3, 1, 1}, {}}, {&argument, 1});
  device.kernel({"other", Precision::float32, {}})->launch(*queue, Box::line(1), {});
  queue->record(*after);
  queue->copy_out(std::as_writable_bytes(std::span(values)), *memory, 0);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 6, 8}));
  EXPECT_EQ(after->seconds_since(*before), 1.0);
  EXPECT_EQ(queue->launches(), 2U);
  EXPECT_EQ(another->launches(), 0U);
  EXPECT_EQ(twice->cost(Box::line(1)).bytes, 16.0);
  ASSERT_EQ(device.launches.size(), 2U);
  EXPECT_EQ(device.launches[0].kernel.name, "twice");
  EXPECT_EQ(device.launches[0].kernel.constant("depth", 0), 3);
  EXPECT_EQ(device.launches[0].box.upper[0], 3);
  EXPECT_EQ(device.launches[0].arguments[0].offset, sizeof(float));
  EXPECT_EQ(device.launches[1].kernel.name, "other");
}

TEST(FakeExecutor, WhatIsNoArrayHasNoElements) {
  for (const Argument& argument : {Argument::absent(), Argument::real(1.0)})
    EXPECT_EQ(kind_of([&] { elements<double>(argument); }), ErrorKind::bug);
}

TEST(FakeCheckpoint, GivesBackWhatWasPutIntoIt) {
  FakeCheckpoint checkpoint;
  const std::vector<std::byte> given{std::byte{1}, std::byte{2}};
  checkpoint.put("u", given);
  std::vector<std::byte> read(2);
  checkpoint.get("u", read);
  EXPECT_EQ(read, given);
  EXPECT_EQ(kind_of([&] { checkpoint.get("v", read); }), ErrorKind::checkpoint);
  read.resize(3);
  EXPECT_EQ(kind_of([&] { checkpoint.get("u", read); }), ErrorKind::checkpoint);
}

/// The table of C functions that a plugin exports, over a mock of its backend.
TEST(MockBackend, IsReachedThroughThePluginsTable) {
  using Table = sdk::Table<NiceMock<MockBackend>>;
  EXPECT_CALL(Table::backend(), executor(1, Options{{"block", "64"}}))
      .WillOnce(Return(ByMove(std::make_unique<NiceMock<MockExecutor>>())))
      .WillOnce(Throw(Error(ErrorKind::device, "lost", "gpu 1")));
  const quoin_option option{"block", "64"};
  quoin_executor* executor = nullptr;
  quoin_error error{};
  ASSERT_EQ(Table::table.executor_create(1, &option, 1, &executor, &error), 0);
  quoin_memory* memory = nullptr;
  ASSERT_EQ(Table::table.memory_create(executor, 8, 0, &memory, &error), 0);
  Table::table.memory_destroy(memory);
  Table::table.executor_destroy(executor);
  EXPECT_EQ(Table::table.executor_create(1, &option, 1, &executor, &error), 7);
  EXPECT_STREQ(error.message, "lost");
  EXPECT_STREQ(error.where, "gpu 1");
  Table::table.shutdown();  // with the backend its expectations are judged
}

}  // namespace
}  // namespace quoin
