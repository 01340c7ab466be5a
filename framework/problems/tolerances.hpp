#pragma once

// When an iterative solver has converged, as cases say it: the keys method.tolerance and method.relative_tolerance.

#include <vector>

#include "quoin/case.hpp"

namespace quoin {

/// 0: it does not count.
struct Tolerances {
  double absolute = 0.0;
  double relative = 0.0;  ///< 1e-8 where the case gives neither
};
Tolerances tolerances_of(const Case& the_case);

/// What to change for tolerances that many times as large.
std::vector<Override> scale_tolerances(const Case& the_case, double factor);

}  // namespace quoin
