// The serial backend: one core, SIMD packs, needs no device. The default and the reference of all others.

#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"

using Launch = void(quoin::KernelId, quoin::Precision, bool, const quoin::kernels::Range&,
                    const quoin::kernels::Resolved*);
Launch launch_v3;
Launch launch_v4;

namespace {

using quoin::DeviceInfo;
using quoin::Error;
using quoin::ErrorKind;

class SerialBackend : public quoin::Backend {
 public:
  std::vector<DeviceInfo> devices() override {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
      throw Error(ErrorKind::device,
                  "this processor has no AVX2 and FMA (x86-64-v3); the serial backend needs both, because a "
                  "software fma is 3 to 6 times slower");
    }
    DeviceInfo info = quoin::host_device(wide() ? "one core, AVX-512" : "one core, AVX2");
    info.units = 1;
    info.subgroup = wide() ? 8 : 4;
    return {info};
  }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options&) override {
    return std::make_unique<quoin::HostExecutor>(devices().at(static_cast<std::size_t>(device)),
                                                 wide() ? launch_v4 : launch_v3);
  }

 private:
  static bool wide() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
};

}  // namespace

QUOIN_BACKEND(SerialBackend, "serial", "1.0.0", "[]")
