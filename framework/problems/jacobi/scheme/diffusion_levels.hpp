#pragma once

// Multigrid for coefficients that vary, on the host.

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/coarsening.hpp"
#include "problems/jacobi/setup/setup.hpp"

namespace quoin {

/// One grid, and the weights of a cycle's sweeps: from zero on the way to a coarser grid, and on the way back.
struct DiffusionLevel {
  std::shared_ptr<const Balances> balances;
  std::vector<double> down, up;
};

/// The finest, which is the case's, first. What sinks take goes along with what interpolation adds to a coarser node.
/// A direction whose sides are joined is halved while its intervals are even, any other one as multigrid_levels() does.
std::vector<DiffusionLevel> diffusion_levels(const JacobiSetup& setup);

}  // namespace quoin
