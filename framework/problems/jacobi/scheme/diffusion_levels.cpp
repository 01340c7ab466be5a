#include "problems/jacobi/scheme/diffusion_levels.hpp"

#include <algorithm>
#include <array>
#include <limits>
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

std::vector<double> coarser_sink(const Balances& fine, const Axis& x, const Axis& y, const Axis& z) {
  const Interpolation across(fine.x, x);
  const Interpolation down(fine.y, y);
  const Interpolation through(fine.z, z);
  const auto within = [](std::int64_t i, std::int64_t count) { return (i + count) % count; };
  // A finer node of the s-th in the sum of coarse node k, and its share.
  const auto node = [&](const Interpolation& of, const Axis& finer, std::int64_t k, std::int64_t s) {
    return within(of.first[static_cast<std::size_t>(k)] + s, finer.count);
  };
  const auto share = [](const Interpolation& of, const Axis& coarse, std::int64_t k, std::int64_t s) {
    return of.weights[static_cast<std::size_t>(s * coarse.count + k)];
  };
  std::vector<double> sink;
  for (std::int64_t m = 0; m < z.count; ++m) {
    for (std::int64_t l = 0; l < y.count; ++l) {
      for (std::int64_t k = 0; k < x.count; ++k) {
        double sum = 0.0;
        for (std::int64_t p = 0; p < through.count; ++p)
          for (std::int64_t t = 0; t < down.count; ++t)
            for (std::int64_t s = 0; s < across.count; ++s)
              sum += share(through, z, m, p) * share(down, y, l, t) * share(across, x, k, s) *
                     fine.sink_at(node(across, fine.x, k, s), node(down, fine.y, l, t), node(through, fine.z, m, p));
        sink.push_back(sum);
      }
    }
  }
  return sink;
}

/// As in multigrid_levels(), over the diagonal: what a coarser grid cannot hold, or holds badly. `halve`: which of the
/// directions that grid has half as many nodes along.
Spectrum rough(const Balances& balances, const std::array<bool, 3>& halve) {
  constexpr double held_badly = 0.6;
  const auto factor = [](const Axis& axis) { return axis.is_flat() ? 0.0 : 1.0 / (axis.spacing * axis.spacing); };
  const std::array factors{factor(balances.x), factor(balances.y), factor(balances.z)};
  const double diagonal = 2.0 * factors[0] + 2.0 * factors[1] + 2.0 * factors[2];
  double least = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (halve[axis]) least = std::min(least, 2.0 * factors[axis] / diagonal);
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
    const std::array axes{&balances->x, &balances->y, &balances->z};
    const Spectrum spectrum = levels.empty() ? medium.bounds.jacobi : bounds_of(*balances).jacobi;
    // Sweeps damp little along a direction whose nodes lie much further apart than those of another.
    double closest = std::numeric_limits<double>::infinity();
    for (const Axis* axis : axes)
      if (!axis->is_flat()) closest = std::min(closest, axis->spacing);
    std::array<bool, 3> halve{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      halve[axis] =
          halved_intervals(*axes[axis]) < axes[axis]->intervals && axes[axis]->spacing <= most_stretched * closest;
    const bool any = std::ranges::find(halve, true) != halve.end();
    std::int64_t sweeps = fewest;
    while (!any && sweeps < most && chebyshev_reduction(spectrum, sweeps) > unsolved) sweeps *= 2;
    if (!any || chebyshev_reduction(spectrum, sweeps) <= unsolved) {
      levels.push_back({balances, {}, chebyshev_weights(spectrum, sweeps)});
      return levels;
    }
    const Spectrum waves = rough(*balances, halve);
    levels.push_back({balances, levels.empty() ? std::vector<double>{} : chebyshev_weights(waves, 1),
                      chebyshev_weights(waves, smoothing)});
    const auto coarser = [&](std::size_t axis) {
      return axes[axis]->with(halve[axis] ? halved_intervals(*axes[axis]) : axes[axis]->intervals);
    };
    const Axis x = coarser(0);
    const Axis y = coarser(1);
    const Axis z = coarser(2);
    cells = cells.coarser(x.intervals, y.intervals, z.intervals);
    auto made = std::make_shared<Balances>(cells, x, y, z);
    made->sink = coarser_sink(*balances, x, y, z);
    balances = std::move(made);
  }
}

}  // namespace quoin
