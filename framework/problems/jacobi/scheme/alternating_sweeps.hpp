#pragma once

// Passes from one field to the other, each of one sweep (fused) or of several (blocked).

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

// As the functions of sweeps.hpp.
Pass alternating_pass(const Executor& executor, const JacobiSetup& setup, Communicator& ranks);
std::vector<KernelSpec> alternating_kernels(const Executor& executor, const JacobiSetup& setup);
double alternating_bytes(const JacobiSetup& setup);
std::unique_ptr<JacobiSweeps> make_alternating(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                               Communicator& ranks, Queue& queue, ResidualNorm& norm,
                                               KernelTimer& timer);

}  // namespace quoin
