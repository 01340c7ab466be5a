#pragma once

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a run will need.
Estimate needs_of(const JacobiSetup& setup);

}  // namespace quoin
