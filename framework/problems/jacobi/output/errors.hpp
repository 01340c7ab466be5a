#pragma once

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Of the iterate, at its nodes. The case must give an exact solution.
Errors errors_of(const IterationLoop& loop);

}  // namespace quoin
