// The kernels on grids as target regions, and what else needs a target directive.

#include "target_skeleton.hpp"

namespace quoin::openmp {

Architecture probe(int device) {
  int architecture = 0;
#pragma omp target device(device) map(from : architecture)
  {
#if defined(__NVPTX__)
    constexpr Architecture compiled = Architecture::nvptx;
#elif defined(__AMDGCN__)
    constexpr Architecture compiled = Architecture::amdgcn;
#else
    constexpr Architecture compiled = Architecture::x86_64;
#endif
    architecture = static_cast<int>(omp_is_initial_device() != 0 ? Architecture::host : compiled);
  }
  return static_cast<Architecture>(architecture);
}

void launch(const Target& target, const Variant& variant, const kernels::Range& range,
            const kernels::Resolved* arguments) {
  if (over_entities(variant.id)) return launch_entities(target, variant, range, arguments);
  kernels::launch_grid(kernels::TargetSkeleton{target}, variant, range, arguments);
}

void* map_in(int device, std::byte* data, std::size_t bytes) {
#pragma omp target enter data device(device) map(to : data [0:bytes])
  return omp_get_mapped_ptr(data, device);
}

void map_out(int device, std::byte* data, std::size_t bytes, bool changed) {
  if (changed) {
#pragma omp target exit data device(device) map(from : data [0:bytes])
  } else {
#pragma omp target exit data device(device) map(release : data [0:bytes])
  }
}

}  // namespace quoin::openmp
