// The kernels of DG-CVS as target regions: their many laws and orders take minutes to compile.

#include "target_skeleton.hpp"
// The skeleton says first for what instruction set.
#include "kernels/dgcvs_launchers.hpp"

void quoin::openmp::launch_dgcvs(const Target& target, const Variant& variant, const kernels::Range& range,
                                 const kernels::Resolved* arguments) {
  kernels::launch_dgcvs(kernels::TargetSkeleton{target}, variant, range, arguments);
}
