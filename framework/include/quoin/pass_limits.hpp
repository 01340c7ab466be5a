#pragma once

// Limits of passes of several Jacobi sweeps. Backends ask for them whether or not they have the kernels.

#include "quoin/kernel_entry.hpp"

namespace quoin {

/// Most sweeps that a pass of jacobi_sweeps can hold on any backend.
inline constexpr std::int64_t deepest_pass = 16;

/// The same of the kernels whose passes go by rows: cube_sweeps, cube_flow_sweeps and diffusion_sweeps.
inline constexpr std::int64_t deepest_row_pass = 8;

/// Bytes of caches that a core has for a tile of such a pass.
inline constexpr std::int64_t row_pass_cache = 15 * (std::int64_t{1} << 19);

/// Arrays that its sweeps read beside the iterate. In space that of the faces between planes counts twice, being read a
/// plane apart.
constexpr std::int64_t row_pass_arrays(bool coefficients, bool in_space) {
  return !coefficients ? 1 : in_space ? 6 : 4;
}

/// Most columns of a tile of such a pass on CPUs.
inline constexpr std::int64_t widest_tile = 512;

/// Whether passes of up to `deepest` sweeps are deep enough for the kernel, or of up to `by_rows` for one of those.
inline bool pass_holds(std::int64_t deepest, std::int64_t by_rows, const KernelSpec& spec) {
  for (const char* name : {"cube_sweeps", "cube_flow_sweeps", "diffusion_sweeps"})
    if (spec.name == name) return spec.constant("depth", 2) <= by_rows;
  return spec.constant("depth", 1) <= deepest;
}
/// The same of a backend without passes by rows.
inline bool pass_holds(std::int64_t deepest, const KernelSpec& spec) { return pass_holds(deepest, 1, spec); }

}  // namespace quoin
