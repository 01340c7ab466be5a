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
      part{0, grid.rows()},
      left_(side_of("left", grid.along_x.lower)),
      right_(side_of("right", grid.along_x.upper)),
      bottom_(side_of("bottom", grid.along_y.lower)),
      top_(side_of("top", grid.along_y.upper)),
      back_(side_of("back", grid.along_z.lower)),
      front_(side_of("front", grid.along_z.upper)) {
  constexpr double most_nodes = 0x1p60;  // more have no numbers
  if (static_cast<double>(grid.nx + 2) * static_cast<double>(grid.ny + 2) * static_cast<double>(grid.nz + 2) >
          most_nodes &&
      grid.in_space())
    throw case_.error_at("problem.grid.nodes", "that is more nodes than any computer holds; take fewer");
  if (case_.has("problem.mean") && !beyond_poisson) refuse_mean();
  if (beyond_poisson && method.variant == JacobiVariant::blocked) refuse_blocked();
}

void JacobiSetup::require_one_rank(int ranks) const {
  if (ranks == 1 || !(beyond_poisson || grid.in_space())) return;
  if (grid.in_space())
    throw case_.error_at(
        "problem.grid.nodes",
        fmt::format("{} ranks can share a problem in the plane; solve one in space with one rank", ranks));
  throw case_.error_at("problem.type", fmt::format("{} ranks can share a problem with a diffusivity of 1, no reaction "
                                                   "and dirichlet sides; solve this one with one rank",
                                                   ranks));
}

void JacobiSetup::refuse_blocked() const {
  if (method.solver == JacobiSolver::multigrid)
    throw case_.error_at("method.variant",
                         "multigrid has no blocked sweeps in space, with coefficients or with sides that are not "
                         "dirichlet; choose auto or fused");
  if (grid.joins_sides())
    throw case_.error_at("method.variant", "blocked sweeps are not for periodic sides; choose auto, fused or classic");
}

void JacobiSetup::refuse_mean() const {
  throw case_.error_at(
      "problem.mean",
      "u is known without it: it is for sides that are all neumann or periodic, and no reaction; take it "
      "away");
}

JacobiSetup::Side JacobiSetup::side_of(const std::string& name, SideType type) const {
  const std::string path = "problem.boundary." + name;
  // Of sides that only problems in space have, keys give no defaults.
  if (type == SideType::periodic && case_.has(path + ".value"))
    throw case_.error_at(path + ".value", "a periodic side has no value: take it away, or change its type");
  if (type == SideType::robin && !case_.has(path + ".coefficient"))
    throw case_.error_at(path + ".type", "a robin side needs a coefficient: give " + path + ".coefficient");
  return {name, type, optional_formula(case_, path + ".value", grid, method.precision),
          optional_formula(case_, path + ".coefficient", grid, Precision::float64)};
}

Sides JacobiSetup::sides_by(NodeValue value) const {
  Sides sides;
  const auto of = [&](const Side& side, std::int64_t i, std::int64_t j, std::int64_t k) {
    return side.type == SideType::dirichlet && side.value ? ((*side.value).*value)(i, j, k) : 0.0;
  };
  for (std::int64_t k = 0; k < grid.nz; ++k) {
    for (std::int64_t j = 0; j < grid.ny; ++j) {
      sides.left.push_back(of(left_, -1, j, k));
      sides.right.push_back(of(right_, grid.nx, j, k));
    }
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      sides.bottom.push_back(of(bottom_, i, -1, k));
      sides.top.push_back(of(top_, i, grid.ny, k));
    }
  }
  for (std::int64_t j = 0; grid.in_space() && j < grid.ny; ++j) {
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      sides.back.push_back(of(back_, i, j, -1));
      sides.front.push_back(of(front_, i, j, grid.nz));
    }
  }
  return sides;
}

Sides JacobiSetup::sides() const { return sides_by(&NodeFormula::at); }

Sides JacobiSetup::sides_in_double() const { return sides_by(&NodeFormula::in_double); }

