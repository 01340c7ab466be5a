#pragma once

// Sweeps with coefficients that vary, and all in space: a pass each (fused), or four kernels as in classic_sweeps.hpp.

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/diffusion_grid.hpp"
#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

/// Of Jacobi's method or Chebyshev's weights, over the diagonal where coefficients vary.
std::vector<double> diffusion_weights(const JacobiSetup& setup);

/// The case's equations.
std::unique_ptr<DiffusionGrid> diffusion_grid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                              Queue& queue, KernelTimer& timer);
/// The right-hand side.
void upload_source(const JacobiSetup& setup, Queue& queue, DiffusionGrid& grid, Field& f);

// As the functions of sweeps.hpp.
Pass diffusion_pass(const Executor& executor, const JacobiSetup& setup);
std::vector<KernelSpec> diffusion_kernels(const Executor& executor, const JacobiSetup& setup);
double diffusion_bytes(const JacobiSetup& setup);
std::unique_ptr<JacobiSweeps> make_diffusion(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
