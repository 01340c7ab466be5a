#pragma once

// The kernels that this program or plugin is compiled with, as data. To include it compiles them all, as plain loops.

#include "kernels/loops.hpp"
#include "quoin/kernel_set.hpp"
#include "quoin/kernels_hash.h"

namespace quoin {

inline KernelSet compiled_kernels(conformance::KernelChecks (*oracles)()) {
  return {catalogue,
          QUOIN_KERNELS,
          catalogue_cost,
          [](const KernelSpec& spec, std::size_t argument, const Box& box, std::span<const Argument> arguments) {
            return kernels::footprint(variant_of(spec), argument, box, arguments);
          },
          [](const KernelSpec& spec, const kernels::Range& range, const kernels::Resolved* arguments) {
            kernels::launch_loops(variant_of(spec), range, arguments);
          },
          oracles};
}

}  // namespace quoin
