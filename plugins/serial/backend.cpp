// The serial backend: one core, SIMD packs, needs no device. The default and the reference of all others.

#include "quoin/host_memory.hpp"
#include "quoin/passes.hpp"
#include "quoin/plugin.hpp"

/// `columns`: of a tile of a pass of several sweeps.
using Launch = void(std::int64_t columns, const quoin::Variant&, const quoin::kernels::Range&,
                    const quoin::kernels::Resolved*);
Launch launch_grid_v3, launch_grid_v4, launch_entities_v3, launch_entities_v4;

namespace {

using quoin::DeviceInfo;
using quoin::Error;
using quoin::ErrorKind;

quoin::HostKernel::Function launcher(std::int64_t columns) {
  Launch& grid = quoin::host_has_v4() ? launch_grid_v4 : launch_grid_v3;
  Launch& entities = quoin::host_has_v4() ? launch_entities_v4 : launch_entities_v3;
  return [&grid, &entities, columns](const quoin::Variant& variant, const quoin::kernels::Range& range,
                                     const quoin::kernels::Resolved* arguments) {
    (quoin::over_entities(variant.id) ? entities : grid)(columns, variant, range, arguments);
  };
}

class SerialBackend : public quoin::Backend {
 public:
  std::vector<DeviceInfo> devices() override {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
      throw Error(ErrorKind::device,
                  "this processor has no AVX2 and FMA (x86-64-v3); the serial backend needs both, because a "
                  "software fma is 3 to 6 times slower");
    }
    DeviceInfo info = quoin::host_device(quoin::host_has_v4() ? "one core, AVX-512" : "one core, AVX2");
    info.units = 1;
    info.subgroup = quoin::host_has_v4() ? 8 : 4;
    return {info};
  }
  std::unique_ptr<quoin::Executor> executor(int device, const quoin::Options& options) override {
    const quoin::Passes passes = quoin::passes_of(options);
    return std::make_unique<quoin::HostExecutor>(devices().at(static_cast<std::size_t>(device)),
                                                 launcher(passes.tile_columns), passes.deepest, passes.by_rows());
  }
};

}  // namespace

QUOIN_BACKEND(SerialBackend, "serial", "1.0.0", "[" QUOIN_PASSES_KEYS "]")
