#pragma once

// Limits of the Jacobi kernels, and what those cost whose constants matter.

#include "quoin/kernel_entry.hpp"

namespace quoin {

/// Most sweeps that a pass of jacobi_sweeps can hold on any backend.
inline constexpr std::int64_t deepest_pass = 16;

/// Most columns of a tile of such a pass on CPUs.
inline constexpr std::int64_t widest_tile = 512;

/// Whether passes of up to `deepest` sweeps are deep enough for the kernel.
inline bool pass_holds(std::int64_t deepest, const KernelSpec& spec) { return spec.constant("depth", 1) <= deepest; }

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
