#pragma once

// How this backend runs a kernel over its points; kernels/launchers.hpp says what each function must do.

#include <algorithm>
#include <bit>

#include "config.hpp"
#include "kernels/dialect/subgroup.hpp"
#include "kernels/lanes.hpp"
#include "kernels/launchers.hpp"
#include "kernels/stretches.hpp"
#include "sweeps.hpp"

namespace quoin::hip {

/// Whether each entity of a launch may have a team of lanes, and has; and its launch.
template <class Point>
struct Teams {
  static constexpr bool exist = false;
};
template <class T, class Point>
__global__ void update_by_teams(kernels::Range range, Point point);
/// Entities of a launch up to which each of their unknowns has a lane; and its launch.
template <class Point>
struct ByUnknowns {
  static constexpr int most = 0, most_shared = 0, unknowns = 1;
};
template <class T, class Point>
__global__ void update_by_unknowns(kernels::Range range, Point point);
template <class T, class Point>
__global__ void update_by_shared(kernels::Range range, Point point);

}  // namespace quoin::hip

#ifdef QN_FAMILY_dgcvs
#include "team.hpp"
#endif

namespace quoin::hip {

using kernels::qn_index;
using kernels::Range;
using kernels::View;

__device__ inline bool stopped(const qn_index* control) { return control != nullptr && control[0] != 0; }

template <class T, class Point>
__global__ void __launch_bounds__(map_threads) map_points(Range range, int rows, const qn_index* control, Point point) {
  begin_early();
  if (stopped(control)) return;
  const qn_index i = range.i0 + qn_index{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= range.i1) return;
  const qn_index group = qn_index{blockIdx.z} * gridDim.y + blockIdx.y;
  const qn_index j = range.j0 + (group * blockDim.y + threadIdx.y) * rows;
#pragma unroll
  for (int k = 0; k < map_rows; ++k)
    if (k < rows && j + k < range.j1) point.template at<T>(i, j + k);
}

/// By few lanes: kernels/stretches.hpp says why.
template <class T, class Point>
__global__ void __launch_bounds__(map_threads) map_stretches(Range range, const qn_index* control, Point point) {
  begin_early();
  if (stopped(control)) return;
  const qn_index step = qn_index{gridDim.x} * map_threads;
  for (qn_index i = range.i0 + qn_index{blockIdx.x} * map_threads + threadIdx.x; i < range.i1; i += step)
    point.template at<T>(i, range.j0);
}

template <class T, class Point>
__global__ void __launch_bounds__(block_threads)
    sum_blocks(Range range, View<T> partials, const qn_index* control, Point point) {
  begin_early();
  if (stopped(control)) return;
  const kernels::Subgroup<kernels::block_lanes> lanes;
  const qn_index block = (qn_index{blockIdx.x} * block_threads + threadIdx.x) / kernels::block_lanes;
  if (block < kernels::blocks_across(range) * kernels::blocks_down(range))
    kernels::sum_block(lanes, block, range, partials, point);
}

template <class T, class Point>
__global__ void __launch_bounds__(reduce_threads) sum_lists(Range range, View<const T> lists, Point point) {
  begin_early();
  if (point.stopped()) return;
  __shared__ T parts[reduce_threads / subgroup_width];
  const kernels::Subgroup<subgroup_width> lanes;
  const T sum = kernels::sum_list<reduce_threads>(lanes, static_cast<int>(threadIdx.x) / subgroup_width,
                                                  lists.at(range.i0, range.j0 + blockIdx.x), range.i1 - range.i0, parts,
                                                  [] { __syncthreads(); });
  if (threadIdx.x == 0) point(blockIdx.x, sum);
}

template <class T, class Point>
__global__ void __launch_bounds__(entity_threads) update_entities(Range range, Point point) {
  const qn_index e = range.i0 + qn_index{blockIdx.x} * entity_threads + threadIdx.x;
  if (e < range.i1) point.template at<T>(e);
}

/// Of the current device; 0 where the runtime cannot tell.
inline unsigned multiprocessors() {
  int device = 0;
  int units = 0;
  if (hipGetDevice(&device) != hipSuccess ||
      hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device) != hipSuccess)
    return 0;
  return static_cast<unsigned>(units);
}

