#pragma once

// What -div(k grad u) + c u = f adds to Poisson's equation: k and c in the cells between nodes, each a formula of the
// case or an array of a file.

#include <string>
#include <vector>

#include "problems/jacobi/setup/grid.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Whether the case asks for more than Poisson's equation with values on all sides, or solves it as if it did: with
/// multigrid in space.
bool beyond_poisson(const Case& the_case);

/// The values of `problem.diffusivity` or `problem.reaction` at the centres of all cells, row by row: `fallback` where
/// the case gives none. Throws ErrorKind::case_file where one is not finite, less than 0, or is 0 though the fallback
/// is not.
std::vector<double> cell_values(const Case& the_case, const std::string& key, const Grid& grid, double fallback);

}  // namespace quoin
