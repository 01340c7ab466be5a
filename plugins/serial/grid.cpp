// The kernels on grids for one instruction set: compiled once for x86-64-v3 and once for x86-64-v4.
// Nothing of the standard library is instantiated here, because the linker would be free to keep the
// version for the newer processor for everyone.

#include "skeleton.hpp"

void QN_JOIN(launch_grid_, QN_ISA)(std::int64_t columns, const quoin::Variant& variant,
                                   const quoin::kernels::Range& range, const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_grid(quoin::kernels::SerialSkeleton{columns}, variant, range, arguments);
}
