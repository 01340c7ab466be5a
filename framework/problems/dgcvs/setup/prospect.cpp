#include "problems/dgcvs/setup/prospect.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"
#include "quoin/error.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

struct Largest {
  double speed = 0.0;
  double value = 0.0;
  void see(double other_speed, double other_value) {
    speed = std::max(speed, other_speed);
    value = std::max(value, std::abs(other_value));
  }
};

}  // namespace

Prospect prospect_of(const DgSetup& setup) { return prospect_of(setup, *one_process()); }

Prospect prospect_of(const DgSetup& setup, Communicator& ranks, const CellState& at_start) {
  const GaussRule rule = gauss_rule(setup.method.order + 2);
  const auto quads = static_cast<std::int64_t>(setup.staggered.quads.size());
  const std::int64_t first = quads * ranks.rank() / ranks.size();
  const std::int64_t last = quads * (ranks.rank() + 1) / ranks.size();
  Largest all;
  std::mutex mutex;
  const auto see_part = [&](const std::optional<StateFormula>& formula, const Part& part) {
    Largest own;
    std::vector<Point> points;
    std::vector<State> states;
    const auto see_states = [&] {
      if (setup.law.size() > 1) {
        for (const State& state : states) own.see(setup.law.speed(state), setup.law.size_of(state));
        return;
      }
      State largest{};  // which is the fastest as well
      for (const State& state : states) largest[0] = std::max(largest[0], std::abs(state[0]));
      own.see(setup.law.speed(largest), setup.law.size_of(largest));
    };
    const auto see_formula = [&] {  // at many points: a call takes its time
      states.resize(points.size());
      formula->at(points, 0.0, states);
      see_states();
      points.clear();
    };
    constexpr std::size_t many = 512;
    for (std::int64_t q = first + part.first; q < first + part.last; ++q) {
      const SubQuad& quad = setup.staggered.quads[static_cast<std::size_t>(q)];
      visit_quad(quad.corners, rule, [&](Point point, double) { points.push_back(point); });
      points.insert(points.end(), quad.corners.begin(), quad.corners.end());
      if (formula) {
        if (points.size() >= many) see_formula();
        continue;
      }
      states.resize(points.size());
      std::ranges::transform(points, states.begin(), [&](const Point& point) { return at_start(quad.cell, point); });
      see_states();
      points.clear();
    }
    if (formula) see_formula();
    const std::lock_guard lock(mutex);
    all.see(own.speed, own.value);
  };
  const bool known = at_start || !starts_from_fields(setup.the_case());  // else later
  if (known)
    parallel_shares(last - first, [&] {
      std::optional<StateFormula> formula;
      if (!at_start) formula.emplace(setup.initial());
      return [&see_part, formula = std::move(formula)](const Part& part) { see_part(formula, part); };
    });
  all = joined_values(ranks, all, [](const Largest& left, Largest right) {
    right.see(left.speed, left.value);
    return right;
  });
  all.see(setup.law.speed_of_rain(setup.cfl() * setup.unit_step), setup.law.rain() * setup.method.final_time);
  const Bed bed = setup.bed();
  for (const SideCondition& side : setup.sides) {
    if (!state_given(side.kind)) continue;
    const auto number = &side - setup.sides.data();
    std::vector<Point> points;
    for (const SubQuad& quad : setup.staggered.quads)
      if (quad.side01 == number || quad.side30 == number) points.push_back(quad.corners[0]);
    std::vector<State> states(points.size());
    const auto formula = setup.outside(side);
    constexpr int samples = 64;  // of the run's time
    for (int k = 0; k <= (side.uses_time ? samples : 0); ++k) {
      formula(points, setup.method.final_time * k / samples, states);
      for (std::size_t n = 0; n < points.size(); ++n) {
        State& state = states[n];
        if (side.kind == SideKind::discharge) state[0] = setup.law.slowest_depth(state[1]);
        if (side.kind == SideKind::stage) state = setup.over_bed(state, bed, points[n]);
        all.see(setup.law.speed(state), setup.law.size_of(state));
      }
    }
  }
  const double area = std::accumulate(setup.staggered.cells.area.begin(), setup.staggered.cells.area.end(), 0.0);
  return {all.speed, all.value * std::sqrt(area)};
}

Pace first_pace(const DgSetup& setup, const Prospect& prospect) {
  const double longest = setup.longest_step(prospect.speed);
  constexpr double most = 1e12;
  if (!(setup.method.final_time / longest <= most))
    throw setup.the_case().error_at(
        "method.final_time",
        "the run would take more than 1e12 time steps; is the mesh too fine, or a speed too large?");
  return Pace::within(0, 0.0, setup.method.final_time, longest);
}

}  // namespace quoin
