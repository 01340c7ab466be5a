#pragma once

// An executor on an offload device. Its data stay on the device, or on the host and are mapped around each kernel.

#include <memory>
#include <string>

#include "quoin/host_memory.hpp"
#include "target.hpp"

namespace quoin::openmp {

/// Where buffers live between launches.
enum class Data { resident, per_kernel };

class OffloadExecutor : public HostExecutor {
 public:
  /// `deepest`: Jacobi sweeps of a pass, at most sweep_depth.
  OffloadExecutor(DeviceInfo info, int device, Architecture architecture, Data data, std::int64_t deepest)
      : HostExecutor(std::move(info), nullptr, deepest),
        device_number_(device),
        architecture_(architecture),
        data_(data) {}
  /// With resident data throws ErrorKind::device where the device's memory does not suffice.
  std::unique_ptr<Memory> allocate(std::size_t bytes, MemoryKind kind) override;
  std::unique_ptr<Queue> queue() override;
  std::unique_ptr<Kernel> kernel(const KernelSpec& spec) override;

 private:
  int device_number_;
  Architecture architecture_;
  Data data_;
};

}  // namespace quoin::openmp
