#pragma once

// The cycle of multigrid.hpp for coefficients that vary: sweeps with these on every grid, and between two of them the
// kernels of the constant operator, which get the residual as a right-hand side.

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

/// Between two grids.
std::vector<KernelSpec> cycle_kernels(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_diffusion_multigrid(const std::shared_ptr<Executor>& executor,
                                                       const JacobiSetup& setup, Queue& queue, ResidualNorm& norm,
                                                       KernelTimer& timer);

}  // namespace quoin
