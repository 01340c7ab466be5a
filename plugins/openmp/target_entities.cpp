// The kernels of DG-CVS as target regions: their many laws and orders take minutes to compile.

#include "target_skeleton.hpp"

void quoin::openmp::launch_entities(const Target& target, const Variant& variant, const kernels::Range& range,
                                    const kernels::Resolved* arguments) {
  kernels::launch_entities(kernels::TargetSkeleton{target}, variant, range, arguments);
}
