#include "kernels.hpp"
#include "skeleton.hpp"

void quoin::hip::launch_grid(const Target& target, const Variant& variant, const kernels::Range& range,
                             const kernels::Resolved* arguments) {
  kernels::launch_grid(DeviceSkeleton{target}, variant, range, arguments);
}
