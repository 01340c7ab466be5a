#include "problems/dgcvs/scheme/shore.hpp"

#include <algorithm>
#include <limits>

#include "kernels/dialect/dgcvs.hpp"

namespace quoin {
namespace {

struct Sums {
  double area = 0.0, water = 0.0, surface = 0.0;
};

Sums sums_of(std::span<const BottomPoint> points) {
  Sums sums;
  for (const auto& [weight, state] : points) {
    sums.area += weight;
    sums.water += weight * HostLaw::depth(state);
    sums.surface += weight * (state[bed_place] + HostLaw::depth(state));
  }
  return sums;
}

double highest(std::span<const BottomPoint> points) {
  double most = -std::numeric_limits<double>::infinity();
  for (const BottomPoint& point : points) most = std::max(most, point.state[bed_place]);
  return most;
}

/// The height up to which so much water fills the entity: Newton's method from above.
double filled(std::span<const BottomPoint> points, const Sums& sums) {
  double level = std::max(sums.surface / sums.area, highest(points));
  for (std::size_t pass = 0; pass <= points.size(); ++pass) {
    double area = 0.0;
    double sum = sums.water;
    for (const auto& [weight, state] : points) {
      if (state[bed_place] > level) continue;
      area += weight;
      sum += weight * state[bed_place];
    }
    if (!(area > 0.0) || sum / area >= level) break;
    level = sum / area;
  }
  return level;
}

/// By the kernels' own text.
template <int ORDER>
std::array<double, 2> kept_by(const DgSetup& setup, const LevelArrays& cells, std::size_t lane, double tau, bool level,
                              std::vector<double>& c) {
  using Bodies = kernels::ShallowWaterBed<double, double, ORDER>;
  const auto shape = static_cast<std::size_t>(cells.shape_lane(static_cast<std::int64_t>(lane)));
  constexpr auto basis = static_cast<std::size_t>(dgcvs_basis(ORDER));
  std::array<double, 3> mean{};
  for (std::size_t v = 0; v < mean.size(); ++v)
    for (std::size_t m = 0; m < static_cast<std::size_t>(dgcvs_space(ORDER)); ++m)
      mean.at(v) += cells.moments[m * static_cast<std::size_t>(cells.shape_stride) + shape] * c[v * basis + m];
  const double area = cells.moments[shape];
  for (double& one : mean) one /= area;
  const typename Bodies::water_place at{&cells.geometry[shape], &cells.bed[lane],   cells.slots,
                                        cells.shape_stride,     cells.lanes.stride, tau * cells.length[lane]};
  std::vector<double> held(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(3 * basis));
  held.push_back(level ? 1.0 : -1.0);
  const double depth = mean[0] - cells.bed_slope[lane];
  const double water = Bodies::keep_water(at, mean.data(), depth, setup.law.parameters().data(), held.data());
  std::copy_n(held.begin(), 3 * basis, c.begin());
  return {held.back(), water / area};
}

}  // namespace

std::array<double, 2> kept_water(const DgSetup& setup, const LevelArrays& cells, std::size_t lane, double tau,
                                 bool level, std::vector<double>& c) {
  switch (setup.method.order) {
    case 0:
      return kept_by<0>(setup, cells, lane, tau, level, c);
    case 1:
      return kept_by<1>(setup, cells, lane, tau, level, c);
    case 2:
      return kept_by<2>(setup, cells, lane, tau, level, c);
    case 3:
      return kept_by<3>(setup, cells, lane, tau, level, c);
    default:
      return kept_by<4>(setup, cells, lane, tau, level, c);
  }
}

bool at_shore(std::span<const BottomPoint> points) {
  constexpr double share = 0.25;
  const Sums sums = sums_of(points);
  double least = sums.surface / sums.area - highest(points);
  for (const BottomPoint& point : points) least = std::min(least, HostLaw::depth(point.state));
  return least <= share * sums.water / sums.area;
}

LevelWater level_water(std::span<const BottomPoint> points, const HostLaw& law) {
  const Sums sums = sums_of(points);
  LevelWater all{{filled(points, sums), 0.0, 0.0}, sums.water / sums.area};
  if (all.depth <= 0.0) all.constants[0] -= 1e6;
  if (all.depth <= law.parameters()[1]) return all;
  for (const auto& [weight, state] : points)
    for (std::size_t v = 1; v < 3; ++v) all.constants.at(v) += weight * state.at(v) / sums.water;
  return all;
}

}  // namespace quoin
