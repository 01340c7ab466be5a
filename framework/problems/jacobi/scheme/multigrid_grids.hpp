#pragma once

// The grids of multigrid on the device, and what leads from one to the next.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "problems/jacobi/scheme/coarsening.hpp"
#include "problems/jacobi/scheme/row_exchange.hpp"
#include "problems/jacobi/scheme/sweep_kernel.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// The number of the first sweep that is launched on a grid: a restriction does the one before.
inline std::int64_t first_sweep(bool finest) { return finest ? 0 : 1; }

inline std::int64_t sweeps_of(const Level& level, bool finest) {
  return static_cast<std::int64_t>(level.weights.size()) - first_sweep(finest);
}

/// Of the passes of a grid's sweeps, and of the kernels between it and the next coarser one.
KernelSpec smoothing_spec(const Executor& executor, const JacobiSetup& setup, const Level& level, bool finest);
KernelSpec restrict_spec(const JacobiSetup& setup, const KernelSpec& smoothing);
KernelSpec prolong_spec(const JacobiSetup& setup);

/// A level on several ranks.
struct LevelPart {
  Strips strips;  ///< the rows that each rank makes of the finer level's
  bool cut;       ///< whether each holds its strip alone: of small levels, all hold and smooth the whole
  Strip made;     ///< the rows that this rank makes,
  Strip rows;     ///< and holds
};
/// Of all levels, for one of several ranks. Those below one that is not cut are made as if each rank were alone.
std::vector<LevelPart> level_parts(const std::vector<Level>& levels, const Communicator& ranks);
/// Nodes of the first level that all hold, at most.
double gathered_nodes(int ranks);
/// Ghost rows of a level that is cut, at most: as many as the sweeps of a pass, and what a coarser row is made of.
inline constexpr std::int64_t most_ghost_rows = 8, fewest_ghost_rows = 5;

/// The tables of an interpolation.
struct DeviceInterpolation {
  DeviceInterpolation(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue,
                      const Interpolation& on_host);
  Argument weights_argument() { return Argument::buffer(weights.memory(), 0, coarse); }
  Buffer<std::byte> below, share, first, weights;
  std::int64_t coarse, count;
};

/// The iterate, or away from the finest grid the correction of the next finer one, whose sides are 0.
struct DeviceGrid {
  DeviceGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks, Queue& queue,
             KernelTimer& timer, const Level& on_host, const LevelPart& on_rank, bool finest);

  /// Where a field of a grid that is cut has been written, before its ghosts are read.
  void fetch_ghosts(Queue& queue, std::initializer_list<Field*> fields) {
    if (exchange) exchange->run(queue, fields);
  }

  Level level;
  LevelPart part;
  KernelSpec spec;
  std::int64_t depth;       ///< sweeps of a pass that all ranks' devices can do
  std::int64_t ghost_rows;  ///< where it is cut
  std::array<Field, 2> u;
  std::unique_ptr<Field> f;  ///< of the finest it is the case's
  SweepKernel sweeps;
  std::optional<RowExchange> exchange;
  std::size_t current = 0;  ///< the field of the iterate
};

/// Between a grid and the next coarser one.
struct GridStep {
  GridStep(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Communicator& ranks, Queue& queue,
           KernelTimer& timer, const DeviceGrid& fine, const DeviceGrid& coarse);
  /// Makes fields of the coarser grid, of which `down` has made this rank's rows, ready to be read.
  void complete(Queue& queue, DeviceGrid& coarse, std::initializer_list<Field*> fields);

  DeviceInterpolation x, y;
  TimedKernel down, up;
  std::int64_t first_made;               ///< row of the coarser grid on this rank
  std::optional<RowExchange> gathering;  ///< where the finer grid is cut and the coarser is not
};

}  // namespace quoin
