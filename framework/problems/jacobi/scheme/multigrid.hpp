#pragma once

// Multigrid with the sweeps of the other solvers as its smoother. All smoothing comes after the correction by the
// coarser grid: one pass of four sweeps damps more than two of two, and on a GPU takes little more time than one of
// those (the sawtooth cycle of P. Wesseling, An Introduction to Multigrid Methods, 1992, section 8.4). An iteration is
// such a correction and smoothing, but for the first, which only smooths. Its norm is that of its first sweep on the
// finest grid.

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

// As the functions of sweeps.hpp.
Pass multigrid_pass(const Executor& executor, const JacobiSetup& setup, Communicator& ranks);
std::vector<KernelSpec> multigrid_kernels(const Executor& executor, const JacobiSetup& setup);
double multigrid_bytes(const JacobiSetup& setup);
std::unique_ptr<JacobiSweeps> make_multigrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                             Communicator& ranks, Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
