// The kernels over entities for one instruction set, as grid.cpp has the others.

#include "skeleton.hpp"

void QN_JOIN(launch_entities_, QN_ISA)(std::int64_t columns, const quoin::Variant& variant,
                                       const quoin::kernels::Range& range, const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_entities(quoin::kernels::SerialSkeleton{columns}, variant, range, arguments);
}
