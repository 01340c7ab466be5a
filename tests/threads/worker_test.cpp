// The example of an asynchronous device, plugins/worker: what it promises while its threads still work. Its kernels
// stop at a gate here, so that each test chooses how far they are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "plugins/worker/executor.hpp"

namespace {

using quoin::Argument;
using quoin::Box;
using quoin::Precision;
using testing::HasSubstr;

std::atomic<bool> gate{true};

void close_gate() { gate = false; }
void open_gate() {
  gate = true;
  gate.notify_all();
}

/// stream_copy copies and stream_triad fails, both behind the gate.
void gated(const quoin::Variant& variant, const quoin::kernels::Range& range, const quoin::kernels::Resolved* a) {
  gate.wait(false);
  if (variant.id == quoin::KernelId::stream_triad) throw std::runtime_error("the wheels came off");
  for (std::int64_t i = range.i0; i < range.i1; ++i)
    static_cast<double*>(a[1].data)[i] = static_cast<const double*>(a[0].data)[i];
}

class Worker : public testing::Test {
 protected:
  static constexpr std::int64_t count = 100;
  static constexpr std::size_t bytes = count * sizeof(double);
  using Array = std::vector<double>;

  Worker() { open_gate(); }
  ~Worker() override { open_gate(); }

  static worker::DeviceExecutor small_device() {
    quoin::DeviceInfo info;
    info.name = "four arrays";
    info.memory_bytes = 4 * bytes;
    return {info, gated};
  }
  std::unique_ptr<quoin::Memory> allocate() { return executor.allocate(bytes, quoin::MemoryKind::device); }
  static void put(quoin::Queue& by, quoin::Memory& memory, const Array& values) {
    by.copy_in(memory, 0, std::as_bytes(std::span(values)));
  }
  static Array get(quoin::Queue& by, const quoin::Memory& memory) {
    Array values(count);
    by.copy_out(std::as_writable_bytes(std::span(values)), memory, 0);
    return values;
  }
  void copy(quoin::Queue& by, quoin::Memory& from, quoin::Memory& to) {
    const Argument arguments[] = {Argument::buffer(from), Argument::buffer(to)};
    executor.kernel({"stream_copy", Precision::float64, {}})->launch(by, Box::line(count), arguments);
  }
  void fail(quoin::Queue& by, quoin::Memory& any) {
    const Argument arguments[] = {Argument::buffer(any), Argument::buffer(any), Argument::buffer(any),
                                  Argument::real(0)};
    executor.kernel({"stream_triad", Precision::float64, {}})->launch(by, Box::line(count), arguments);
  }
  template <class Body>
  static std::string refusal(const Body& body) {
    try {
      body();
    } catch (const quoin::Error& error) {
      EXPECT_EQ(error.kind(), quoin::ErrorKind::device);
      EXPECT_EQ(error.where(), "four arrays");
      return error.what();
    }
    return "no error";
  }

