#pragma once

// Where a problem runs: one device of one backend, its memory, queues and kernels.
// Backends implement these interfaces; the framework and its tests only ever see them.
//
// Lifetimes: an executor outlives all that it made. The host waits for all queues before it destroys memory, and for a
// queue before it destroys that, also where an error unwinds. Kernels and events may go with work under way, which is
// done nevertheless. What a call was given by reference is not used once it has returned. Destroying never throws.
//
// Threads: the objects of one executor are used by one thread at a time, which need not be the same always.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

/// The arithmetic type of a kernel. The value is the size of one element in bytes.
enum class Precision : std::int32_t { float32 = 4, float64 = 8 };

constexpr std::size_t element_size(Precision precision) { return static_cast<std::size_t>(precision); }

enum class DeviceKind : std::int32_t { cpu = 0, gpu = 1, accelerator = 2 };

enum class MemoryKind : std::int32_t {
  device = 0,         ///< the device's own memory; every backend has it
  pinned = 1,         ///< host memory that the device can copy from at full rate
  shared_coarse = 2,  ///< shared, coherent at queue synchronisation
  shared_fine = 3,    ///< shared, coherent at any time
  shared_atomic = 4,  ///< shared, coherent, with atomics across host and device
  zero_copy = 5,      ///< pages of the host that the device reads and writes where they are
};
constexpr std::array<std::string_view, 6> memory_kind_names{"device",      "pinned",        "shared_coarse",
                                                            "shared_fine", "shared_atomic", "zero_copy"};
constexpr std::string_view name_of(MemoryKind kind) { return memory_kind_names.at(static_cast<std::size_t>(kind)); }

struct DeviceInfo {
  std::string name;
  DeviceKind kind = DeviceKind::cpu;
  std::uint64_t memory_bytes = 0;  ///< all of its memory; 0 where unknown
  std::uint32_t units = 1;         ///< cores or compute units
  std::uint32_t subgroup = 1;      ///< lanes that run in lockstep
  double peak_bandwidth = 0.0;     ///< bytes a second by its data sheet; 0 where unknown
  std::vector<MemoryKind> memories{MemoryKind::device};
  std::vector<Precision> precisions{Precision::float64, Precision::float32};
  double error_bound = 0.0;  ///< 0: the same bits as every other backend; else the relative bound it is held to
  std::string note;          ///< what a user should know of it; may be empty
  std::string driver;        ///< version of the driver or runtime that it is reached through; may be empty
  std::string version;       ///< of the device: the standard or the instructions that it offers; may be empty
};

/// A named compile-time constant of a kernel, such as `rhs_array` = 1.
struct Constant {
  std::string name;
  std::int64_t value = 0;
};

/// Names one kernel of the catalogue in one precision with its compile-time constants.
struct KernelSpec {
  std::string name;
  Precision precision = Precision::float64;
  std::vector<Constant> constants;

  /// The constant of that name, or `fallback` where the specification does not give it.
  [[nodiscard]] std::int64_t constant(const std::string& wanted, std::int64_t fallback) const {
    for (const Constant& c : constants) {
      if (c.name == wanted) return c.value;
    }
    return fallback;
  }
};

/// A field that a problem is about to allocate: interior extent, element size, smallest ghost width.
struct FieldSpec {
  std::array<std::int64_t, 3> extent{1, 1, 1};  ///< interior nodes along x, y, z
  std::size_t element_bytes = 8;
  std::int64_t ghost = 0;  ///< layers of ghost nodes that the problem needs along x and y
};

/// How an executor wants a field stored. Rows run along x; element (i, j) of the interior lies
/// `origin + j * pitch + i` elements from the start, and ghosts are reached with negative indices.
struct Layout {
  std::int64_t ghost = 0;   ///< layers of ghost nodes, at least those asked for
  std::int64_t pitch = 0;   ///< elements from one row to the next
  std::int64_t origin = 0;  ///< elements from the start to interior node (0, 0)
  std::size_t bytes = 0;    ///< whole allocation
};

/// Rows whose interior starts on a boundary of `line` bytes, with a pitch away from multiples of 4096 bytes
/// so that neighbouring rows do not compete for one cache set.
inline Layout default_layout(const FieldSpec& spec, std::int64_t line = 64) {
  const auto size = static_cast<std::int64_t>(spec.element_bytes);
  const std::int64_t per_line = line / size;
  const auto round_up = [](std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; };
  const std::int64_t left = round_up(spec.ghost, per_line);
  std::int64_t pitch = round_up(left + spec.extent[0] + spec.ghost, per_line);
  if (pitch * size % 4096 == 0) pitch += per_line;
  const std::int64_t rows = spec.extent[1] * spec.extent[2] + 2 * spec.ghost;
  return {spec.ghost, pitch, spec.ghost * pitch + left, static_cast<std::size_t>(rows * pitch * size)};
}

/// The half-open index range [lower, upper) that a launch covers, in the local indices of this rank.
/// `origin` is the global index of local node (0, 0, 0). The blocks of the reduction tree are those of the global grid:
/// a launch that sums them begins where one begins, so that any number of ranks adds in the same order.
struct Box {
  std::array<std::int64_t, 3> lower{0, 0, 0};
  std::array<std::int64_t, 3> upper{1, 1, 1};
  std::array<std::int64_t, 3> origin{0, 0, 0};

