#include "problems/jacobi/scheme/diffusion_levels.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "problems/jacobi/scheme/stencil.hpp"

namespace quoin {
namespace {

/// Its intervals in the next coarser grid: as many as it has where they cannot be halved.
std::int64_t halved_intervals(const Axis& axis) {
  constexpr std::int64_t fewest = 2;
  if (axis.intervals <= fewest) return axis.intervals;
  if (axis.periodic()) return axis.intervals % 2 == 0 ? axis.intervals / 2 : axis.intervals;
  return halved(axis.intervals - 1) + 1;
}

std::vector<double> coarser_sink(const Balances& fine, const Axis& x, const Axis& y) {
  const Interpolation across(fine.x, x);
  const Interpolation down(fine.y, y);
  const auto within = [](std::int64_t i, std::int64_t count) { return (i + count) % count; };
  std::vector<double> sink;
  for (std::int64_t l = 0; l < y.count; ++l) {
    for (std::int64_t k = 0; k < x.count; ++k) {
      double sum = 0.0;
      for (std::int64_t t = 0; t < down.count; ++t) {
        const std::int64_t j = within(down.first[static_cast<std::size_t>(l)] + t, fine.y.count);
        const double share = down.weights[static_cast<std::size_t>(t * y.count + l)];
        for (std::int64_t s = 0; s < across.count; ++s) {
          const std::int64_t i = within(across.first[static_cast<std::size_t>(k)] + s, fine.x.count);
          sum += share * across.weights[static_cast<std::size_t>(s * x.count + k)] * fine.sink_at(i, j);
        }
      }
      sink.push_back(sum);
    }
  }
  return sink;
}

/// As in multigrid_levels(), over the diagonal: what a coarser grid cannot hold, or holds badly.
Spectrum rough(const Axis& x, const Axis& y, bool halve_x, bool halve_y) {
  constexpr double held_badly = 0.6;
  const Stencil stencil(x.spacing, y.spacing);
  double least = 1.0;
  if (halve_x) least = std::min(least, 2.0 * stencil.a / stencil.diagonal);
  if (halve_y) least = std::min(least, 2.0 * stencil.b / stencil.diagonal);
  return {held_badly * least, 2.0};
}

}  // namespace

std::vector<DiffusionLevel> diffusion_levels(const JacobiSetup& setup) {
  constexpr double unsolved = 1e-2;  // of the error may be left on the coarsest grid
  constexpr double most_stretched = std::numbers::sqrt2;
  constexpr std::int64_t smoothing = 4;
  constexpr std::int64_t fewest = 16;
  constexpr std::int64_t most = 1024;  // sweeps of a grid that cannot be halved
  const Medium& medium = setup.medium();
  std::vector<DiffusionLevel> levels;
  std::shared_ptr<const Balances> balances(std::shared_ptr<const Balances>{}, &medium.balances);
  Cells cells = medium.cells;
  for (;;) {
    const Axis& x = balances->x;
    const Axis& y = balances->y;
    const Spectrum spectrum = levels.empty() ? medium.bounds.jacobi : bounds_of(*balances).jacobi;
    const bool halve_x = halved_intervals(x) < x.intervals && x.spacing <= most_stretched * y.spacing;
    const bool halve_y = halved_intervals(y) < y.intervals && y.spacing <= most_stretched * x.spacing;
    std::int64_t sweeps = fewest;
    while (!(halve_x || halve_y) && sweeps < most && chebyshev_reduction(spectrum, sweeps) > unsolved) sweeps *= 2;
    if (!(halve_x || halve_y) || chebyshev_reduction(spectrum, sweeps) <= unsolved) {
      levels.push_back({balances, {}, chebyshev_weights(spectrum, sweeps)});
      return levels;
    }
    const Spectrum waves = rough(x, y, halve_x, halve_y);
    levels.push_back({balances, levels.empty() ? std::vector<double>{} : chebyshev_weights(waves, 1),
                      chebyshev_weights(waves, smoothing)});
    const Axis coarse_x = x.with(halve_x ? halved_intervals(x) : x.intervals);
    const Axis coarse_y = y.with(halve_y ? halved_intervals(y) : y.intervals);
    cells = cells.coarser(coarse_x.intervals, coarse_y.intervals);
    auto made = std::make_shared<Balances>(cells, coarse_x, coarse_y);
    made->sink = coarser_sink(*balances, coarse_x, coarse_y);
    balances = std::move(made);
  }
}

}  // namespace quoin
