#pragma once

// Sweeps in space or with coefficients, several in one pass through memory, where the device has kernels for that.

#include <cstdint>
#include <memory>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

/// Sweeps of a pass: as many as a cache has room for the rows between the first and the last of, and the device can;
/// 1 where sweeps are passes of their own.
std::int64_t row_pass_depth(const Executor& executor, const JacobiSetup& setup);
KernelSpec row_pass_spec(const JacobiSetup& setup, std::int64_t depth);

std::unique_ptr<JacobiSweeps> make_row_passes(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                              Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
