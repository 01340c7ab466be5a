#include "problems/jacobi/setup/setup.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "quoin/precision.hpp"

namespace quoin {
namespace {

std::optional<NodeFormula> optional_formula(const Case& the_case, const std::string& path, const Grid& grid,
                                            Precision precision) {
  if (!the_case.has(path)) return std::nullopt;
  return NodeFormula(the_case, path, grid, precision);
}

}  // namespace

JacobiSetup::JacobiSetup(const Case& the_case)
    : case_(the_case),
      grid(case_),
      method(case_),
      source(case_, "problem.source", grid, method.precision),
      initial(optional_formula(case_, "problem.initial.u", grid, method.precision)),
      // Errors are measured in double whatever the run computes in.
      exact(optional_formula(case_, "problem.exact", grid, Precision::float64)),
      part{0, grid.ny},
      left_(case_, "problem.boundary.left", grid, method.precision),
      right_(case_, "problem.boundary.right", grid, method.precision),
      bottom_(case_, "problem.boundary.bottom", grid, method.precision),
      top_(case_, "problem.boundary.top", grid, method.precision) {}

Sides JacobiSetup::sides_by(NodeValue value) const {
  Sides sides;
  for (std::int64_t j = 0; j < grid.ny; ++j) {
    sides.left.push_back((left_.*value)(-1, j));
    sides.right.push_back((right_.*value)(grid.nx, j));
  }
  for (std::int64_t i = 0; i < grid.nx; ++i) {
    sides.bottom.push_back((bottom_.*value)(i, -1));
    sides.top.push_back((top_.*value)(i, grid.ny));
  }
  return sides;
}

Sides JacobiSetup::sides() const { return sides_by(&NodeFormula::at); }

Sides JacobiSetup::sides_in_double() const { return sides_by(&NodeFormula::in_double); }

double JacobiSetup::corner(std::int64_t i, std::int64_t j) const {
  const NodeFormula& vertical = i < 0 ? left_ : right_;
  const NodeFormula& horizontal = j < 0 ? bottom_ : top_;
  const double mean = rounded(vertical.in_double(i, j) / 2 + horizontal.in_double(i, j) / 2, method.precision);
  if (std::isfinite(mean)) return mean;
  // A pole just there is no mistake: at the nodes of the sides next to it values are finite.
  const double on_vertical = vertical.at(i, std::clamp<std::int64_t>(j, 0, grid.ny - 1));
  const double on_horizontal = horizontal.at(std::clamp<std::int64_t>(i, 0, grid.nx - 1), j);
  return rounded(on_vertical / 2 + on_horizontal / 2, method.precision);
}

double JacobiSetup::norm_divisor() const {
  return method.seed_norm ? static_cast<double>(grid.nx) * static_cast<double>(grid.ny) : 1.0;
}

}  // namespace quoin
