// The kernels of DG-CVS for one instruction set, as kernels.cpp has the others.

#include "kernels/dgcvs_launchers.hpp"
#include "skeleton.hpp"

#define QN_JOIN_(a, b) a##b
#define QN_JOIN(a, b) QN_JOIN_(a, b)

void QN_JOIN(launch_dgcvs_, QN_ISA)(const quoin::Variant& variant, const quoin::kernels::Range& range,
                                    const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_dgcvs(quoin::kernels::SerialSkeleton{}, variant, range, arguments);
}
