#pragma once

// Limits of passes of several Jacobi sweeps. Backends ask for them whether or not they have the kernels.

#include "quoin/kernel_entry.hpp"

namespace quoin {

/// Most sweeps that a pass of jacobi_sweeps can hold on any backend.
inline constexpr std::int64_t deepest_pass = 16;

/// Most columns of a tile of such a pass on CPUs.
inline constexpr std::int64_t widest_tile = 512;

/// Whether passes of up to `deepest` sweeps are deep enough for the kernel.
inline bool pass_holds(std::int64_t deepest, const KernelSpec& spec) { return spec.constant("depth", 1) <= deepest; }

}  // namespace quoin
