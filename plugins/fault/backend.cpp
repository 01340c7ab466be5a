// A backend that fails on purpose: the n-th call of one kind throws, hangs, crashes, loses the device, runs out of
// memory or spoils a number. The tests of what a run survives are written with it.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>

#include "quoin/bytes.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"
#include "quoin/reference.hpp"

namespace {

using quoin::Error;
using quoin::ErrorKind;

/// Counts the calls of one kind and fails at the one that the case names.
class Fault {
 public:
  explicit Fault(const quoin::Options& options)
      : call_(value(options, "call", "launch")),
        kind_(value(options, "fault", "none")),
        at_(std::stoll(value(options, "at", "1"))) {}

  /// True where the caller is to spoil its result.
  bool visit(const std::string& call, std::size_t bytes = 0) {
    if (lost_) throw Error(ErrorKind::device, "the device was lost", "fault");
    if (call != call_ || ++count_ != at_) return false;
    if (kind_ == "throw") throw Error(ErrorKind::device, "call " + std::to_string(at_) + " of " + call + " failed");
    if (kind_ == "crash") std::raise(SIGSEGV);
    if (kind_ == "exit") std::exit(0);
    if (kind_ == "quick_exit") std::quick_exit(0);
    if (kind_ == "_exit") _exit(0);
    if (kind_ == "exit_of_a_thread") std::thread([] { std::exit(0); }).join();
    if (kind_ == "exit_of_a_child") {
      if (fork() == 0) std::exit(0);
      wait(nullptr);
    }
    if (kind_ == "hang") {
      quoin::log(quoin::LogLevel::warning, "call " + std::to_string(at_) + " of " + call + " hangs");
      for (;;) pause();
    }
    if (kind_ == "lost") {
      lost_ = true;
      throw Error(ErrorKind::device, "the device was lost", "fault");
    }
    if (kind_ == "memory") {
      throw Error(ErrorKind::device,
                  "out of memory: " + quoin::in_bytes(static_cast<double>(bytes)) + " asked for, 0 bytes free",
                  "fault");
    }
    return kind_ == "nan";
  }

 private:
  static std::string value(const quoin::Options& options, const char* key, const char* fallback) {
    const auto found = options.find(key);
    return found == options.end() ? fallback : found->second;
  }
  std::string call_;
  std::string kind_;
  std::int64_t at_;
  std::int64_t count_ = 0;
  bool lost_ = false;
};

class FaultQueue : public quoin::HostQueue {
 public:
  explicit FaultQueue(Fault& fault) : fault_(fault) {}
  void copy_in(quoin::Memory& target, std::size_t offset, std::span<const std::byte> source) override {
    fault_.visit("copy_in", source.size());
    HostQueue::copy_in(target, offset, source);
  }
  void copy_out(std::span<std::byte> target, const quoin::Memory& source, std::size_t offset) override {
    fault_.visit("copy_out", target.size());
    HostQueue::copy_out(target, source, offset);
  }
  void synchronize() override { fault_.visit("synchronize"); }

 private:
  Fault& fault_;
};

class FaultKernel : public quoin::HostKernel {
 public:
  FaultKernel(const quoin::KernelSpec& spec, Fault& fault)
      : HostKernel(spec, quoin::run_reference), entry_(*quoin::find_kernel(spec.name)), spec_(spec), fault_(fault) {}

  void launch(quoin::Queue& queue, const quoin::Box& box, std::span<const quoin::Argument> arguments) override {
    const bool spoil = fault_.visit("launch");
    HostKernel::launch(queue, box, arguments);
    if (spoil) spoil_first_output(arguments);
  }

 private:
  /// Element (0, 0) of the first output becomes not a number.
  void spoil_first_output(std::span<const quoin::Argument> arguments) {
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (entry_.arguments[k].kind != quoin::ArgumentKind::reals || entry_.arguments[k].intent == quoin::Intent::in)
        continue;
      std::byte* at = static_cast<quoin::HostMemory*>(arguments[k].memory)->data() + arguments[k].offset;
      const double wide = std::numeric_limits<double>::quiet_NaN();
      const float narrow = std::numeric_limits<float>::quiet_NaN();
      if (spec_.precision == quoin::Precision::float64) {
        std::memcpy(at, &wide, sizeof wide);
      } else {
        std::memcpy(at, &narrow, sizeof narrow);
      }
      return;
    }
  }

  const quoin::CatalogueEntry& entry_;
  quoin::KernelSpec spec_;
  Fault& fault_;
};

class FaultExecutor : public quoin::HostExecutor {
 public:
  FaultExecutor(const quoin::DeviceInfo& device, const quoin::Options& options)
      : HostExecutor(device, quoin::run_reference), fault_(options) {}
  std::unique_ptr<quoin::Memory> allocate(std::size_t bytes, quoin::MemoryKind kind) override {
    fault_.visit("allocate", bytes);
    return HostExecutor::allocate(bytes, kind);
  }
  std::unique_ptr<quoin::Queue> queue() override {
    fault_.visit("queue");
    return std::make_unique<FaultQueue>(fault_);
  }
  std::unique_ptr<quoin::Event> event() override {
    fault_.visit("event");
    return HostExecutor::event();
  }
  std::unique_ptr<quoin::Kernel> kernel(const quoin::KernelSpec& spec) override {
    fault_.visit("kernel");
    if (!supports(spec)) throw Error(ErrorKind::device, "no kernel named '" + spec.name + "'", device().name);
    return std::make_unique<FaultKernel>(spec, fault_);
  }

 private:
  Fault fault_;
};

class FaultBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override { return {quoin::host_device("fails on purpose")}; }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    return std::make_unique<FaultExecutor>(devices().at(static_cast<std::size_t>(device)), options);
  }
};

}  // namespace

QUOIN_BACKEND(FaultBackend, "fault", "1.0.0",
              R"([{"key": "call", "type": "choice", "default": "launch",
                   "choices": ["allocate", "queue", "event", "kernel", "launch", "copy_in", "copy_out", "synchronize"],
                   "meaning": "Which calls are counted."},
                  {"key": "at", "type": "integer", "default": "1", "minimum": 1,
                   "meaning": "Which of them fails, counted from 1."},
                  {"key": "fault", "type": "choice", "default": "none",
                   "choices": ["none", "throw", "crash", "exit", "quick_exit", "_exit", "exit_of_a_thread", "exit_of_a_child", "hang", "lost", "memory",
                               "nan"],
                   "meaning": "What happens then."}])")
