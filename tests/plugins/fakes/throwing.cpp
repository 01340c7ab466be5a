// A backend whose every method throws where it is told to: through the option `in` of its executor, or always in
// devices() where FAKE_DEVICES_THROW is defined. The option `what` chooses what is thrown.

#include <stdexcept>

#include "quoin/plugin.hpp"

namespace {

using namespace quoin;

struct Fault {
  std::string in;
  std::string what;

  void at(const std::string& method) const {
    if (in != method) return;
    if (what == "integer") throw 42;
    if (what == "memory") throw std::bad_alloc();
    if (what == "quoin") throw Error(ErrorKind::diverged, "a quoin::Error from " + method, "cell 7");
    throw std::runtime_error("thrown by " + method);
  }
};

class FakeMemory final : public Memory {
 public:
  explicit FakeMemory(const Fault& fault) : fault_(fault) {}
  [[nodiscard]] std::size_t bytes() const override { return 8; }
  [[nodiscard]] MemoryKind kind() const override { return MemoryKind::device; }
  [[nodiscard]] std::byte* on_host() override {
    fault_.at("on_host");
    return nullptr;
  }

 private:
  const Fault& fault_;
};

class FakeEvent final : public Event {
 public:
  explicit FakeEvent(const Fault& fault) : fault_(fault) {}
  [[nodiscard]] double seconds_since(const Event&) const override {
    fault_.at("seconds_since");
    return 1.5;
  }

 private:
  Fault fault_;
};

class FakeQueue final : public Queue {
 public:
  explicit FakeQueue(const Fault& fault) : fault_(fault) {}
  void copy_in(Memory&, std::size_t, std::span<const std::byte>) override { fault_.at("copy_in"); }
  void copy_out(std::span<std::byte>, const Memory&, std::size_t) override { fault_.at("copy_out"); }
  void record(Event&) override { fault_.at("record"); }
  void wait(const Event&) override { fault_.at("wait"); }
  void synchronize() override { fault_.at("synchronize"); }
  [[nodiscard]] std::uint64_t launches() const override {
    fault_.at("launches");
    return 99;
  }

 private:
  Fault fault_;
};

class FakeKernel final : public Kernel {
 public:
  explicit FakeKernel(const Fault& fault) : fault_(fault) {}
  void launch(Queue&, const Box&, std::span<const Argument>) override { fault_.at("launch"); }
  [[nodiscard]] Cost cost(const Box&) const override {
    fault_.at("cost");
    return {3.0, 4.0};
  }

 private:
  Fault fault_;
};

class FakeExecutor final : public Executor {
 public:
  FakeExecutor(DeviceInfo info, Fault fault) : info_(std::move(info)), fault_(std::move(fault)) {}
  [[nodiscard]] const DeviceInfo& device() const override { return info_; }
  [[nodiscard]] bool supports(const KernelSpec&) const override {
    fault_.at("supports");
    return true;
  }
  [[nodiscard]] Layout layout(const FieldSpec& spec) const override {
    fault_.at("layout");
    if (fault_.in == "small") return {spec.ghost, spec.extent[0], 0, spec.element_bytes};
    const std::int64_t ghost = spec.ghost + 1;
    const std::int64_t pitch = spec.extent[0] + 100;
    const std::int64_t rows = spec.extent[1] * spec.extent[2] + 2 * ghost;
    return {ghost, pitch, ghost * pitch + 7, static_cast<std::size_t>(rows * pitch) * spec.element_bytes};
  }
  std::unique_ptr<Memory> allocate(std::size_t, MemoryKind) override {
    fault_.at("allocate");
    if (fault_.in == "null") return nullptr;
    return std::make_unique<FakeMemory>(fault_);
  }
  std::unique_ptr<Queue> queue() override {
    fault_.at("queue");
    return std::make_unique<FakeQueue>(fault_);
  }
  std::unique_ptr<Event> event() override {
    fault_.at("event");
    return std::make_unique<FakeEvent>(fault_);
  }
  std::unique_ptr<Kernel> kernel(const KernelSpec&) override {
    fault_.at("kernel");
    return std::make_unique<FakeKernel>(fault_);
  }

 private:
  DeviceInfo info_;
  Fault fault_;
};

class FakeBackend final : public Backend {
 public:
  std::vector<DeviceInfo> devices() override {
#ifdef FAKE_DEVICES_THROW
    throw std::runtime_error("thrown by devices");
#endif
    DeviceInfo info;
    info.name = "thrower";
    return {info};
  }
  std::unique_ptr<Executor> executor(int, const Options& options) override {
    Fault fault;
    if (options.contains("in")) fault.in = options.at("in");
    if (options.contains("what")) fault.what = options.at("what");
    fault.at("executor");
    return std::make_unique<FakeExecutor>(devices().front(), fault);
  }
};

}  // namespace

QUOIN_BACKEND(FakeBackend, FAKE_NAME, "1.0.0", "[]")
