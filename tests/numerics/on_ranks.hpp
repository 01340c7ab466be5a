#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "device.hpp"
#include "quoin/problem.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin::test {

inline std::shared_ptr<Executor> own_executor() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return another_executor();
}

/// Another device, as far as fields go: its rows lie farther apart.
class SpacedExecutor final : public Executor {
 public:
  explicit SpacedExecutor(std::shared_ptr<Executor> inner) : inner_(std::move(inner)) {}
  [[nodiscard]] const DeviceInfo& device() const override { return inner_->device(); }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override { return inner_->supports(spec); }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override {
    return default_layout({{spec.extent[0] + 40, spec.extent[1], spec.extent[2]}, spec.element_bytes, spec.ghost}, 128);
  }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return inner_->allocate(bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return inner_->queue(); }
  std::unique_ptr<Event> event() override { return inner_->event(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override { return inner_->kernel(spec); }

 private:
  std::shared_ptr<Executor> inner_;
};

/// Sets the problem up that make() gives, on each of so many ranks; the first one calls lead(problem) then, and the
/// others follow. `mixed`: every second rank has a device of another kind.
template <class Make, class Lead>
void on_ranks(int ranks, const Make& make, const Lead& lead, bool mixed = false) {
  testing::run_ranks(ranks, [&](Communicator& communicator) {
    auto problem = make();
    std::shared_ptr<Executor> executor = own_executor();
    if (mixed && communicator.rank() % 2 == 1) executor = std::make_shared<SpacedExecutor>(executor);
    problem->set_up_part(executor, communicator);
    communicator.rank() == 0 ? lead(*problem) : problem->follow();
  });
}

}  // namespace quoin::test
