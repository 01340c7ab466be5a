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

std::int64_t halved(std::int64_t nodes) {
  const std::int64_t intervals = nodes + 1;
  const std::int64_t half = intervals / 2;
  return (intervals % 2 == 0 || (half % 2 == 0 && half > 0) ? half : half + 1) - 1;
}

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

Interpolation::Interpolation(std::int64_t n, std::int64_t m) : count(1) {
  const std::int64_t fine = n + 1;  // intervals
  const std::int64_t coarse = m + 1;
  for (std::int64_t i = 1; i <= n; ++i) {
    below.push_back(i * coarse / fine - 1);
    share.push_back(static_cast<double>(i * coarse % fine) / static_cast<double>(fine));
  }
  // Coarse node k reaches the nodes that lie less than a coarse interval away, from here up to there.
  const auto from = [&](std::int64_t k) { return k * fine / coarse; };
  const auto to = [&](std::int64_t k) { return ((k + 2) * fine - 1) / coarse; };
  for (std::int64_t k = 0; k < m; ++k) count = std::max(count, to(k) - from(k));
  for (std::int64_t k = 0; k < m; ++k) first.push_back(std::min(from(k), n - count));
  for (std::int64_t s = 0; s < count; ++s) {
    for (std::int64_t k = 0; k < m; ++k) {
      const std::int64_t away = std::abs((first[static_cast<std::size_t>(k)] + s + 1) * coarse - (k + 1) * fine);
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
