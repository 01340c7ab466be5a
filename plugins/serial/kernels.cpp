// Every kernel for one instruction set: compiled once for x86-64-v3 and once for x86-64-v4.
// Nothing of the standard library is instantiated here, because the linker would be free to keep the
// version for the newer processor for everyone.

#include "skeleton.hpp"

#define QN_JOIN_(a, b) a##b
#define QN_JOIN(a, b) QN_JOIN_(a, b)

void QN_JOIN(launch_, QN_ISA)(quoin::KernelId id, quoin::Precision precision, bool rhs_array,
                              const quoin::kernels::Range& box, const quoin::kernels::Resolved* arguments) {
  using namespace quoin::kernels;
  const SerialSkeleton skeleton;
  if (precision == quoin::Precision::float64) {
    Launcher<double, SerialSkeleton>::launch(skeleton, id, rhs_array, box, arguments);
  } else {
    Launcher<float, SerialSkeleton>::launch(skeleton, id, rhs_array, box, arguments);
  }
}
