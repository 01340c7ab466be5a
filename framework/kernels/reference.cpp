#include "quoin/reference.hpp"

#include "kernels/loops.hpp"

namespace quoin {

void run_reference(const Variant& variant, const kernels::Range& range, const kernels::Resolved* arguments) {
  kernels::launch_loops(variant, range, arguments);
}

}  // namespace quoin
