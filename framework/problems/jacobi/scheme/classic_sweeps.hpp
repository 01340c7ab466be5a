#pragma once

// The four kernels of AMD's note, each with a launch of its own. The update is in place.

#include <memory>
#include <vector>

#include "problems/jacobi/scheme/sweeps.hpp"

namespace quoin {

// As the functions of sweeps.hpp.
Pass classic_pass();
std::vector<KernelSpec> classic_kernels(const JacobiSetup& setup);
double classic_bytes(const JacobiSetup& setup);
std::unique_ptr<JacobiSweeps> make_classic(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                           Communicator& ranks, Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
