#pragma once

// The machine facts of this backend, in one place: kernels and skeletons take them from here.

#include "runtime.hpp"

namespace quoin::hip {

/// Lanes of a hardware subgroup of the device that is compiled for: a warp, or a wavefront. The host's own
/// pass over the sources needs a number too, but runs no kernel with it.
#if defined(__AMDGCN_WAVEFRONT_SIZE)
inline constexpr int subgroup_width = __AMDGCN_WAVEFRONT_SIZE;
#else
inline constexpr int subgroup_width = 32;
#endif

inline constexpr int widest_subgroup = 64;  ///< of the devices that are compiled for

inline constexpr int map_threads = 256;  ///< work-items of a work-group that visits points
inline constexpr int map_rows = 2;       ///< ... each as many below one another, but of few points each one
inline constexpr unsigned few_points = 1 << 20;
inline constexpr int block_threads = 256;    ///< ... that sums blocks: 8 lanes each, so 32 blocks
inline constexpr int sweep_threads = 128;    ///< ... that does one sweep, each subgroup a strip of columns
inline constexpr int entity_threads = 64;    ///< ... that updates entities, which want many registers
inline constexpr int unknown_threads = 128;  ///< ... that has matrices in its memory
/// ... that is the team of one entity, in a half step and in a limiter.
inline constexpr int team_lanes(int order) { return order < 2 ? 64 : 128; }
inline constexpr int limit_lanes = 64;
/// ... of which a multiprocessor with nvcc has so many at once: those of order 3 of one variable take fewer registers
/// for it, so that 800 are there together, and 26 us on an H200, not 35. The others are as many as they would be
/// anyway.
inline constexpr int teams_at_once(int order, int variables) {
  constexpr int scalar[] = {0, 0, 0, 8, 5};
  constexpr int system[] = {0, 10, 5, 5, 4};
  return variables > 1 ? system[order] : scalar[order];
}
inline constexpr int limits_at_once = 12;
/// Entities of a launch up to which each has a team of lanes, where one lane each would take longer; four times as many
/// where they have faces on the boundary, whose sweeps are many. Measured on an H200.
inline constexpr int max_teams(int order, int variables) {
  constexpr int scalar[] = {0, 0, 0, 1024, 4096};
  constexpr int system[] = {0, 500, 2000, 7000, 30'000};
  return variables > 1 ? system[order] : scalar[order];
}
inline constexpr int max_limit_teams(int variables) { return 1000 * variables; }
/// ... and each of an entity's unknowns has a lane where a linear law goes by shared matrices, and finds these in the
/// work-group's memory; measured on an H200.
inline constexpr int max_by_unknowns(int order) { return order < 2 ? 60'000 : order == 2 ? 30'000 : 50'000; }
inline constexpr int max_by_shared(int order) {
  return order < 3 ? max_by_unknowns(order) : order == 3 ? 2'500 : 1'500;
}
inline constexpr int reduce_threads = 1024;  ///< ... that sums a list
inline constexpr unsigned max_groups_y = 65535;
/// Sweeps of a pass: a lane holds two rows of each in registers, and with hipcc 8 leave one wave on an execution unit
/// of gfx90a and do not fit on gfx1030. Work-groups of a pass, one subgroup each, for which registers must suffice: of
/// a multiprocessor with nvcc, of an execution unit with hipcc. How many rows are done at once, and whether bands
/// have loops of their own for rows without an edge, depends on registers as well.
/// Bytes that the lanes of a multiprocessor may read at once where each reads a stretch of its own, so that the lines
/// of the cache that one has begun are there for the rest; 0: not measured.
#if defined(__CUDACC__) && !defined(__HIP__)
inline constexpr unsigned stretch_bytes = 128 * 1024;
inline constexpr int sweep_depth = 8;
inline constexpr int few_sweeps = 4;  ///< of a pass that holds fewer rows, for smoothers; 0: there is none
constexpr int sweep_groups(int depth) { return depth > few_sweeps ? 12 : 16; }
inline constexpr int sweep_rows = 3;
inline constexpr bool sweep_whole_bands = true;
#else
inline constexpr unsigned stretch_bytes = 0;
inline constexpr int sweep_depth = 4;
inline constexpr int few_sweeps = 0;
constexpr int sweep_groups(int /*depth*/) { return 1; }
inline constexpr int sweep_rows = 1;
inline constexpr bool sweep_whole_bands = false;
#endif

}  // namespace quoin::hip