const Medium& JacobiSetup::medium() const {
  if (medium_) return *medium_;
  const Axis& x = grid.along_x;
  const Axis& y = grid.along_y;
  const Axis& z = grid.along_z;
  Cells cells{x.intervals, y.intervals, cell_values(case_, "problem.diffusivity", grid, 1.0), z.intervals};
  Balances balances(cells, x, y, z);
  Medium made{std::move(cells), std::move(balances), {}, {}};
  const std::vector<double> c = cell_values(case_, "problem.reaction", grid, 0.0);
  // In the plane, the one layer of cells counts as that before and that behind a node.
  const auto around = [&](std::int64_t i, std::int64_t j, std::int64_t plane) {
    double sum = 0.0;
    for (const std::int64_t beside : {i, i + 1}) {
      for (const std::int64_t level : {j, j + 1}) {
        const std::int64_t column = x.interval_before(beside);
        const std::int64_t row = y.interval_before(level);
        if (column >= 0 && row >= 0 && plane >= 0)
          sum += c[static_cast<std::size_t>((plane * made.cells.ny + row) * made.cells.nx + column)];
      }
    }
    return sum;
  };
  std::vector<double> row(static_cast<std::size_t>(grid.nx));
  for (std::int64_t k = 0; k < grid.nz; ++k) {
    for (std::int64_t j = 0; j < grid.ny; ++j) {
      source.row(k * grid.ny + j, row);
      for (std::int64_t i = 0; i < grid.nx; ++i) {
        made.balances.sink_at(i, j, k) =
            0.125 * (around(i, j, z.interval_before(k)) + around(i, j, z.interval_before(k + 1)));
        made.f.push_back(made.balances.volume(i, j, k) * row[static_cast<std::size_t>(i)]);
      }
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
  const auto add = [&](const Side& side, std::int64_t i, std::int64_t j, std::int64_t k, double share) {
    if (side.type != SideType::neumann && side.type != SideType::robin) return;
    if (side.value)
      medium.f[static_cast<std::size_t>((k * grid.ny + j) * grid.nx + i)] += share * side.value->at(i, j, k);
    if (side.type == SideType::neumann) return;
    const double coefficient = side.coefficient->at(i, j, k);
    if (coefficient < 0.0)
      throw case_.error_at("problem.boundary." + side.name + ".coefficient",
                           fmt::format("it is {:.6g} at {}, and must be 0 or more", coefficient, grid.where(i, j, k)));
    medium.balances.sink_at(i, j, k) += share * coefficient;
  };
  const Axis& x = grid.along_x;
  const Axis& y = grid.along_y;
  const Axis& z = grid.along_z;
  for (std::int64_t k = 0; k < grid.nz; ++k) {
    for (std::int64_t j = 0; j < grid.ny; ++j) {
      const double share = y.width(j) * z.width(k) / grid.dx;
      add(left_, 0, j, k, share);
      add(right_, grid.nx - 1, j, k, share);
    }
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      const double share = x.width(i) * z.width(k) / grid.dy;
      add(bottom_, i, 0, k, share);
      add(top_, i, grid.ny - 1, k, share);
    }
  }
  for (std::int64_t j = 0; grid.in_space() && j < grid.ny; ++j) {
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      const double share = x.width(i) * y.width(j) / z.spacing;
      add(back_, i, j, 0, share);
      add(front_, i, j, grid.nz - 1, share);
    }
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
  const auto square = [](const Axis& axis) {
    return axis.is_flat() ? 0.0 : 1.0 / (static_cast<double>(axis.intervals) * static_cast<double>(axis.intervals));
  };
  const double allowed = std::max(1e-10, 10.0 * (square(grid.along_x) + square(grid.along_y) + square(grid.along_z)));
  const double volume = grid.volume();
  const double surplus = sum * grid.cell();
  if (!(std::fabs(sum) <= allowed * sizes))
    throw case_.error_at(
        "problem.source",
        fmt::format(
            "with neumann or periodic sides all around and no reaction there is a steady u only where the source "
            "and the sides' values add up to 0; they come to {:.6g}: take {:.6g} from the source, change a "
            "side's value, or give u on a side",
            surplus, surplus / volume));
  medium.corrected = surplus / volume;
  auto f = medium.f.begin();
  for (std::int64_t k = 0; k < grid.nz; ++k)
    for (std::int64_t j = 0; j < grid.ny; ++j)
      for (std::int64_t i = 0; i < grid.nx; ++i) *f++ -= medium.corrected * medium.balances.volume(i, j, k);
}

double JacobiSetup::edge(std::int64_t i, std::int64_t j, std::int64_t k) const {
  std::vector<const Side*> sides;
  if (i < 0 || i == grid.nx) sides.push_back(i < 0 ? &left_ : &right_);
  if (j < 0 || j == grid.ny) sides.push_back(j < 0 ? &bottom_ : &top_);
  if (k < 0 || k == grid.nz) sides.push_back(k < 0 ? &back_ : &front_);
  const auto share = static_cast<double>(sides.size());
  double mean = -0.0;  // which changes no zero that is added to it
  for (const Side* side : sides) mean += side->value ? side->value->in_double(i, j, k) / share : -0.0;
  mean = rounded(mean, method.precision);
  if (std::isfinite(mean)) return mean;
  // A pole just there is no mistake: at the nodes of the sides next to it values are finite.
  const auto within = [](std::int64_t index, std::int64_t count) {
    return std::clamp<std::int64_t>(index, 0, count - 1);
  };
  mean = -0.0;
  for (const Side* side : sides) {
    if (!side->value) continue;
    const bool across_x = side == &left_ || side == &right_;
    const bool across_y = side == &bottom_ || side == &top_;
    const bool across_z = side == &back_ || side == &front_;
    mean += side->value->at(across_x ? i : within(i, grid.nx), across_y ? j : within(j, grid.ny),
                            across_z ? k : within(k, grid.nz)) /
            share;
  }
  return rounded(mean, method.precision);
}

double JacobiSetup::norm_divisor() const {
  return method.seed_norm ? static_cast<double>(grid.nx) * static_cast<double>(grid.rows()) : 1.0;
}

}  // namespace quoin
