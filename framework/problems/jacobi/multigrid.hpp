#pragma once

// Multigrid with the sweeps of the other solvers as its smoother: an iteration is one V-cycle with two sweeps before
// and after each correction by a coarser grid. The norm of an iteration is that of its first sweep on the finest grid.

#include <memory>

#include "problems/jacobi/sweeps.hpp"

namespace quoin {

Pass multigrid_pass(const Executor& executor, const JacobiSetup& setup);

/// Bytes of device memory of all grids.
double multigrid_bytes(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
