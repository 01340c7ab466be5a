#include "problems/jacobi/scheme/coarsening.hpp"

#include <algorithm>
#include <cstdlib>
#include <numbers>
#include <utility>

namespace quoin {
namespace {

constexpr std::int64_t smoothing_sweeps = 4;
constexpr std::int64_t coarsest_sweeps = 16;
constexpr double solved = 1e-2;  // of the error may be left on the coarsest grid, where each cycle leaves a tenth

/// What a grid with half the nodes in these directions cannot hold, and below it what that grid holds badly.
Spectrum to_smooth(const Stencil& stencil, bool halve_x, bool halve_y) {
  constexpr double held_badly = 0.6;  // by trial: with 1 a random source takes a cycle more
  double least = stencil.diagonal;
  if (halve_x) least = std::min(least, 2.0 * stencil.a);
  if (halve_y) least = std::min(least, 2.0 * stencil.b);
  return {held_badly * least, 2.0 * stencil.diagonal};
}

}  // namespace

std::vector<Level> multigrid_levels(const Grid& grid) {
  // Sweeps damp little along a direction whose nodes lie much further apart than those of the other, so only the other
  // is halved there; half of that ratio or twice as much is as far from 1 for square roots of two alone.
  constexpr double max_stretched = std::numbers::sqrt2;
  std::vector<Level> levels;
  std::int64_t nx = grid.nx;
  std::int64_t ny = grid.ny;
  for (;;) {
    const double dx = (grid.xmax - grid.xmin) / static_cast<double>(nx + 1);
    const double dy = (grid.ymax - grid.ymin) / static_cast<double>(ny + 1);
    const Stencil stencil(dx, dy);
    const Spectrum spectrum = stencil.spectrum(nx, ny);
    const bool halve_x = nx > 1 && dx <= max_stretched * dy;
    const bool halve_y = ny > 1 && dy <= max_stretched * dx;
    // Where nothing is left to halve the spectrum is narrow, too.
    if (chebyshev_reduction(spectrum, coarsest_sweeps) <= solved || !(halve_x || halve_y)) {
      levels.push_back({nx, ny, stencil, chebyshev_weights(spectrum, coarsest_sweeps)});
      return levels;
    }
    const Spectrum waves = to_smooth(stencil, halve_x, halve_y);
    std::vector<double> weights = chebyshev_weights(waves, smoothing_sweeps);
    if (!levels.empty()) weights.insert(weights.begin(), chebyshev_weights(waves, 1).front());
    levels.push_back({nx, ny, stencil, std::move(weights)});
    if (halve_x) nx = halved(nx);
    if (halve_y) ny = halved(ny);
  }
}

std::int64_t halved(std::int64_t nodes) {
  const std::int64_t intervals = nodes + 1;
  const std::int64_t half = intervals / 2;
  return (intervals % 2 == 0 || (half % 2 == 0 && half > 0) ? half : half + 1) - 1;
}

Interpolation::Interpolation(std::int64_t n, std::int64_t m)
    : Interpolation(Axis(0.0, 1.0, n + 1, SideType::dirichlet, SideType::dirichlet),
                    Axis(0.0, 1.0, m + 1, SideType::dirichlet, SideType::dirichlet)) {}

Interpolation::Interpolation(const Axis& fine_axis, const Axis& coarse_axis) : count(1) {
  const std::int64_t fine = fine_axis.intervals;
  const std::int64_t coarse = coarse_axis.intervals;
  const std::int64_t n = fine_axis.count;
  const std::int64_t m = coarse_axis.count;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = (fine_axis.first + i) * coarse;
    below.push_back(place / fine - coarse_axis.first);
    share.push_back(static_cast<double>(place % fine) / static_cast<double>(fine));
  }
  // Coarse node k reaches the nodes that lie less than a coarse interval away, from here up to there.
  const auto node = [&](std::int64_t k) { return coarse_axis.first + k; };
  const auto from = [&](std::int64_t k) {
    const std::int64_t before = node(k) - 1;
    const std::int64_t first_node = (before < 0 ? -((fine + coarse - 1) / coarse) : before * fine / coarse) + 1;
    const std::int64_t first_unknown = first_node - fine_axis.first;
    return fine_axis.periodic() ? first_unknown : std::max<std::int64_t>(first_unknown, 0);
  };
  const auto to = [&](std::int64_t k) {
    const std::int64_t last_unknown = ((node(k) + 1) * fine - 1) / coarse - fine_axis.first;
    return (fine_axis.periodic() ? last_unknown : std::min(last_unknown, n - 1)) + 1;
  };
  for (std::int64_t k = 0; k < m; ++k) count = std::max(count, to(k) - from(k));
  for (std::int64_t k = 0; k < m; ++k) first.push_back(fine_axis.periodic() ? from(k) : std::min(from(k), n - count));
  for (std::int64_t s = 0; s < count; ++s) {
    for (std::int64_t k = 0; k < m; ++k) {
      const std::int64_t at = fine_axis.first + first[static_cast<std::size_t>(k)] + s;
      const std::int64_t away = std::abs(at * coarse - node(k) * fine);
      const double value = static_cast<double>(std::max<std::int64_t>(fine - away, 0)) / static_cast<double>(fine);
      weights.push_back(value * static_cast<double>(coarse) / static_cast<double>(fine));
    }
  }
}

Interpolation Interpolation::part(const Strip& fine, const Strip& made, std::int64_t coarse_first) const {
  Interpolation some(*this);
  const auto cut = [](const auto& all, const Strip& rows) {
    return std::vector(all.begin() + rows.first, all.begin() + rows.last);
  };
  some.below = cut(below, fine);
  some.share = cut(share, fine);
  some.first = cut(first, made);
  for (std::int64_t& row : some.below) row -= coarse_first;
  for (std::int64_t& row : some.first) row -= fine.first;
  some.weights.clear();
  const auto m = static_cast<std::int64_t>(first.size());
  for (std::int64_t s = 0; s < count; ++s)
    for (std::int64_t k = made.first; k < made.last; ++k)
      some.weights.push_back(weights[static_cast<std::size_t>(s * m + k)]);
  return some;
}

}  // namespace quoin
