#include "kernels.hpp"
#include "skeleton.hpp"

void quoin::hip::launch_grid(hipStream_t stream, const Variant& variant, const kernels::Range& range,
                             const kernels::Resolved* arguments) {
  kernels::launch_grid(DeviceSkeleton{stream}, variant, range, arguments);
}
