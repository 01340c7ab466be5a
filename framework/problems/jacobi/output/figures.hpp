#pragma once

#include <vector>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// What a run adds to the summary: the norm that ends it, where one does, and how far the field may be from that of no
/// residual: the error is the inverse of the operator times the residual.
std::vector<Figure> figures_of(const IterationLoop& loop);

}  // namespace quoin
