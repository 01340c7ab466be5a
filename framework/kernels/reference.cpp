#include "quoin/reference.hpp"

#include "quoin/compiled_kernels.hpp"

namespace quoin {

void run_reference(const Variant& variant, const kernels::Range& range, const kernels::Resolved* arguments) {
  kernels::launch_loops(variant, range, arguments);
}

const KernelSet& quoin_kernels() {
  static const KernelSet kernels = compiled_kernels(nullptr);
  return kernels;
}

}  // namespace quoin
