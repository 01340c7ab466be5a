#include "problems/jacobi/scheme/multigrid_grids.hpp"

#include <algorithm>
#include <span>

#include "device/upload.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

Box box_of(const Level& level) { return Box::plane(level.nx, level.ny); }

}  // namespace

KernelSpec smoothing_spec(const Executor& executor, const JacobiSetup& setup, const Level& level, bool finest) {
  constexpr std::int64_t most = 8;  // a coarsest grid has up to 16
  return sweeps_spec(executor, setup, !finest || !setup.source.constant(), std::min(sweeps_of(level, finest), most));
}

KernelSpec restrict_spec(const JacobiSetup& setup, const KernelSpec& smoothing) {
  return {"jacobi_restrict", setup.method.precision, {smoothing.constants.front()}};
}
KernelSpec prolong_spec(const JacobiSetup& setup) { return {"jacobi_prolong", setup.method.precision, {}}; }

DeviceInterpolation::DeviceInterpolation(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                         Queue& queue, const Interpolation& on_host)
    : below(uploaded(executor, queue, std::as_bytes(std::span(on_host.below)))),
      share(uploaded(executor, queue, in_precision(on_host.share, setup.method.precision))),
      first(uploaded(executor, queue, std::as_bytes(std::span(on_host.first)))),
      weights(uploaded(executor, queue, in_precision(on_host.weights, setup.method.precision))),
      coarse(static_cast<std::int64_t>(on_host.first.size())),
      count(on_host.count) {}

DeviceGrid::DeviceGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                       KernelTimer& timer, const Level& on_host, bool finest)
    : level(on_host),
      spec(smoothing_spec(*executor, setup, level, finest)),
      u{Field(executor, level.nx, level.ny, 1, setup.method.precision),
        Field(executor, level.nx, level.ny, 1, setup.method.precision)},
      sweeps(executor, queue, spec, box_of(level), level.stencil, level.weights, timer) {
  if (finest) return;
  f = std::make_unique<Field>(executor, level.nx, level.ny, 0, setup.method.precision);
  for (Field& field : u) field.upload(queue, [](std::int64_t, std::span<double>) {});
}

GridStep::GridStep(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                   KernelTimer& timer, const DeviceGrid& fine, const DeviceGrid& coarse)
    : x(executor, setup, queue, Interpolation(fine.level.nx, coarse.level.nx)),
      y(executor, setup, queue, Interpolation(fine.level.ny, coarse.level.ny)),
      down(*executor, restrict_spec(setup, fine.spec), box_of(coarse.level), timer),
      up(*executor, prolong_spec(setup), box_of(fine.level), timer) {}

}  // namespace quoin
