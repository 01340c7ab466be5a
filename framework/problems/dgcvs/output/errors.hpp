#pragma once

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Of cells, over all of them at their time, by order + 3 Gauss points a direction on each sub-quad; of several
/// variables the lengths of the vectors of differences. The case must give an exact solution.
Errors errors_of(const Solution& cells);

}  // namespace quoin
