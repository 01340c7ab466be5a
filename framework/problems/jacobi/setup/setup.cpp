#include "problems/jacobi/setup/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "problems/jacobi/setup/medium.hpp"
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
      beyond_poisson(quoin::beyond_poisson(case_)),
      part{0, grid.ny},
      left_(side_of("left", grid.along_x.lower)),
      right_(side_of("right", grid.along_x.upper)),
      bottom_(side_of("bottom", grid.along_y.lower)),
      top_(side_of("top", grid.along_y.upper)) {
  if (case_.has("problem.mean") && !beyond_poisson) refuse_mean();
  if (beyond_poisson && method.variant == JacobiVariant::blocked)
    throw case_.error_at("method.variant",
                         "blocked sweeps are for a constant diffusivity of 1, no reaction and dirichlet sides; choose "
                         "auto, fused or classic");
}

void JacobiSetup::require_one_rank(int ranks) const {
  if (ranks == 1 || !beyond_poisson) return;
  throw case_.error_at("problem.type", fmt::format("{} ranks can share a problem with a diffusivity of 1, no reaction "
                                                   "and dirichlet sides; solve this one with one rank",
                                                   ranks));
}

void JacobiSetup::refuse_mean() const {
  throw case_.error_at(
      "problem.mean",
      "u is known without it: it is for sides that are all neumann or periodic, and no reaction; take it "
      "away");
}

JacobiSetup::Side JacobiSetup::side_of(const std::string& name, SideType type) const {
  const std::string path = "problem.boundary." + name;
  return {type, optional_formula(case_, path + ".value", grid, method.precision),
          optional_formula(case_, path + ".coefficient", grid, Precision::float64)};
}

Sides JacobiSetup::sides_by(NodeValue value) const {
  Sides sides;
  const auto of = [&](const Side& side, std::int64_t i, std::int64_t j) {
    return side.type == SideType::dirichlet ? ((*side.value).*value)(i, j) : 0.0;
  };
  for (std::int64_t j = 0; j < grid.ny; ++j) {
    sides.left.push_back(of(left_, -1, j));
    sides.right.push_back(of(right_, grid.nx, j));
  }
  for (std::int64_t i = 0; i < grid.nx; ++i) {
    sides.bottom.push_back(of(bottom_, i, -1));
    sides.top.push_back(of(top_, i, grid.ny));
  }
  return sides;
}

Sides JacobiSetup::sides() const { return sides_by(&NodeFormula::at); }

Sides JacobiSetup::sides_in_double() const { return sides_by(&NodeFormula::in_double); }

const Medium& JacobiSetup::medium() const {
  if (medium_) return *medium_;
  Cells cells{grid.along_x.intervals, grid.along_y.intervals, cell_values(case_, "problem.diffusivity", grid, 1.0)};
  Balances balances(cells, grid.along_x, grid.along_y);
  Medium made{std::move(cells), std::move(balances), {}, {}};
  const std::vector<double> c = cell_values(case_, "problem.reaction", grid, 0.0);
  const auto in_cell = [&](std::int64_t column, std::int64_t row) {
    return column < 0 || row < 0 ? 0.0 : c[static_cast<std::size_t>(row * made.cells.nx + column)];
  };
  const Axis& x = grid.along_x;
  const Axis& y = grid.along_y;
  std::vector<double> row(static_cast<std::size_t>(grid.nx));
  for (std::int64_t j = 0; j < grid.ny; ++j) {
    source.row(j, row);
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      double around = 0.0;
      for (const std::int64_t beside : {i, i + 1})
        for (const std::int64_t level : {j, j + 1})
          around += in_cell(x.interval_before(beside), y.interval_before(level));
      made.balances.sink_at(i, j) = 0.25 * around;
      made.f.push_back(made.balances.volume(i, j) * row[static_cast<std::size_t>(i)]);
    }
  }
  add_sides(made);
  balance_sources(made);
  made.bounds = bounds_of(made.balances);
  medium_ = std::make_unique<const Medium>(std::move(made));
  return *medium_;
}

/// What comes in through neumann and robin sides, and what goes out with u.
void JacobiSetup::add_sides(Medium& medium) const {
  const auto add = [&](const Side& side, const std::string& name, std::int64_t i, std::int64_t j, double share) {
    if (side.type != SideType::neumann && side.type != SideType::robin) return;
    medium.f[static_cast<std::size_t>(j * grid.nx + i)] += share * side.value->at(i, j);
    if (side.type == SideType::neumann) return;
    const double coefficient = side.coefficient->at(i, j);
    if (coefficient < 0.0)
      throw case_.error_at("problem.boundary." + name + ".coefficient",
                           fmt::format("it is {:.6g} at x = {:.6g}, y = {:.6g}, and must be 0 or more", coefficient,
                                       grid.x(i), grid.y(j)));
    medium.balances.sink_at(i, j) += share * coefficient;
  };
  for (std::int64_t j = 0; j < grid.ny; ++j) {
    const double share = grid.along_y.width(j) / grid.dx;
    add(left_, "left", 0, j, share);
    add(right_, "right", grid.nx - 1, j, share);
  }
  for (std::int64_t i = 0; i < grid.nx; ++i) {
    const double share = grid.along_x.width(i) / grid.dy;
    add(bottom_, "bottom", i, 0, share);
    add(top_, "top", i, grid.ny - 1, share);
  }
}

/// Where a constant may be added to u, what sources give has to leave through the sides. Sums over nodes miss that by
/// the square of the spacing, which is taken out of the source; more is the case's own mistake.
void JacobiSetup::balance_sources(Medium& medium) const {
  if (!medium.balances.floating()) {
    if (case_.has("problem.mean")) refuse_mean();
    return;
  }
  double sum = 0.0;
  double sizes = 0.0;
  for (const double f : medium.f) {
    sum += f;
    sizes += std::fabs(f);
  }
  const auto square = [](std::int64_t intervals) {
    return 1.0 / (static_cast<double>(intervals) * static_cast<double>(intervals));
  };
  const double allowed = std::max(1e-10, 10.0 * (square(grid.along_x.intervals) + square(grid.along_y.intervals)));
  const double area = (grid.xmax - grid.xmin) * (grid.ymax - grid.ymin);
  const double surplus = sum * grid.dx * grid.dy;
  if (!(std::fabs(sum) <= allowed * sizes))
    throw case_.error_at(
        "problem.source",
        fmt::format(
            "with neumann or periodic sides all around and no reaction there is a steady u only where the source "
            "and the sides' values add up to 0; they come to {:.6g}: take {:.6g} from the source, change a "
            "side's value, or give u on a side",
            surplus, surplus / area));
  medium.corrected = surplus / area;
  for (std::int64_t j = 0; j < grid.ny; ++j)
    for (std::int64_t i = 0; i < grid.nx; ++i)
      medium.f[static_cast<std::size_t>(j * grid.nx + i)] -= medium.corrected * medium.balances.volume(i, j);
}

double JacobiSetup::corner(std::int64_t i, std::int64_t j) const {
  const Side& beside = i < 0 ? left_ : right_;
  const Side& level = j < 0 ? bottom_ : top_;
  const NodeFormula& vertical = *beside.value;
  const NodeFormula& horizontal = *level.value;
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
