#pragma once

// Everything that is compiled for the devices, behind plain functions. They put a kernel into a stream; the caller
// asks the runtime whether it accepted it.

#include "runtime.hpp"
// What runs on a device is declared as the runtime wants it.
#include "kernels/launchers.hpp"

namespace quoin::hip {

/// A kernel of DG-CVS. Its many laws and orders take minutes to compile, in a file of their own.
void launch_entities(hipStream_t stream, const Variant& variant, const kernels::Range& range,
                     const kernels::Resolved* arguments);
/// Any other kernel of the catalogue.
void launch_grid(hipStream_t stream, const Variant& variant, const kernels::Range& range,
                 const kernels::Resolved* arguments);

}  // namespace quoin::hip
