#include "problems/jacobi/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "device/precision.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

JacobiSolver solver_of(const std::string& name) {
  if (name == "chebyshev") return JacobiSolver::chebyshev;
  return name == "multigrid" ? JacobiSolver::multigrid : JacobiSolver::jacobi;
}

JacobiVariant variant_of(const std::string& name) {
  if (name == "classic") return JacobiVariant::classic;
  if (name == "fused") return JacobiVariant::fused;
  return name == "blocked" ? JacobiVariant::blocked : JacobiVariant::fastest;
}

constexpr double default_tolerance = 1e-8;  // relative

double given_or(const Case& the_case, const char* path, double otherwise) {
  return the_case.has(path) ? the_case.real(path) : otherwise;
}

std::optional<NodeFormula> optional_formula(const Case& the_case, const std::string& path, const Grid& grid,
                                            Precision precision) {
  if (!the_case.has(path)) return std::nullopt;
  return NodeFormula(the_case, path, grid, precision);
}

}  // namespace

Grid::Grid(const Case& the_case) {
  const auto nodes = the_case.integers("problem.grid.nodes");
  const auto x_range = the_case.reals("problem.domain.x");
  const auto y_range = the_case.reals("problem.domain.y");
  nx = nodes[0];
  ny = nodes[1];
  xmin = x_range[0];
  xmax = x_range[1];
  ymin = y_range[0];
  ymax = y_range[1];
  dx = (xmax - xmin) / static_cast<double>(nx + 1);
  dy = (ymax - ymin) / static_cast<double>(ny + 1);
}

Expression::Constants Grid::constants() const {
  return {{"nx", static_cast<double>(nx)}, {"ny", static_cast<double>(ny)}, {"lx", xmax - xmin}, {"ly", ymax - ymin}};
}

JacobiMethod::JacobiMethod(const Case& the_case)
    : solver(solver_of(the_case.text("method.solver"))),
      variant(variant_of(the_case.text("method.variant"))),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      max_iterations(the_case.integer("method.max_iterations")),
      check_every(the_case.integer("method.check_every")),
      stops_on_tolerance(the_case.text("method.stop") == "tolerance"),
      tolerance(given_or(the_case, "method.tolerance", 0.0)),
      relative_tolerance(
          given_or(the_case, "method.relative_tolerance", the_case.has("method.tolerance") ? 0.0 : default_tolerance)),
      seed_norm(the_case.text("method.residual_norm") == "seed") {
  if (solver == JacobiSolver::multigrid && variant == JacobiVariant::classic)
    throw the_case.error_at(
        "method.variant", "multigrid has no classic variant; choose auto, fused or blocked, or another method.solver");
}

std::vector<Override> JacobiMethod::scale_tolerances(const Case& the_case, double factor) {
  const JacobiMethod method(the_case);
  std::vector<Override> changes;
  const auto add = [&](const char* path, double tolerance) {
    if (tolerance > 0.0) changes.push_back({path, fmt::format("{}", factor * tolerance)});
  };
  add("method.tolerance", method.tolerance);
  add("method.relative_tolerance", method.relative_tolerance);
  return changes;
}

NodeFormula::NodeFormula(const Case& the_case, std::string path, const Grid& grid, Precision precision)
    : case_(&the_case),
      path_(std::move(path)),
      grid_(&grid),
      precision_(precision),
      expression_(the_case.expression(path_, grid.constants())) {}

double NodeFormula::at(std::int64_t i, std::int64_t j) const {
  const double x = grid_->x(i);
  const double y = grid_->y(j);
  const double value = rounded(in_double(i, j), precision_);
  if (std::isfinite(value)) return value;
  std::ostringstream message;
  message.precision(17);
  message << "'" << expression_.text() << "' is " << value << " at node (" << i << ", " << j << "), x = " << x
          << ", y = " << y << (precision_ == Precision::float32 ? ", in float" : "")
          << "; it must be finite at every node";
  throw case_->error_at(path_, message.str(), expression_);
}

double NodeFormula::in_double(std::int64_t i, std::int64_t j) const { return expression_(grid_->x(i), grid_->y(j)); }

void NodeFormula::row(std::int64_t j, std::span<double> values) const {
  if (constant()) {
    std::ranges::fill(values, at(0, j));
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(static_cast<std::int64_t>(i), j);
}

void SourceFormula::row(std::int64_t j, std::span<double> values) const {
  NodeFormula::row(j, values);
  if (j != hashed_ || (constant() && j > 0)) return;
  hash_.add(std::as_bytes(values));
  ++hashed_;
}

Sha256 SourceFormula::hash() const {
  std::vector<double> values(static_cast<std::size_t>(grid().nx));
  while (hashed_ < (constant() ? 1 : grid().ny)) row(hashed_, values);
  return hash_;
}

JacobiSetup::JacobiSetup(const Case& the_case)
    : case_(the_case),
      grid(case_),
      method(case_),
      source(case_, "problem.source", grid, method.precision),
      initial(optional_formula(case_, "problem.initial.u", grid, method.precision)),
      // Errors are measured in double whatever the run computes in.
      exact(optional_formula(case_, "problem.exact", grid, Precision::float64)),
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
  const NodeFormula& upright = i < 0 ? left_ : right_;
  const NodeFormula& level = j < 0 ? bottom_ : top_;
  const double mean = rounded(upright.in_double(i, j) / 2 + level.in_double(i, j) / 2, method.precision);
  if (std::isfinite(mean)) return mean;
  // A pole just there is no mistake: at the nodes of the sides next to it values are finite.
  const double beside = upright.at(i, std::clamp<std::int64_t>(j, 0, grid.ny - 1));
  const double above = level.at(std::clamp<std::int64_t>(i, 0, grid.nx - 1), j);
  return rounded(beside / 2 + above / 2, method.precision);
}

double JacobiSetup::norm_divisor() const {
  return method.seed_norm ? static_cast<double>(grid.nx) * static_cast<double>(grid.ny) : 1.0;
}

void JacobiSetup::check(const NodeFormula& formula) const {
  std::vector<double> row(static_cast<std::size_t>(grid.nx));
  const std::int64_t rows = formula.constant() ? 1 : grid.ny;
  for (std::int64_t j = 0; j < rows; ++j) formula.row(j, row);
}

}  // namespace quoin
