#pragma once

// Kernels, and the executor that makes all of them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/launch.hpp"
#include "queue.hpp"
#include "quoin/catalogue.hpp"

namespace worker {

/// Runs a kernel of the catalogue over a range, on the device.
using Run = void (*)(const quoin::Variant&, const quoin::kernels::Range&, const quoin::kernels::Resolved*);

class DeviceKernel : public quoin::Kernel {
 public:
  DeviceKernel(quoin::KernelSpec spec, Run run)
      : spec_(std::move(spec)), variant_(quoin::variant_of(spec_)), run_(run) {}

  /// Gives the queue copies of all: neither the kernel nor `arguments` need to live until the launch is done.
  void launch(quoin::Queue& queue, const quoin::Box& box, std::span<const quoin::Argument> arguments) override {
    quoin::require_arguments(quoin::entry_of(variant_.id), arguments);
    if (box.points() == 0) return;
    std::vector<quoin::kernels::Resolved> resolved;
    std::vector<Piece> pieces;
    for (const quoin::Argument& a : arguments) {
      std::byte* data = nullptr;
      if (a.memory != nullptr) {
        pieces.push_back(static_cast<DeviceMemory*>(a.memory)->piece());
        data = pieces.back().get() + a.offset;
      }
      resolved.push_back({data, a.pitch, a.real_value, a.integer_value});
    }
    const quoin::kernels::Range range{box.lower[0], box.upper[0], box.lower[1], box.upper[1]};
    auto work = [run = run_, variant = variant_, range, resolved = std::move(resolved), pieces = std::move(pieces)] {
      run(variant, range, resolved.data());
    };
    static_cast<DeviceQueue&>(queue).launch("kernel " + spec_.name, std::move(work));
  }
  [[nodiscard]] quoin::Cost cost(const quoin::Box& box) const override { return quoin::catalogue_cost(spec_, box); }

 private:
  quoin::KernelSpec spec_;
  quoin::Variant variant_;
  Run run_;
};

/// Lives longer than all that it makes.
class DeviceExecutor : public quoin::Executor {
 public:
  DeviceExecutor(quoin::DeviceInfo device, Run run)
      : device_(std::move(device)), run_(run), pool_(device_.memory_bytes, device_.name) {}
  [[nodiscard]] const quoin::DeviceInfo& device() const override { return device_; }
  [[nodiscard]] bool supports(const quoin::KernelSpec& spec) const override {
    return quoin::in_catalogue(spec) && quoin::pass_holds(1, spec);
  }
  [[nodiscard]] quoin::Layout layout(const quoin::FieldSpec& spec) const override {
    return quoin::default_layout(spec);
  }
  std::unique_ptr<quoin::Memory> allocate(std::size_t bytes, quoin::MemoryKind kind) override {
    if (kind != quoin::MemoryKind::device) fail("this device has no memory but its own");
    return std::make_unique<DeviceMemory>(pool_, bytes);
  }
  std::unique_ptr<quoin::Queue> queue() override {
    try {
      return std::make_unique<DeviceQueue>(device_.name);
    } catch (const std::system_error& error) {
      fail(std::string("the thread of a queue cannot be started: ") + error.what());
    }
  }
  std::unique_ptr<quoin::Event> event() override { return std::make_unique<DeviceEvent>(); }
  std::unique_ptr<quoin::Kernel> kernel(const quoin::KernelSpec& spec) override {
    if (!supports(spec)) fail("no kernel named '" + spec.name + "'");
    return std::make_unique<DeviceKernel>(spec, run_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw quoin::Error(quoin::ErrorKind::device, message, device_.name);
  }

  quoin::DeviceInfo device_;
  Run run_;
  Pool pool_;
};

}  // namespace worker
