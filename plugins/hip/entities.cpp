#include "kernels.hpp"
#include "skeleton.hpp"
// After the runtime, as in kernels.hpp.
#include "kernels/launchers.hpp"

void quoin::hip::launch_entities(const Target& target, const Variant& variant, const kernels::Range& range,
                                 const kernels::Resolved* arguments) {
  kernels::launch_entities(DeviceSkeleton{target}, variant, range, arguments);
}
