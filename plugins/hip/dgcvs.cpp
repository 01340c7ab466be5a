#include "kernels.hpp"
#include "skeleton.hpp"
// After the runtime, as in kernels.hpp.
#include "kernels/dgcvs_launchers.hpp"

void quoin::hip::launch_dgcvs(hipStream_t stream, const Variant& variant, const kernels::Range& range,
                              const kernels::Resolved* arguments) {
  kernels::launch_dgcvs(DeviceSkeleton{stream}, variant, range, arguments);
}
