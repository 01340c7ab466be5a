#pragma once

// What a study of convergence asks of a case.

#include <string>
#include <vector>

#include "quoin/problem.hpp"

namespace quoin {

/// As ProblemType::refine.
std::vector<Override> refine_dgcvs(const Case& the_case, int level);
/// As ProblemType::exact.
ExactField exact_dgcvs(const Case& the_case, const std::string& field, Point extent);

}  // namespace quoin
