// The kernels of DG-CVS for one instruction set, as kernels.cpp has the others.

#include "kernels/dgcvs_launchers.hpp"
#include "skeleton.hpp"

void QN_JOIN(launch_dgcvs_, QN_ISA)(const quoin::Variant& variant, const quoin::kernels::Range& range,
                                    const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_dgcvs(quoin::kernels::SerialSkeleton{variant.tile_columns}, variant, range, arguments);
}
