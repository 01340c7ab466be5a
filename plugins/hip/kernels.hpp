#pragma once

// Everything that is compiled for the devices, behind plain functions. They put a kernel into a stream; the caller
// asks the runtime whether it accepted it.

#include <algorithm>
#include <type_traits>

#include "runtime.hpp"
// What runs on a device is declared as the runtime wants it.
#include "kernels/launchers.hpp"

#if defined(__CUDACC__) && !defined(__HIP__) && CUDART_VERSION >= 12030  // the first that has it in graphs
#define QUOIN_LAUNCHES_EARLY
#endif

namespace quoin::hip {

/// What a kernel that begins early does before all else: it waits until the one before it is done, and lets the next
/// one begin, which waits in its turn. To begin takes as long as a small kernel, and is done meanwhile.
__device__ inline void begin_early() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Whether the code that a device runs can do that: of the newest architecture here that is not newer than the device.
inline bool lets_begin_early([[maybe_unused]] int device) {
#ifdef QUOIN_LAUNCHES_EARLY
  constexpr int first = 900;
  int driver = 0;
  int major = 0;
  int minor = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver < 12030 ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return false;
  int newest = 0;
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture <= 100 * major + 10 * minor) newest = std::max(newest, architecture);
  return newest >= first;
#else
  return false;
#endif
}

/// Where kernels go.
struct Target {
  hipStream_t stream = nullptr;
  bool lets_begin_early = false;
  /// They are loaded and nothing else: CUDA does so at the first launch, which then takes a millisecond and more.
  bool only_loads = false;

  template <class... Taken>
  void operator()(void (*kernel)(Taken...), dim3 groups, dim3 threads,
                  const std::type_identity_t<Taken>&... given) const {
    if (only_loads) return load(kernel);
    kernel<<<groups, threads, 0, stream>>>(given...);
  }

  /// One that calls begin_early().
  template <class... Taken>
  void early(void (*kernel)(Taken...), dim3 groups, dim3 threads, const std::type_identity_t<Taken>&... given) const {
    if (only_loads) return load(kernel);
#ifdef QUOIN_LAUNCHES_EARLY
    cudaLaunchAttribute beside{};
    beside.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    beside.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = groups;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &beside;
    config.numAttrs = lets_begin_early ? 1 : 0;
    (void)cudaLaunchKernelEx(&config, kernel, given...);  // the caller asks how it went
#else
    (*this)(kernel, groups, threads, given...);
#endif
  }

 private:
  template <class Kernel>
  static void load(Kernel* kernel) {
    hipFuncAttributes known;
    (void)hipFuncGetAttributes(&known, reinterpret_cast<const void*>(kernel));
  }
};

/// A kernel of DG-CVS. Its many laws and orders take minutes to compile, in a file of their own.
void launch_entities(const Target& target, const Variant& variant, const kernels::Range& range,
                     const kernels::Resolved* arguments);
/// Any other kernel of the catalogue.
void launch_grid(const Target& target, const Variant& variant, const kernels::Range& range,
                 const kernels::Resolved* arguments);

}  // namespace quoin::hip
