#include "device/arrays_in.hpp"

#include <string>
#include <utility>

#include "quoin/memory_kinds.hpp"

namespace quoin {
namespace {

class ArraysIn final : public Executor {
 public:
  ArraysIn(MemoryKind kind, std::shared_ptr<Executor> inner)
      : kind_(kind), inner_(std::move(inner)), device_(inner_->device()) {
    device_.name += ", arrays in " + std::string(name_of(kind)) + " memory";
  }
  [[nodiscard]] const DeviceInfo& device() const override { return device_; }
  [[nodiscard]] bool supports(const KernelSpec& spec) const override { return inner_->supports(spec); }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override { return inner_->layout(spec); }
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override {
    return inner_->allocate(bytes, kind == MemoryKind::device ? kind_ : kind);
  }
  std::unique_ptr<Queue> queue() override { return inner_->queue(); }
  std::unique_ptr<Event> event() override { return inner_->event(); }
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override { return inner_->kernel(spec); }
  [[nodiscard]] Copied copied() const override { return inner_->copied(); }

 private:
  MemoryKind kind_;
  std::shared_ptr<Executor> inner_;
  DeviceInfo device_;
};

}  // namespace

std::shared_ptr<Executor> with_arrays_in(MemoryKind kind, std::shared_ptr<Executor> executor) {
  require_memory_kind(executor->device(), kind);
  if (kind == MemoryKind::device) return executor;
  return std::make_shared<ArraysIn>(kind, std::move(executor));
}

}  // namespace quoin
