#include "kernels.hpp"
#include "skeleton.hpp"
// After the runtime, as in kernels.hpp.
#include "kernels/launchers.hpp"

void quoin::hip::launch_entities(hipStream_t stream, const Variant& variant, const kernels::Range& range,
                                 const kernels::Resolved* arguments) {
  kernels::launch_entities(DeviceSkeleton{stream}, variant, range, arguments);
}
