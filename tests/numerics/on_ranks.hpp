#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "numerics/device.hpp"
#include "quoin/problem.hpp"
#include "quoin/testing/thread_ranks.hpp"

namespace quoin::test {

inline std::shared_ptr<Executor> own_executor() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return another_executor();
}

/// Another device, as far as fields go: its rows lie `spacing` elements farther apart. Counts what it has given.
class OtherExecutor final : public Executor {
 public:
  OtherExecutor(std::shared_ptr<Executor> inner, std::int64_t spacing) : inner_(std::move(inner)), spacing_(spacing) {}
  [[nodiscard]] std::size_t allocated() const { return allocated_; }
  [[nodiscard]] const DeviceInfo& device() const override { return inner_->device(); }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override { return inner_->supports(spec); }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override {
    if (spacing_ == 0) return inner_->layout(spec);
    return default_layout(
        {{spec.extent[0] + spacing_, spec.extent[1], spec.extent[2]}, spec.element_bytes, spec.ghost});
  }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    if (kind == MemoryKind::device) allocated_ += bytes;
    return inner_->allocate(bytes, kind);
  }
  std::unique_ptr<Queue> queue() override { return inner_->queue(); }
  std::unique_ptr<Event> event() override { return inner_->event(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override { return inner_->kernel(spec); }

 private:
  std::shared_ptr<Executor> inner_;
  std::int64_t spacing_;
  std::size_t allocated_ = 0;
};

/// What the ranks take of their devices lies below what was said of the one with the most, and not far.
template <class Make>
void expect_fitting_estimate(int ranks, const Make& make, double slack) {
  std::mutex mutex;
  double most = 0.0;
  testing::run_ranks(ranks, [&](Communicator& communicator) {
    const auto counting = std::make_shared<OtherExecutor>(own_executor(), 0);
    auto problem = make();
    problem->set_up_part(counting, communicator);
    if (communicator.rank() > 0) problem->follow();
    const std::lock_guard lock(mutex);
    most = std::max(most, static_cast<double>(counting->allocated()));
  });
  const double said = make()->estimate_part(ranks).device;
  EXPECT_GE(said, most);
  EXPECT_LE(said, slack * most);
}

/// Sets the problem up that make() gives, on each of so many ranks; the first one calls lead(problem) then, and the
/// others follow. `mixed`: every second rank has a device of another kind.
template <class Make, class Lead>
void on_ranks(int ranks, const Make& make, const Lead& lead, bool mixed = false) {
  testing::run_ranks(ranks, [&](Communicator& communicator) {
    auto problem = make();
    std::shared_ptr<Executor> executor = own_executor();
    if (mixed && communicator.rank() % 2 == 1) executor = std::make_shared<OtherExecutor>(executor, 40);
    problem->set_up_part(executor, communicator);
    communicator.rank() == 0 ? lead(*problem) : problem->follow();
  });
}

}  // namespace quoin::test
