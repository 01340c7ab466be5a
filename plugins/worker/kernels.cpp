// What runs on the device: here the plain loops of the SDK. It takes long to compile, and has a file of its own.

#include "kernels/loops.hpp"

namespace worker {

void run_kernel(const quoin::Variant& variant, const quoin::kernels::Range& range,
                const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_loops(variant, range, arguments);
}

}  // namespace worker
