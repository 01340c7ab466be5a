#include "problems/jacobi/scheme/multigrid_grids.hpp"

#include <algorithm>
#include <span>

#include "device/upload.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// Nodes a rank below which it takes longer to send a level's rows around than to smooth all of them.
constexpr std::int64_t worthwhile_nodes = 4096;

Field field_of(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, const DeviceGrid& grid,
               std::int64_t ring) {
  return {executor, grid.level.nx,          grid.part.rows.rows(),
          ring,     setup.method.precision, grid.part.cut ? grid.ghost_rows : ring};
}

}  // namespace

KernelSpec smoothing_spec(const Executor& executor, const JacobiSetup& setup, const Level& level, bool finest) {
  constexpr std::int64_t most = most_ghost_rows;  // a coarsest grid has up to 16 sweeps
  return sweeps_spec(executor, setup, !finest || !setup.source.constant(), std::min(sweeps_of(level, finest), most));
}

KernelSpec restrict_spec(const JacobiSetup& setup, const KernelSpec& smoothing) {
  return {"jacobi_restrict", setup.method.precision, {smoothing.constants.front()}};
}
KernelSpec prolong_spec(const JacobiSetup& setup) { return {"jacobi_prolong", setup.method.precision, {}}; }

std::vector<LevelPart> level_parts(const std::vector<Level>& levels, const Communicator& ranks) {
  const auto part_of = [&](const Level& level, const Strips& strips, bool cut) {
    const Strip made = strips[ranks.rank()];
    return LevelPart{strips, cut, made, cut ? made : Strip{0, level.ny}};
  };
  std::vector<LevelPart> parts{part_of(levels.front(), Strips(levels.front().ny, ranks.size()), ranks.size() > 1)};
  for (std::size_t k = 1; k < levels.size(); ++k) {
    const LevelPart& finer = parts.back();
    const Level& level = levels[k];
    if (!finer.cut) {
      parts.push_back({finer.strips, false, {0, level.ny}, {0, level.ny}});
      continue;
    }
    const Strips strips = finer.strips.coarser(Interpolation(levels[k - 1].ny, level.ny).first);
    const bool worthwhile = level.nx * level.ny >= worthwhile_nodes * ranks.size();
    parts.push_back(part_of(level, strips, worthwhile && strips.hold(finer.strips, most_ghost_rows)));
  }
  return parts;
}

double gathered_nodes(int ranks) { return static_cast<double>(worthwhile_nodes) * ranks; }

DeviceInterpolation::DeviceInterpolation(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                         Queue& queue, const Interpolation& on_host)
    : below(uploaded(executor, queue, std::as_bytes(std::span(on_host.below)))),
      share(uploaded(executor, queue, in_precision(on_host.share, setup.method.precision))),
      first(uploaded(executor, queue, std::as_bytes(std::span(on_host.first)))),
      weights(uploaded(executor, queue, in_precision(on_host.weights, setup.method.precision))),
      coarse(static_cast<std::int64_t>(on_host.first.size())),
      count(on_host.count) {}

DeviceGrid::DeviceGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks,
                       Queue& queue, KernelTimer& timer, const Level& on_host, const LevelPart& on_rank, bool finest)
    : level(on_host),
      part(on_rank),
      spec(smoothing_spec(*executor, setup, level, finest)),
      depth(least_of(ranks, spec.constant("depth", 1))),
      ghost_rows(std::max(depth, fewest_ghost_rows)),
      u{field_of(executor, setup, *this, 1), field_of(executor, setup, *this, 1)},
      sweeps(executor, queue, spec, Box::plane(level.nx, part.rows.rows()), level.stencil, level.weights, timer) {
  const StripGrid grid{ranks, part.strips, level.nx, setup.method.precision};
  if (part.cut) finest ? exchange.emplace(ranks, setup, ghost_rows) : exchange.emplace(grid, ghost_rows);
  if (finest) return;
  f = std::make_unique<Field>(field_of(executor, setup, *this, 0));
  for (Field& field : u) field.upload(queue, [](std::int64_t, std::span<double>) {});
}

GridStep::GridStep(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks,
                   Queue& queue, KernelTimer& timer, const DeviceGrid& fine, const DeviceGrid& coarse)
    : x(executor, setup, queue, Interpolation(fine.level.nx, coarse.level.nx)),
      y(executor, setup, queue,
        Interpolation(fine.level.ny, coarse.level.ny).part(fine.part.rows, coarse.part.made, coarse.part.rows.first)),
      down(*executor, restrict_spec(setup, fine.spec), Box::plane(coarse.level.nx, coarse.part.made.rows()), timer),
      up(*executor, prolong_spec(setup), Box::plane(fine.level.nx, fine.part.rows.rows()), timer),
      first_made(coarse.part.made.first - coarse.part.rows.first) {
  if (fine.part.cut && !coarse.part.cut)
    gathering.emplace(RowExchange::of_all({ranks, coarse.part.strips, coarse.level.nx, setup.method.precision}));
}

void GridStep::complete(Queue& queue, DeviceGrid& coarse, std::initializer_list<Field*> fields) {
  if (gathering)
    gathering->run(queue, fields);
  else
    coarse.fetch_ghosts(queue, fields);
}

}  // namespace quoin
