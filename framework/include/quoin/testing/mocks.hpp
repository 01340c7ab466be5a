#pragma once

// Mocks of the seams. Left alone, a mock of a device behaves like the fake one, one of ranks like a single process, and
// the others do nothing. Of the CMake
// target Quoin::testing, which needs GoogleMock:
//
//   find_package(Quoin REQUIRED COMPONENTS testing)
//   target_link_libraries(my_tests PRIVATE Quoin::testing GTest::gtest_main)

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/communicator.hpp"
#include "quoin/executor.hpp"
#include "quoin/fields.hpp"
#include "quoin/plugin.hpp"
#include "quoin/problem.hpp"
#include "quoin/run.hpp"
#include "quoin/testing/fake_executor.hpp"

namespace quoin::testing {

class MockMemory : public Memory {
 public:
  MOCK_METHOD(std::size_t, bytes, (), (const, override));
  MOCK_METHOD(MemoryKind, kind, (), (const, override));
};

class MockEvent : public Event {
 public:
  MOCK_METHOD(double, seconds_since, (const Event&), (const, override));
};

class MockQueue : public Queue {
 public:
  MockQueue() {
    ON_CALL(*this, copy_in).WillByDefault(FakeMemory::copy_in);
    ON_CALL(*this, copy_out).WillByDefault(FakeMemory::copy_out);
  }
  MOCK_METHOD(void, copy_in, (Memory&, std::size_t, std::span<const std::byte>), (override));
  MOCK_METHOD(void, copy_out, (std::span<std::byte>, const Memory&, std::size_t), (override));
  MOCK_METHOD(std::byte*, map, (Memory&, std::size_t, std::size_t), (override));
  MOCK_METHOD(void, unmap, (Memory&, std::byte*), (override));
  MOCK_METHOD(void, record, (Event&), (override));
  MOCK_METHOD(void, wait, (const Event&), (override));
  MOCK_METHOD(void, synchronize, (), (override));
  MOCK_METHOD(bool, begin_sequence, (), (override));
  MOCK_METHOD(std::unique_ptr<Sequence>, end_sequence, (), (override));
  MOCK_METHOD(void, run_sequence, (Sequence&), (override));
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
    fake.info.name = "mock device";
    ON_CALL(*this, device).WillByDefault(::testing::ReturnRef(fake.info));
    ON_CALL(*this, supports).WillByDefault([this](const KernelSpec& spec) { return fake.supports(spec); });
    ON_CALL(*this, layout).WillByDefault([this](const FieldSpec& spec) { return fake.layout(spec); });
    ON_CALL(*this, allocate).WillByDefault([this](std::size_t n, MemoryKind kind) { return fake.allocate(n, kind); });
    ON_CALL(*this, queue).WillByDefault([this] { return fake.queue(); });
    ON_CALL(*this, event).WillByDefault([this] { return fake.event(); });
    ON_CALL(*this, kernel).WillByDefault([this](const KernelSpec& spec) { return fake.kernel(spec); });
  }
  MOCK_METHOD(const DeviceInfo&, device, (), (const, override));
  MOCK_METHOD(bool, supports, (const KernelSpec&), (const, override));
  MOCK_METHOD(Layout, layout, (const FieldSpec&), (const, override));
  MOCK_METHOD(std::unique_ptr<Memory>, allocate, (std::size_t, MemoryKind), (override));
  MOCK_METHOD(std::unique_ptr<Queue>, queue, (), (override));
  MOCK_METHOD(std::unique_ptr<Event>, event, (), (override));
  MOCK_METHOD(std::unique_ptr<Kernel>, kernel, (const KernelSpec&), (override));

  FakeExecutor fake;
};

/// What a plugin derives from.
class MockBackend : public Backend {
 public:
  MOCK_METHOD(std::vector<DeviceInfo>, devices, (), (override));
  MOCK_METHOD(std::unique_ptr<Executor>, executor, (int, const Options&), (override));
};

/// What the program sees of a plugin.
class MockOpener : public LibraryOpener {
 public:
  MOCK_METHOD(void*, open, (const std::filesystem::path&), (override));
  MOCK_METHOD(void*, symbol, (void*, const char*), (override));
  MOCK_METHOD(std::string, error, (), (override));
};

