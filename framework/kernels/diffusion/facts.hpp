#pragma once

// What a pass of several sweeps with coefficients costs.

#include "quoin/kernel_entry.hpp"

namespace quoin {

inline Cost diffusion_sweeps_cost(const Variant& v, double points) {
  return {points * 6.0 * static_cast<double>(element_size(v.precision)),
          points * 23.0 * static_cast<double>(v.constants[0])};  // depth
}

}  // namespace quoin
