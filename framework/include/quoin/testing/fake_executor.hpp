#pragma once

// A device in the memory of the test, for tests of what runs on devices. It does everything at once, every kernel is
// there, and a launch does what the test says. Of the CMake target Quoin::testing.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace quoin::testing {

/// Its bytes are all ones, a nan in each number, until they are written.
class FakeMemory final : public Memory {
 public:
  explicit FakeMemory(std::size_t bytes, MemoryKind kind = MemoryKind::device)
      : data_(bytes, std::byte{0xff}), kind_(kind) {}
  [[nodiscard]] std::size_t bytes() const override { return data_.size(); }
  [[nodiscard]] MemoryKind kind() const override { return kind_; }
  [[nodiscard]] std::byte* on_host() override { return kind_ == MemoryKind::pinned ? data_.data() : nullptr; }

  /// `count` bytes from `offset`. Throws ErrorKind::bug for memory of another device, and where they do not lie inside.
  static std::span<std::byte> of(const Memory& memory, std::size_t offset, std::size_t count) {
    auto* own = dynamic_cast<FakeMemory*>(&const_cast<Memory&>(memory));
    if (own == nullptr) throw Error(ErrorKind::bug, "a copy from or to memory of another device");
    if (offset > own->bytes() || count > own->bytes() - offset)
      throw Error(ErrorKind::bug, "a copy of " + std::to_string(count) + " bytes at " + std::to_string(offset) +
                                      " of memory of " + std::to_string(own->bytes()));
    return std::span(own->data_).subspan(offset, count);
  }
  static void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) {
    std::ranges::copy(source, of(target, offset, source.size()).begin());
  }
  static void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) {
    std::ranges::copy(of(source, offset, target.size()), target.begin());
  }

 private:
  std::vector<std::byte> data_;
  MemoryKind kind_;
};

/// Element (0, 0) of a launch's array; its ghosts lie at negative indices. Throws ErrorKind::bug where there is none.
template <class T>
T* elements(const Argument& argument) {
  if (argument.memory == nullptr) throw Error(ErrorKind::bug, "the argument of the launch is no array, or is absent");
  return reinterpret_cast<T*>(FakeMemory::of(*argument.memory, argument.offset, 0).data());
}

struct FakeEvent final : Event {
  [[nodiscard]] double seconds_since(const Event& earlier) const override {
    return at - dynamic_cast<const FakeEvent&>(earlier).at;
  }
  double at = 0.0;
};

/// What a device was asked to do.
struct Launch {
  KernelSpec kernel;
  Box box;
  std::vector<Argument> arguments;
};

/// Its clock stands still but for launches.
class FakeExecutor : public Executor {
 public:
  FakeExecutor() {
    info.name = "fake device";
    info.memory_bytes = 1 << 20;  // little, so that nothing measured on it takes long
  }

  /// What each launch of the kernel of that name does; nothing without it.
  void define(const std::string& kernel, std::function<void(const Launch&)> body) { bodies_[kernel] = std::move(body); }

  [[nodiscard]] const DeviceInfo& device() const override { return info; }
  [[nodiscard]] bool supports(const KernelSpec& /*spec*/) const override { return true; }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return default_layout(spec); }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return std::make_unique<FakeMemory>(bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<OwnQueue>(*this); }
  std::unique_ptr<Event> event() override { return std::make_unique<FakeEvent>(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override { return std::make_unique<OwnKernel>(*this, spec); }

  DeviceInfo info;
  std::vector<Launch> launches;  ///< of all queues, in order
  double now = 0.0;              ///< seconds of the device's clock
  double launch_seconds = 1e-6;  ///< that a launch takes
  Cost launch_cost;              ///< of each launch

 private:
  class OwnQueue final : public Queue {
   public:
    explicit OwnQueue(const FakeExecutor& device) : device_(device) {}
    void copy_in(Memory& target, std::size_t offset, std::span<const std::byte> source) override {
      FakeMemory::copy_in(target, offset, source);
    }
    void copy_out(std::span<std::byte> target, const Memory& source, std::size_t offset) override {
      FakeMemory::copy_out(target, source, offset);
    }
    void record(Event& event) override { dynamic_cast<FakeEvent&>(event).at = device_.now; }
    void wait(const Event& /*event*/) override {}
    void synchronize() override {}
    [[nodiscard]] std::uint64_t launches() const override { return count; }
    std::uint64_t count = 0;

   private:
    const FakeExecutor& device_;
  };

  class OwnKernel final : public Kernel {
   public:
    OwnKernel(FakeExecutor& device, KernelSpec spec) : device_(device), spec_(std::move(spec)) {}
    void launch(Queue& queue, const Box& box, std::span<const Argument> arguments) override {
      const Launch launch{spec_, box, {arguments.begin(), arguments.end()}};
      device_.launches.push_back(launch);
      device_.now += device_.launch_seconds;
      if (auto* own = dynamic_cast<OwnQueue*>(&queue)) ++own->count;  // a mock counts by itself
      const auto body = device_.bodies_.find(spec_.name);
      if (body != device_.bodies_.end()) body->second(launch);
    }
    [[nodiscard]] Cost cost(const Box& /*box*/) const override { return device_.launch_cost; }

   private:
    FakeExecutor& device_;
    KernelSpec spec_;
  };

  std::map<std::string, std::function<void(const Launch&)>> bodies_;
};

}  // namespace quoin::testing