struct DeviceSkeleton {
  Target target;

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    const auto columns = static_cast<std::uint64_t>(range.i1 - range.i0);
    const auto rows = static_cast<std::uint64_t>(range.j1 - range.j0);
    constexpr int threads = kernels::group_of<Point>(map_threads);
    const auto wide = static_cast<unsigned>(std::min<std::uint64_t>(threads, std::bit_ceil(columns)));
    const unsigned high = threads / wide;
    const auto parts = [](std::uint64_t whole, std::uint64_t part) {
      return static_cast<unsigned>((whole + part - 1) / part);
    };
    if constexpr (!Point::packs && stretch_bytes != 0) {
      const auto lanes = kernels::stretch_lanes<T>(point, columns, stretch_bytes, map_threads);
      const unsigned few = rows == 1 ? static_cast<unsigned>(lanes) / map_threads * multiprocessors() : 0;
      if (few > 0) {
        target.early(map_stretches<T, Point>, std::min(parts(columns, map_threads), few), map_threads, range, control,
                     point);
        return;
      }
    }
    const unsigned of_lane = columns * rows < few_points ? 1 : map_rows;
    const unsigned down = parts(rows, high * of_lane);
    const unsigned y = std::min(down, max_groups_y);
    const dim3 groups(parts(columns, wide), y, parts(down, y));
    target.early(map_points<T, Point>, groups, dim3(wide, high), range, static_cast<int>(of_lane), control, point);
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    const qn_index lanes = kernels::blocks_across(range) * kernels::blocks_down(range) * kernels::block_lanes;
    const dim3 groups(static_cast<unsigned>((lanes + block_threads - 1) / block_threads));
    target.early(sum_blocks<T, Point>, groups, block_threads, range, partials, control, point);
  }

  template <class T, bool RhsArray>
  void sweep(const kernels::SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    if constexpr (few_sweeps > 0)
      if (target.only_loads || pass.count <= few_sweeps) {
        launch_sweeps<few_sweeps>(target, pass, control);
        if (!target.only_loads) return;
      }
    launch_sweeps<sweep_depth>(target, pass, control);
  }
  template <class T, bool RhsArray>
  void map_blocks(const Range& /*range*/, View<T> /*partials*/, const qn_index* control,
                  const kernels::SweepPoint<T, RhsArray>& point) const {
    launch_sweep(target, point.pass, control);
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    const qn_index entities = range.i1 - range.i0;
    if constexpr (Teams<Point>::exist) {
      if (target.only_loads || Teams<Point>::take(entities, point.arguments)) {
        target(update_by_teams<T, Point>, static_cast<unsigned>(entities), Teams<Point>::lanes, range, point);
        if (!target.only_loads) return;
      }
    }
    const auto groups_of = [](qn_index lanes, int threads = entity_threads) {
      return static_cast<unsigned>((lanes + threads - 1) / threads);
    };
    using Unknowns = ByUnknowns<Point>;
    if constexpr (Unknowns::most_shared > 0) {
      if (target.only_loads || entities <= Unknowns::most_shared) {
        target.early(update_by_shared<T, Point>, groups_of(entities * Unknowns::unknowns, unknown_threads),
                     unknown_threads, range, point);
        if (!target.only_loads) return;
      }
    }
    if constexpr (Unknowns::most > Unknowns::most_shared) {
      if (target.only_loads || entities <= Unknowns::most) {
        target.early(update_by_unknowns<T, Point>, groups_of(entities * Unknowns::unknowns), entity_threads, range,
                     point);
        if (!target.only_loads) return;
      }
    }
    target(update_entities<T, Point>, groups_of(entities), entity_threads, range, point);
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    target.early(sum_lists<T, Point>, static_cast<unsigned>(range.j1 - range.j0), reduce_threads, range, lists, point);
  }
};

}  // namespace quoin::hip
