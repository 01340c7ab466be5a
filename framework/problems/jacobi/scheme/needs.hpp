#pragma once

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What the rank with the most rows among so many will need.
Estimate needs_of(const JacobiSetup& setup, int ranks);

}  // namespace quoin
