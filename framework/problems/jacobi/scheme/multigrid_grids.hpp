#pragma once

// The grids of multigrid on the device, and what leads from one to the next.

#include <array>
#include <cstdint>
#include <memory>

#include "problems/jacobi/scheme/coarsening.hpp"
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
  DeviceGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
             const Level& on_host, bool finest);
  Level level;
  KernelSpec spec;
  std::array<Field, 2> u;
  std::unique_ptr<Field> f;  ///< of the finest it is the case's
  SweepKernel sweeps;
  std::size_t current = 0;  ///< the field of the iterate
};

/// Between a grid and the next coarser one.
struct GridStep {
  GridStep(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
           const DeviceGrid& fine, const DeviceGrid& coarse);
  DeviceInterpolation x, y;
  TimedKernel down, up;
};

}  // namespace quoin