class MockCommunicator : public Communicator {
 public:
  MockCommunicator() {
    ON_CALL(*this, rank).WillByDefault([this] { return real->rank(); });
    ON_CALL(*this, size).WillByDefault([this] { return real->size(); });
    ON_CALL(*this, host).WillByDefault([this] { return real->host(); });
    ON_CALL(*this, send).WillByDefault([this](auto bytes, int to, int tag) { return real->send(bytes, to, tag); });
    ON_CALL(*this, receive).WillByDefault([this](auto bytes, int from, int tag) {
      return real->receive(bytes, from, tag);
    });
    ON_CALL(*this, combine).WillByDefault([this](auto value, Join join) {
      return real->combine(value, std::move(join));
    });
    ON_CALL(*this, broadcast).WillByDefault([this](auto bytes, int root) { real->broadcast(bytes, root); });
    ON_CALL(*this, done).WillByDefault([this](Transfer& transfer) { return real->done(transfer); });
    ON_CALL(*this, wait).WillByDefault([this](Transfer& transfer) { real->wait(transfer); });
    ON_CALL(*this, while_waiting).WillByDefault([this](auto call) { real->while_waiting(std::move(call)); });
    ON_CALL(*this, report_failure).WillByDefault([this](const Error& error) { real->report_failure(error); });
    ON_CALL(*this, abort).WillByDefault([this](int code) { real->abort(code); });
  }
  MOCK_METHOD(int, rank, (), (const, override));
  MOCK_METHOD(int, size, (), (const, override));
  MOCK_METHOD(Host, host, (), (const, override));
  MOCK_METHOD(std::unique_ptr<Transfer>, send, (std::span<const std::byte>, int, int), (override));
  MOCK_METHOD(std::unique_ptr<Transfer>, receive, (std::span<std::byte>, int, int), (override));
  MOCK_METHOD(std::unique_ptr<Transfer>, combine, (std::span<std::byte>, Join), (override));
  MOCK_METHOD(void, broadcast, (std::span<std::byte>, int), (override));
  MOCK_METHOD(bool, done, (Transfer&), (override));
  MOCK_METHOD(void, wait, (Transfer&), (override));
  MOCK_METHOD(void, while_waiting, (std::function<void()>), (override));
  MOCK_METHOD(void, report_failure, (const Error&), (noexcept, override));
  MOCK_METHOD(void, abort, (int), (noexcept, override));  // what calls it does not go on: nor must an action

  std::unique_ptr<Communicator> real = one_process();  ///< what it does left alone; may be another
};

class MockProblem : public Problem {
 public:
  MockProblem() {
    ON_CALL(*this, finite).WillByDefault(::testing::Return(true));
    ON_CALL(*this, history_columns).WillByDefault([this] { return Problem::history_columns(); });
  }
  MOCK_METHOD(Estimate, estimate, (), (const, override));
  MOCK_METHOD(void, check, (), (const, override));
  MOCK_METHOD(void, set_up, (std::shared_ptr<Executor>), (override));
  MOCK_METHOD(Progress, advance, (), (override));
  MOCK_METHOD(bool, frame_at_start, (), (const, override));
  MOCK_METHOD(void, write, (FieldSink&), (const, override));
  MOCK_METHOD(void, sample, (FieldSink&), (const, override));
  MOCK_METHOD(bool, finite, (), (const, override));
  MOCK_METHOD(void, save, (CheckpointWriter&), (const, override));
  MOCK_METHOD(void, restore, (CheckpointReader&), (override));
  MOCK_METHOD(void, start_from, (CheckpointReader&, const Case&), (override));
  MOCK_METHOD(void, check_start, (CheckpointReader&, const Case&), (const, override));
  MOCK_METHOD(std::optional<Errors>, errors, (), (const, override));
  MOCK_METHOD(std::vector<KernelRow>, kernels, (), (const, override));
  MOCK_METHOD(std::uint64_t, launches, (), (const, override));
  MOCK_METHOD(std::vector<std::string>, history_columns, (), (const, override));
  MOCK_METHOD(std::vector<Figure>, figures, (), (const, override));
};

class MockFieldSink : public FieldSink {
 public:
  MOCK_METHOD(void, grid, (const GridField&), (override));
  MOCK_METHOD(void, vector, (const VectorValues&), (override));
  MOCK_METHOD(void, elements, (const ElementFields&), (override));
  MOCK_METHOD(void, elements_of_ranks, (const ElementsOfRanks&), (override));
  MOCK_METHOD(bool, in_pieces, (), (const, override));
  MOCK_METHOD(void, grid_in_pieces, (const GridPieces&), (override));
  MOCK_METHOD(void, series, (const Table&), (override));
  MOCK_METHOD(void, table, (const Table&), (override));
};

class MockCheckpointWriter : public CheckpointWriter {
 public:
  MOCK_METHOD(void, put, (const std::string&, std::span<const std::byte>), (override));
  MOCK_METHOD(void, put_parts, (const std::string&, std::uint64_t, WriteParts), (override));
};

class MockCheckpointReader : public CheckpointReader {
 public:
  MOCK_METHOD(void, get_part, (const std::string&, std::size_t, std::size_t, std::span<std::byte>), (override));
};

class MockClock : public Clock {
 public:
  MOCK_METHOD(double, seconds, (), (const, override));
};

}  // namespace quoin::testing
