#pragma once

#include <memory>
#include <utility>

#include "kernel.hpp"
#include "memory.hpp"
#include "queue.hpp"
#include "quoin/executor.hpp"

namespace quoin::check {

/// An executor on the host that finds mistakes of the framework and of kernels; each is an ErrorKind::bug
/// whose message names the kernel and the argument, or the copy.
class CheckedExecutor : public Executor {
 public:
  /// With `deferred`, queues work only when somebody waits.
  CheckedExecutor(DeviceInfo device, Function function, bool deferred)
      : device_(std::move(device)), function_(std::move(function)), deferred_(deferred) {}
  [[nodiscard]] const DeviceInfo& device() const override { return device_; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override {
    return in_catalogue(spec) && pass_holds(1, spec);
  }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return default_layout(spec); }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return std::make_unique<CheckedMemory>(ledger_, bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return std::make_unique<CheckedQueue>(ledger_, deferred_); }
  std::unique_ptr<Event> event() override { return std::make_unique<CheckedEvent>(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override {
    return std::make_unique<CheckedKernel>(spec, function_);
  }

 private:
  DeviceInfo device_;
  Function function_;
  bool deferred_;
  std::shared_ptr<Ledger> ledger_ = std::make_shared<Ledger>();
};

}  // namespace quoin::check
