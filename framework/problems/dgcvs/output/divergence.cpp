#include "problems/dgcvs/output/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace quoin {
namespace {

/// A value that a run's solution has gone wrong with.
struct Worst {
  std::int64_t cell;
  std::string variable;
  double value;
};

/// At the centre and the corners of that cell: a value that is not finite, else of a state that cannot be the first
/// variable, else the largest.
Worst worst_of(const Solution& cells, std::int64_t cell) {
  const DgSetup& setup = cells.setup();
  std::vector<Point> points{setup.staggered.cells.centre[static_cast<std::size_t>(cell)]};
  for (const std::int64_t q : setup.staggered.cells.quads_of(cell))
    points.push_back(setup.staggered.quads[static_cast<std::size_t>(q)].corners[0]);
  std::size_t variable = 0;
  const Bed bed = setup.bed();
  const PolynomialInSpace polynomial = cells.polynomial(cell);
  double worst = polynomial.at(points.front())[0];
  double badness = -1.0;
  for (const Point point : points) {
    const State state = setup.over_bed(polynomial.at(point), bed, point);
    const bool possible = setup.law.possible(state);
    for (std::size_t v = 0; v < setup.law.size(); ++v) {
      double own = std::abs(state[v]);
      if (!possible && v == 0) own = std::numeric_limits<double>::max();
      if (!std::isfinite(state[v])) own = INFINITY;
      if (own <= badness) continue;
      badness = own;
      variable = v;
      worst = state[v];
    }
  }
  return {cell, setup.law.variables()[variable], worst};
}

/// In the middle of the cells whose polynomials are not finite; where all are, in that with the largest one.
Worst worst_of(const Solution& solution) {
  const Entities& cells = solution.entities();
  std::vector<std::int64_t> spoilt;
  std::int64_t largest = 0;
  double most = 0.0;
  Point middle{0, 0};
  for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
    double own = 0.0;
    for (std::int64_t k = 0; k < solution.setup().unknowns(); ++k) {
      const double value = std::abs(solution.conserved(cell, k));
      own = std::max(own, std::isfinite(value) ? value : INFINITY);
    }
    if (own > most) largest = cell;
    most = std::max(most, own);
    if (std::isfinite(own)) continue;
    spoilt.push_back(cell);
    middle = middle + cells.centre[static_cast<std::size_t>(cell)];
  }
  const Point mean = 1.0 / static_cast<double>(std::max<std::size_t>(1, spoilt.size())) * middle;
  const auto from_mean = [&](std::int64_t cell) {
    return distance(cells.centre[static_cast<std::size_t>(cell)], mean);
  };
  return worst_of(solution, spoilt.empty() ? largest : *std::ranges::min_element(spoilt, {}, from_mean));
}

}  // namespace

std::string diverged_message(const TimeLoop& loop) {
  const DgSetup& setup = loop.setup();
  const DgMethod& method = setup.method;
  const double dt = loop.state().pace.dt;
  const auto& [step, flow] = *loop.divergence();
  const Solution cells = loop.solution(EntityKind::cells);
  const Worst worst = flow ? worst_of(cells, flow->cell) : worst_of(cells);
  const auto cell = static_cast<std::size_t>(worst.cell);
  const std::string place = fmt::format("in cell {} at {}, where {} is {:.6g}", setup.staggered.cells.origin[cell],
                                        describe(setup.staggered.cells.centre[cell]), worst.variable, worst.value);
  std::string message;
  if (!flow)
    message = fmt::format("the solution has grown without bound at step {}, most {}", step, place);
  else if (flow->impossible)
    message = fmt::format("{}: at step {} {}", setup.law.objection(flow->state), step, place);
  else
    message = fmt::format("waves have sped up from {:.6g} to {:.6g} at step {} {}", loop.state().prospect.speed,
                          flow->speed, step, place);
  const double stable = loop.stable_step();
  if (method.time_step ? dt > stable * (1 + 1e-6) : setup.cfl() > setup.stable_cfl) {
    const std::string given =
        method.time_step ? fmt::format("method.time_step is {}", *method.time_step)
                         : fmt::format("method.cfl is {}, and {:.3g} would be stable", setup.cfl(), setup.stable_cfl);
    return message + fmt::format("; {}: the time step is {:.6g}, the stable one {:.6g}", given, dt, stable);
  }
  const bool limiter = setup.law.law() != Law::advection && setup.limiter != Limiter::always && method.order > 0;
  return message + fmt::format(
                       "; the time step is {:.6g}, the stable one {:.6g}: use {}a smaller {}{}, or check the "
                       "data",
                       dt, stable, limiter ? "method.limiter: always, " : "",
                       method.time_step ? "method.time_step" : "method.cfl",
                       method.precision == Precision::float32 ? ", precision: double" : "");
}

}  // namespace quoin
