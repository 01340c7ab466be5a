// Every collective of the subgroup dialect, for every size of subgroup, on the device. Says so where there is none.

#include "runtime.hpp"  // first, because it says how functions for the device are declared
//
#include <cstdio>
#include <vector>

#include "config.hpp"
#include "kernels/collectives.hpp"
#include "kernels/dialect/subgroup.hpp"

namespace {

using quoin::test::Collected;

template <int Size>
__global__ void collect_all(Collected* out) {
#if defined(__AMDGCN_WAVEFRONT_SIZE) || defined(__CUDA_ARCH__)
  if constexpr (Size <= quoin::hip::subgroup_width)
    out[threadIdx.x] = quoin::test::collect(quoin::kernels::Subgroup<Size>{});
#endif
}

bool accepted(hipError_t status) {
  if (status != hipSuccess) std::printf("%s\n", hipGetErrorString(status));
  return status == hipSuccess;
}

template <int Size>
int failures(Collected* device, int threads, int width) {
  collect_all<Size><<<1, threads>>>(device);
  std::vector<Collected> got(static_cast<std::size_t>(threads));
  if (!accepted(hipGetLastError()) ||
      !accepted(hipMemcpyAsync(got.data(), device, got.size() * sizeof(Collected), hipMemcpyDefault, nullptr)) ||
      !accepted(hipStreamSynchronize(nullptr)))
    return 1;
  int count = 0;
  for (int lane = 0; lane < threads; ++lane) {
    if (got[static_cast<std::size_t>(lane)] == quoin::test::expected(lane % Size, Size)) continue;
    std::printf("subgroups of %d: lane %d got something else\n", Size, lane);
    ++count;
  }
  if constexpr (Size < 64) {
    if (Size < width) count += failures<2 * Size>(device, threads, width);
  }
  return count;
}

}  // namespace

int main() {
  int devices = 0;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices == 0) {
    std::printf("skipped: no GPU can be used\n");
    return 0;
  }
  hipDeviceProp_t properties;
  Collected* device = nullptr;
  constexpr int threads = 128;
  if (!accepted(hipGetDeviceProperties(&properties, 0)) || !accepted(hipMalloc(&device, threads * sizeof(Collected))))
    return 1;
  const int count = failures<2>(device, threads, properties.warpSize);
  (void)hipFree(device);
  std::printf("%s, subgroups of 2 to %d: %d failures\n", properties.name, properties.warpSize, count);
  return count == 0 ? 0 : 1;
}
