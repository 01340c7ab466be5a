#pragma once

// For backends whose device is the host's own processor: memory, a queue that works at once, and a
// kernel that hands resolved arguments to a function. Such a backend adds only its skeleton.

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/launch.hpp"
#include "quoin/bytes.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"
#include "quoin/plugin_abi.h"

namespace quoin {

class HostMemory : public Memory {
 public:
  HostMemory(std::size_t bytes, MemoryKind kind) : bytes_(bytes), kind_(kind) {
    // Kernels read many rows of arrays at once, each in its own page: huge pages avoid most TLB misses.
    constexpr std::size_t large_page = std::size_t{2} << 20U;
    const std::size_t page = bytes < 2 * large_page ? small_page : large_page;
    const std::size_t whole = (bytes + small_page + page - 1) / page * page;
    if (whole < bytes || posix_memalign(&data_, page, whole) != 0) {
      struct sysinfo info {};
      sysinfo(&info);
      throw Error(ErrorKind::device,
                  "out of memory: " + in_bytes(static_cast<double>(bytes)) + " asked for, " +
                      in_bytes(static_cast<double>(info.freeram) * static_cast<double>(info.mem_unit)) + " free");
    }
    if (page == large_page) madvise(data_, whole, MADV_HUGEPAGE);  // a hint: without large pages all works as before
  }
  ~HostMemory() override { std::free(data_); }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] std::byte* on_host() override { return data(); }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_) + apart_; }

 private:
  static constexpr std::size_t small_page = 4096;
  /// A processor takes a load for one of what has just been stored where both lie equally far into their pages, and
  /// waits: the same element of successive arrays must not.
  static std::size_t next_apart() {
    static std::atomic<std::size_t> count{0};
    return count++ % 8 * (small_page / 8);
  }

  std::size_t apart_ = next_apart();
  void* data_ = nullptr;
  std::size_t bytes_;
  MemoryKind kind_;
};

class HostEvent : public Event {
 public:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    return std::chrono::duration<double>(when - static_cast<const HostEvent&>(earlier).when).count();
  }
  Clock::time_point when{};
};

struct HostSequence : Sequence {
  std::vector<std::function<void()>> launches;
};

/// Does everything at once, so there is never anything to wait for.
class HostQueue : public Queue {
 public:
  HostQueue() = default;
  /// `records`: whether it has sequences, of HostKernels alone.
  explicit HostQueue(bool records) : records_(records) {}
  void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    if (!source.empty()) std::memcpy(static_cast<HostMemory&>(target).data() + offset, source.data(), source.size());
  }
  void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) override {
    if (!target.empty())
      std::memcpy(target.data(), static_cast<const HostMemory&>(source).data() + offset, target.size());
  }
  std::byte* map(Memory& memory, std::size_t offset, std::size_t /*bytes*/) override {
    return static_cast<HostMemory&>(memory).data() + offset;
  }
  void record(Event& event) override { static_cast<HostEvent&>(event).when = HostEvent::Clock::now(); }
  void wait(const Event&) override {}
  void synchronize() override {}
  [[nodiscard]] std::uint64_t launches() const override { return launches_; }
  bool begin_sequence() override {
    if (records_) recorded_ = std::make_unique<HostSequence>();
    return records_;
  }
  std::unique_ptr<Sequence> end_sequence() override { return std::move(recorded_); }
  void run_sequence(Sequence& sequence) override {
    for (const auto& launch : static_cast<HostSequence&>(sequence).launches) {
      launch();
      count_launch();
    }
  }
  /// Where launches go instead of being run; null where they are run.
  [[nodiscard]] HostSequence* recorded() const { return recorded_.get(); }
  void count_launch() { ++launches_; }

 private:
  bool records_ = false;
  std::unique_ptr<HostSequence> recorded_;
  std::uint64_t launches_ = 0;
};

/// A catalogue kernel in one precision, run by `Function`, which load() calls for no points.
class HostKernel : public Kernel {
 public:
  using Function = std::function<void(const Variant&, const kernels::Range&, const kernels::Resolved*)>;

  HostKernel(KernelSpec spec, Function function)
      : spec_(std::move(spec)), variant_(variant_of(spec_)), function_(std::move(function)) {}

  /// Calls the function for no points, as a launch that has been stopped. The system maps a page of code where it is
  /// first met, which takes longer than a small kernel.
  void load() const {
    std::int64_t stopped[8] = {1};
    kernels::Resolved arguments[QUOIN_MOST_ARGUMENTS];
    std::ranges::fill(arguments, kernels::Resolved{stopped, 1, 1.0, 1});
    run({}, arguments);
  }

  void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
    require_arguments(entry_of(variant_.id), arguments);
    kernels::Resolved resolved[QUOIN_MOST_ARGUMENTS] = {};
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const Argument& a = arguments[k];
      std::byte* data = a.memory == nullptr ? nullptr : static_cast<HostMemory*>(a.memory)->data() + a.offset;
      resolved[k] = {data, a.pitch, a.real_value, a.integer_value};
    }
    const kernels::Range range{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
    const bool empty = box.points() == 0;
    auto& own_queue = static_cast<HostQueue&>(queue);
    if (HostSequence* const sequence = own_queue.recorded()) {
      sequence->launches.emplace_back([this, empty, range, all = std::vector(resolved, resolved + arguments.size())] {
        if (!empty) run(range, all.data());
      });
      return;
    }
    if (!empty) run(range, resolved);
    own_queue.count_launch();
  }
  [[nodiscard]] Cost cost(const Box& box) const override { return catalogue_cost(spec_, box); }

 protected:
  virtual void run(const kernels::Range& range, const kernels::Resolved* arguments) const {
    function_(variant_, range, arguments);
  }

 private:
  KernelSpec spec_;
  Variant variant_;
  Function function_;
};

/// All of an executor but the kernels' function. `deepest`, `by_rows`: the sweeps that a pass of it can hold.
class HostExecutor : public Executor {
 public:
  HostExecutor(DeviceInfo device, HostKernel::Function function, std::int64_t deepest = 1, std::int64_t by_rows = 1)
      : device_(std::move(device)), function_(std::move(function)), deepest_(deepest), by_rows_(by_rows) {}
  [[nodiscard]] const DeviceInfo& device() const override { return device_; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    return in_catalogue(spec) && pass_holds(deepest_, by_rows_, spec);
  }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return default_layout(spec); }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return std::make_unique<HostMemory>(bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<HostQueue>(true); }
  std::unique_ptr<Event> event() override { return std::make_unique<HostEvent>(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    if (!supports(spec)) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'", device_.name);
    auto made = std::make_unique<HostKernel>(spec, function_);
    made->load();
    return made;
  }

 private:
  DeviceInfo device_;
  HostKernel::Function function_;
  std::int64_t deepest_, by_rows_;
};

/// Whether the host's processor has the instructions of x86-64-v4.
inline bool host_has_v4() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

/// The name of the host's processor and its memory.
inline DeviceInfo host_device(const std::string& name) {
  DeviceInfo info;
  info.name = name;
  struct sysinfo system {};
  if (sysinfo(&system) == 0) info.memory_bytes = system.totalram * system.mem_unit;
  info.units = static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  info.memories = {MemoryKind::device,      MemoryKind::pinned,        MemoryKind::shared_coarse,
                   MemoryKind::shared_fine, MemoryKind::shared_atomic, MemoryKind::zero_copy};  // all the same there
  return info;
}

}  // namespace quoin