  worker::DeviceExecutor executor = small_device();
  std::unique_ptr<quoin::Queue> queue = executor.queue();
  std::unique_ptr<quoin::Queue> other = executor.queue();
  std::unique_ptr<quoin::Event> first = executor.event();
  std::unique_ptr<quoin::Event> last = executor.event();
  std::unique_ptr<quoin::Memory> a = allocate();
  std::unique_ptr<quoin::Memory> b = allocate();
};

TEST_F(Worker, GivesWorkAndReturns) {
  close_gate();
  Array source(count, 1.5);
  put(*queue, *a, source);
  copy(*queue, *a, *b);
  source.assign(count, 7);
  EXPECT_EQ(queue->launches(), 1U);  // none of them is done
  open_gate();
  EXPECT_EQ(get(*queue, *b), Array(count, 1.5));
}

TEST_F(Worker, SynchronizeWaits) {
  put(*queue, *a, Array(count, 1.5));
  close_gate();
  copy(*queue, *a, *b);
  std::thread opens([] { open_gate(); });
  queue->synchronize();
  EXPECT_TRUE(gate);
  EXPECT_EQ(get(*other, *b), Array(count, 1.5));
  opens.join();
}

TEST_F(Worker, TimesTheWorkAndNotTheCalls) {
  put(*queue, *a, Array(count, 1.5));
  queue->record(*first);
  queue->synchronize();
  close_gate();
  const auto before = worker::Clock::now();
  copy(*queue, *a, *b);
  queue->record(*last);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto after = worker::Clock::now();
  open_gate();
  EXPECT_GE(last->seconds_since(*first), std::chrono::duration<double>(after - before).count());
}

TEST_F(Worker, WaitsForTheEventAsItWasRecordedLast) {
  put(*queue, *a, Array(count, 1.5));
  put(*queue, *b, Array(count, 0));
  queue->record(*first);
  close_gate();
  copy(*queue, *a, *b);
  queue->record(*first);
  other->wait(*first);
  const auto c = allocate();
  copy(*other, *b, *c);
  other->record(*last);
  queue->wait(*last);
  put(*queue, *b, Array(count, 0));
  queue->record(*first);  // anew, and away, while the other queue waits
  first.reset();
  open_gate();
  EXPECT_EQ(get(*other, *c), Array(count, 1.5));
  EXPECT_EQ(get(*queue, *b), Array(count, 0));
}

TEST_F(Worker, KeepsMemoryWhileWorkUsesIt) {
  put(*queue, *a, Array(count, 1.5));
  const auto c = allocate();
  auto d = allocate();
  close_gate();
  copy(*queue, *a, *d);
  copy(*queue, *d, *b);
  d.reset();
  EXPECT_EQ(refusal([&] { allocate(); }), "out of memory: 800 bytes asked for, 0 bytes free");
  open_gate();
  EXPECT_EQ(get(*queue, *b), Array(count, 1.5));
  EXPECT_NE(allocate(), nullptr);  // whoever has waited finds it free
}

TEST_F(Worker, DoesItsWorkBeforeAQueueGoes) {
  put(*queue, *a, Array(count, 1.5));
  close_gate();
  copy(*queue, *a, *b);
  queue->record(*first);
  other->wait(*first);
  std::thread opens([] { open_gate(); });
  queue.reset();
  EXPECT_EQ(get(*other, *b), Array(count, 1.5));
  opens.join();
}

TEST_F(Worker, TellsOfAnErrorWhereTheHostWaits) {
  const std::string told = "kernel stream_triad failed: the wheels came off";
  put(*queue, *a, Array(count, 1.5));
  put(*queue, *b, Array(count, 0));
  queue->record(*first);
  close_gate();
  fail(*queue, *a);
  copy(*queue, *a, *b);
  queue->record(*last);
  open_gate();
  EXPECT_EQ(refusal([&] { queue->synchronize(); }), told);
  EXPECT_EQ(refusal([&] { queue->synchronize(); }), told);
  EXPECT_EQ(refusal([&] { get(*queue, *b); }), told);
  EXPECT_EQ(refusal([&] { static_cast<void>(last->seconds_since(*first)); }), told);
  EXPECT_EQ(get(*other, *b), Array(count, 0));  // nothing was done after it, and others go on
  other->wait(*last);
  EXPECT_EQ(refusal([&] { other->synchronize(); }), told);
}

TEST_F(Worker, DestroysAQueueWhoseErrorNobodyAskedFor) {
  fail(*queue, *a);
  queue->record(*first);
  queue.reset();
  EXPECT_EQ(get(*other, *a).size(), Array::size_type{count});
}

TEST_F(Worker, RefusesMemoryThatItHasNot) {
  EXPECT_EQ(refusal([&] { executor.allocate(2048, quoin::MemoryKind::device); }),
            "out of memory: 2.0 KiB asked for, 1.6 KiB free");
  EXPECT_THAT(refusal([&] { executor.allocate(8, quoin::MemoryKind::pinned); }), HasSubstr("no memory but its own"));
}

TEST_F(Worker, ManyLaunchesInTurnOnTwoQueues) {
  put(*queue, *a, Array(count, 1.5));
  queue->record(*last);
  for (int k = 0; k < 1000; ++k) {
    other->wait(*last);
    copy(*other, *a, *b);
    other->record(*first);
    queue->wait(*first);
    put(*queue, *a, Array(count, k));
    queue->record(*last);
  }
  EXPECT_EQ(get(*other, *b), Array(count, 998));
  EXPECT_EQ(other->launches(), 1000U);
}

}  // namespace