  static Box line(std::int64_t n) { return {{0, 0, 0}, {n, 1, 1}, {0, 0, 0}}; }
  static Box plane(std::int64_t nx, std::int64_t ny) { return {{0, 0, 0}, {nx, ny, 1}, {0, 0, 0}}; }
  [[nodiscard]] std::int64_t extent(std::size_t axis) const {
    return upper[axis] > lower[axis] ? upper[axis] - lower[axis] : 0;
  }
  [[nodiscard]] std::int64_t points() const { return extent(0) * extent(1) * extent(2); }
};

/// Memory of a device. It is a handle: the host copies through a queue, and looks inside only where it may.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual MemoryKind kind() const = 0;
  /// Where the host has it, as long as it lives; null where only the device has. While work that uses it is under way,
  /// the host leaves it alone.
  [[nodiscard]] virtual std::byte* on_host() { return nullptr; }
};

/// One argument of a launch, in the order that the catalogue gives.
struct Argument {
  enum class Kind : std::int32_t { buffer = 0, real = 1, integer = 2 };
  Kind kind = Kind::integer;
  Memory* memory = nullptr;  ///< buffer: the memory, or null for an absent optional one
  std::size_t offset = 0;    ///< buffer: bytes from its start to element (0, 0)
  std::int64_t pitch = 0;    ///< buffer: elements from one row to the next; 0 for a plain array
  double real_value = 0.0;   ///< real: rounded to the kernel's precision at launch
  std::int64_t integer_value = 0;

  static Argument buffer(Memory& memory, std::size_t offset = 0, std::int64_t pitch = 0) {
    return {Kind::buffer, &memory, offset, pitch, 0.0, 0};
  }
  static Argument absent() { return {Kind::buffer, nullptr, 0, 0, 0.0, 0}; }
  static Argument real(double value) { return {Kind::real, nullptr, 0, 0, value, 0}; }
  static Argument integer(std::int64_t value) { return {Kind::integer, nullptr, 0, 0, 0.0, value}; }
};

/// Compulsory memory traffic and arithmetic of one launch.
struct Cost {
  double bytes = 0.0;
  double flops = 0.0;
};

/// A point in a queue's work. It is made once and recorded any number of times.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event() = default;
  /// Seconds of device time from `earlier` to this one; waits until both have happened.
  [[nodiscard]] virtual double seconds_since(const Event& earlier) const = 0;
};

/// Launches that were recorded once, to be submitted together any number of times.
class Sequence {
 public:
  Sequence() = default;
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  virtual ~Sequence() = default;
};

/// Work of a device, done in the order in which it was given.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;
  /// Copies after all earlier work; returns once `source` may be reused.
  virtual void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) = 0;
  /// Copies after all earlier work; returns once `target` holds the data.
  virtual void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) = 0;
  /// Lends bytes of `memory` to the host, after all earlier work and until unmap(), before which nothing else uses the
  /// memory: their address, or null where the host cannot look into it and has to copy.
  virtual std::byte* map(Memory& /*memory*/, std::size_t /*offset*/, std::size_t /*bytes*/) { return nullptr; }
  /// `address`: as map() gave it.
  virtual void unmap(Memory& /*memory*/, std::byte* /*address*/) {}
  virtual void record(Event& event) = 0;
  /// Later work of this queue starts after `event`, which may belong to another queue.
  virtual void wait(const Event& event) = 0;
  /// Waits for all work; reports errors of earlier asynchronous work as quoin::Error.
  virtual void synchronize() = 0;
  /// Records the launches from here to end_sequence() and runs none of them; nothing else may be asked of the queue
  /// meanwhile. False where the backend cannot do that.
  virtual bool begin_sequence() { return false; }
  /// What was recorded. The kernels and memories of its launches must outlive it.
  virtual std::unique_ptr<Sequence> end_sequence() { return nullptr; }
  /// Does the same, after all earlier work, as its launches one by one. `sequence` is of this queue.
  virtual void run_sequence(Sequence& /*sequence*/) {}
  /// Kernel launches that the device's own interface accepted from this queue, those of sequences by each run.
  [[nodiscard]] virtual std::uint64_t launches() const = 0;
};

class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;
  virtual void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) = 0;
  [[nodiscard]] virtual Cost cost(const Box& box) const = 0;
};

/// Bytes that the host has copied by the queues of an executor.
struct Copied {
  std::uint64_t to_device = 0;
  std::uint64_t from_device = 0;
  double seconds_to_device = 0.0;  ///< in calls that copy there
};

/// One device of one backend, in use.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;
  [[nodiscard]] virtual const DeviceInfo& device() const = 0;
  [[nodiscard]] virtual bool supports(const KernelSpec& spec) const = 0;
  [[nodiscard]] virtual Layout layout(const FieldSpec& spec) const = 0;
  /// Bytes that are uninitialised; throws ErrorKind::device naming the bytes asked for and free.
  virtual std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) = 0;
  virtual std::unique_ptr<Queue> queue() = 0;
  virtual std::unique_ptr<Event> event() = 0;
  virtual std::unique_ptr<Kernel> kernel(const KernelSpec& spec) = 0;
  /// Since it was made; backends leave the count to the host.
  [[nodiscard]] virtual Copied copied() const { return {}; }
};

}  // namespace quoin
