#pragma once

// The kernels' scalar reference as an oracle: it gives the bits that every backend must give.

#include "conformance/launch.hpp"
#include "quoin/reference.hpp"

namespace quoin::conformance {

template <class Fields>
void run_reference_on(const Fields& fields, const Variant& variant, const Box& box,
                      std::span<const Argument> arguments) {
  run_on_mirrors(run_reference, fields, variant, box, arguments);
}

}  // namespace quoin::conformance
