// A device that works while the host goes on: the guide beside this file (README.md) walks through it.

#include "executor.hpp"
#include "quoin/plugin.hpp"

namespace worker {

void run_kernel(const quoin::Variant&, const quoin::kernels::Range&, const quoin::kernels::Resolved*);  // kernels.cpp

class WorkerBackend : public quoin::Backend {
 public:
  std::vector<quoin::DeviceInfo> devices() override {
    quoin::DeviceInfo info;
    info.name = "a thread for each queue";
    info.kind = quoin::DeviceKind::accelerator;
    info.memory_bytes = std::uint64_t{1} << 30U;
    return {info};
  }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options&) override {
    return std::make_unique<DeviceExecutor>(devices().at(static_cast<std::size_t>(device)), run_kernel);
  }
};

}  // namespace worker

QUOIN_BACKEND(worker::WorkerBackend, "worker", "1.0.0", "[]")
