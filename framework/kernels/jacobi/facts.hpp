#pragma once

// What those Jacobi kernels cost whose constants matter.

#include "quoin/kernel_entry.hpp"

namespace quoin {

inline Cost jacobi_sweeps_cost(const Variant& v, double points) {
  const double reals = 2.0 + static_cast<double>(v.constants[0]);  // rhs_array
  return {points * reals * static_cast<double>(element_size(v.precision)),
          points * 12.0 * static_cast<double>(v.constants[1])};  // depth
}

inline Cost jacobi_restrict_cost(const Variant& v, double points) {
  const double reals = 6.0 + 4.0 * static_cast<double>(v.constants[0]);  // a coarse node stands for four
  return {points * reals * static_cast<double>(element_size(v.precision)), points * 97.0};
}

}  // namespace quoin
