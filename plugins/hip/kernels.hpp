#pragma once

// Everything that is compiled for the devices, behind plain functions. They put a kernel into a stream; the caller
// asks the runtime whether it accepted it.

#include <type_traits>

#include "runtime.hpp"
// What runs on a device is declared as the runtime wants it.
#include "kernels/launchers.hpp"

namespace quoin::hip {

/// Where kernels go.
struct Target {
  hipStream_t stream = nullptr;
  /// They are loaded and nothing else: CUDA does so at the first launch, which then takes a millisecond and more.
  bool only_loads = false;

  template <class... Taken>
  void operator()(void (*kernel)(Taken...), dim3 groups, dim3 threads,
                  const std::type_identity_t<Taken>&... given) const {
    if (!only_loads) {
      kernel<<<groups, threads, 0, stream>>>(given...);
      return;
    }
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
