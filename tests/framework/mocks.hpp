#pragma once

// Mocks of the framework's seams. Left alone they behave like a device that does nothing: memory is host bytes,
// copies copy, every kernel is there, launches have no effect.

#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "quoin/executor.hpp"
#include "quoin/problem.hpp"
#include "quoin/run.hpp"

namespace quoin::test {

class HostBytes final : public Memory {
 public:
  explicit HostBytes(std::size_t count) : data(count) {}
  [[nodiscard]] std::size_t bytes() const override { return data.size(); }
  [[nodiscard]] MemoryKind kind() const override { return MemoryKind::device; }
  std::vector<std::byte> data;
};

class MockEvent : public Event {
 public:
  MOCK_METHOD(double, seconds_since, (const Event&), (const, override));
};

class MockQueue : public Queue {
 public:
  MockQueue() {
    ON_CALL(*this, copy_in).WillByDefault([](Memory& target, std::size_t offset, std::span<const std::byte> source) {
      std::memcpy(static_cast<HostBytes&>(target).data.data() + offset, source.data(), source.size());
    });
    ON_CALL(*this, copy_out).WillByDefault([](std::span<std::byte> target, const Memory& source, std::size_t offset) {
      std::memcpy(target.data(), static_cast<const HostBytes&>(source).data.data() + offset, target.size());
    });
  }
  MOCK_METHOD(void, copy_in, (Memory&, std::size_t, std::span<const std::byte>), (override));
  MOCK_METHOD(void, copy_out, (std::span<std::byte>, const Memory&, std::size_t), (override));
  MOCK_METHOD(void, record, (Event&), (override));
  MOCK_METHOD(void, wait, (const Event&), (override));
  MOCK_METHOD(void, synchronize, (), (override));
  MOCK_METHOD(std::uint64_t, launches, (), (const, override));
};

class MockKernel : public Kernel {
 public:
  MOCK_METHOD(void, launch, (Queue&, const Box&, std::span<const Argument>), (override));
  MOCK_METHOD(Cost, cost, (const Box&), (const, override));
};

class MockExecutor : public Executor {
 public:
  MockExecutor() {
    info.name = "mock device";
    info.memory_bytes = 1 << 20;  // little, so that nothing measured on it takes long
    ON_CALL(*this, device).WillByDefault(testing::ReturnRef(info));
    ON_CALL(*this, supports).WillByDefault(testing::Return(true));
    ON_CALL(*this, layout).WillByDefault([](const FieldSpec& spec) { return default_layout(spec); });
    ON_CALL(*this, allocate).WillByDefault([](std::size_t bytes, MemoryKind) {
      return std::make_unique<HostBytes>(bytes);
    });
    ON_CALL(*this, queue).WillByDefault([] { return std::make_unique<testing::NiceMock<MockQueue>>(); });
    ON_CALL(*this, event).WillByDefault([] { return std::make_unique<testing::NiceMock<MockEvent>>(); });
    ON_CALL(*this, kernel).WillByDefault([](const KernelSpec&) {
      return std::make_unique<testing::NiceMock<MockKernel>>();
    });
  }
  MOCK_METHOD(const DeviceInfo&, device, (), (const, override));
  MOCK_METHOD(bool, supports, (const KernelSpec&), (const, override));
  MOCK_METHOD(Layout, layout, (const FieldSpec&), (const, override));
  MOCK_METHOD(std::unique_ptr<Memory>, allocate, (std::size_t, MemoryKind), (override));
  MOCK_METHOD(std::unique_ptr<Queue>, queue, (), (override));
  MOCK_METHOD(std::unique_ptr<Event>, event, (), (override));
  MOCK_METHOD(std::unique_ptr<Kernel>, kernel, (const KernelSpec&), (override));

  DeviceInfo info;
};

class MockProblem : public Problem {
 public:
  MockProblem() {
    ON_CALL(*this, history_columns).WillByDefault([this] { return Problem::history_columns(); });
  }
  MOCK_METHOD(Estimate, estimate, (), (const, override));
  MOCK_METHOD(void, check, (), (const, override));
  MOCK_METHOD(void, set_up, (std::shared_ptr<Executor>), (override));
  MOCK_METHOD(Progress, advance, (), (override));
  MOCK_METHOD(bool, frame_at_start, (), (const, override));
  MOCK_METHOD(void, write, (FieldSink&), (const, override));
  MOCK_METHOD(void, sample, (FieldSink&), (const, override));
  MOCK_METHOD(void, save, (CheckpointWriter&), (const, override));
  MOCK_METHOD(void, restore, (CheckpointReader&), (override));
  MOCK_METHOD(std::optional<Errors>, errors, (), (const, override));
  MOCK_METHOD(std::vector<KernelRow>, kernels, (), (const, override));
  MOCK_METHOD(std::uint64_t, launches, (), (const, override));
  MOCK_METHOD(std::vector<std::string>, history_columns, (), (const, override));
  MOCK_METHOD(std::vector<Figure>, figures, (), (const, override));
};

class MockClock : public Clock {
 public:
  MOCK_METHOD(double, seconds, (), (const, override));
};

}  // namespace quoin::test
