#include "problems/dgcvs/setup/prospect.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "quoin/error.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

void Largest::see(double other_speed, double other_value) {
  speed = std::max(speed, other_speed);
  value = std::max(value, std::abs(other_value));
}

void Largest::see(const HostLaw& law, std::span<const double> rows, std::size_t count) {
  if (law.size() > 1) {
    for (std::size_t k = 0; k < count; ++k) {
      const State state = state_of(rows, count, k);
      see(law.speed(state), law.size_of(state));
    }
    return;
  }
  State largest{};  // which is the fastest as well
  for (const double one : rows) largest[0] = std::max(largest[0], std::abs(one));
  see(law.speed(largest), law.size_of(largest));
}

Largest largest_outside(const DgSetup& setup) {
  Largest all;
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
  return all;
}

Prospect prospect_of(const DgSetup& setup, Communicator& ranks, const Largest& own) {
  const Largest all = joined_values(ranks, own, [](const Largest& left, Largest right) {
    right.see(left);
    return right;
  });
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
