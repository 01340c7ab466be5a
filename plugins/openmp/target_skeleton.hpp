#pragma once

// How kernels run as target regions. Nothing of the standard library is instantiated here: what includes this is
// compiled for x86-64-v3 and for the devices, and the linker would be free to keep such a version for everyone.
// Compilers make a version of each region for the host too, where none ever runs: an executor refuses a device that
// does not leave it. There the work is left out, for it would cost as much to compile as a device's.

#define QN_ISA target
#include "kernels/march.hpp"
#include "kernels/skeleton_cpu.hpp"
#include "kernels/stretches.hpp"
#include "segments.hpp"
#include "target_launch.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

QN_CALL bool stopped(const qn_index* control) { return control != nullptr && control[0] != 0; }

/// The items of a map: tiles of the range, numbered row by row.
template <class T, class Point>
struct Tiles {
  Range range;
  qn_index columns, rows, across;
  const qn_index* control;
  Point point;
  Tiles(const Range& range_, const openmp::Machine& machine, const qn_index* control_, const Point& point_)
      : range(range_),
        columns(machine.item_columns),
        rows(machine.rows_of((range.i1 - range.i0) * (range.j1 - range.j0))),
        across((range.i1 - range.i0 + columns - 1) / columns),
        control(control_),
        point(point_) {}
  [[nodiscard]] QN_CALL qn_index count() const { return across * ((range.j1 - range.j0 + rows - 1) / rows); }
  [[nodiscard]] QN_CALL bool stopped() const { return target::stopped(control); }

  QN_CALL void work(qn_index item) const {
    const Range tile = at(item);
#if QN_GPU
    for (qn_index row = tile.j0; row < tile.j1; ++row) point.template at<T>(tile.i0, row);
#else
    map_rows<T>(tile, point);
#endif
  }

 private:
  [[nodiscard]] QN_CALL Range at(qn_index item) const {
    const qn_index i = range.i0 + item % across * columns;
    const qn_index j = range.j0 + item / across * rows;
    return {i, i + columns < range.i1 ? i + columns : range.i1, j, j + rows < range.j1 ? j + rows : range.j1};
  }
};

/// The items of block sums. On a GPU an item is a column pair of a block: neighbouring items are neighbouring
/// lanes, so the 8 sums of a block are joined by shuffles. These take all lanes: items fill whole subgroups.
template <class T, class Point>
struct Sums {
  Range range;
  qn_index across, items;
  View<T> partials;
  const qn_index* control;
  Point point;
  Sums(const Range& range_, openmp::Architecture architecture, View<T> partials_, const qn_index* control_,
       const Point& point_)
      : range(range_), partials(partials_), control(control_), point(point_) {
    if (architecture == openmp::Architecture::x86_64) {
      across = items = Strips(range).count();
    } else {
      constexpr qn_index widest = 64;
      across = (range.i1 - range.i0 + block_columns - 1) / block_columns * (block_columns / 2);
      const qn_index all = across * ((range.j1 - range.j0 + block_rows - 1) / block_rows);
      items = (all + widest - 1) / widest * widest;
    }
  }
  [[nodiscard]] QN_CALL qn_index count() const { return items; }
  [[nodiscard]] QN_CALL bool stopped() const { return target::stopped(control); }

  QN_CALL void work(qn_index item) const {
#if QN_GPU
    const qn_index pair = item % across;
    const qn_index block_row = item / across;
    const qn_index i = range.i0 + 2 * pair;
    const qn_index j = range.j0 + block_rows * block_row;
    const qn_index j1 = j + block_rows < range.j1 ? j + block_rows : range.j1;
    T sum = 0;
    if (i < range.i1) {
      for (qn_index row = j; row < j1; ++row) {
        const T low = point.template at<T>(i, row);
        const T high = i + 1 < range.i1 ? point.template at<T>(i + 1, row) : T(0);
        sum = sum + (low + high);
      }
    }
    for (unsigned delta = 1; delta < block_pairs; delta *= 2) sum = sum + shifted(sum, delta);
    if (pair % block_pairs == 0 && j < range.j1) *partials.at(pair / block_pairs, block_row) = sum;
#else
    Strips(range).map(item, partials, point);
#endif
  }

#if QN_GPU
  static constexpr int block_pairs = block_columns / 2;
  static float shifted(float value, unsigned delta) {
    return ompx_shfl_down_sync_f(~std::uint64_t{0}, value, delta, block_pairs);
  }
  static double shifted(double value, unsigned delta) {
    return ompx_shfl_down_sync_d(~std::uint64_t{0}, value, delta, block_pairs);
  }
#endif
};

/// The items of a pass of at most Depth sweeps, lanes of subgroups. Only GPUs have passes of several.
template <int Depth, class T, bool RhsArray>
struct Bands {
  SweepPass<T, RhsArray> pass;
  MarchGrid grid;
  qn_index lanes;
  const qn_index* control;
  [[nodiscard]] QN_CALL qn_index count() const { return grid.columns() * grid.segments * lanes; }
  [[nodiscard]] QN_CALL bool stopped() const { return target::stopped(control); }

  QN_CALL void work([[maybe_unused]] qn_index item) const {
#if QN_GPU
    const qn_index number = item / Lanes::size;
    const auto piece = grid.template piece<T>(number % grid.columns(), number / grid.columns(), Lanes::size);
    if (piece.rows == 0) return;
    const Lanes subgroup{static_cast<int>(item % Lanes::size)};
    const Segment<T, RhsArray> segment(pass, piece.column, piece.row, subgroup.lane());
    LoadedRows<T, RhsArray> rows(segment);
    March<T, RhsArray, MarchShape<Depth, 1, true>, Lanes, LoadedRows<T, RhsArray>>(segment, subgroup, rows)
        .run(piece.height());
#endif
  }

#if QN_GPU
  /// The collectives that a march takes, by the device runtime's shuffles of 32 or 64 bits.
  struct Lanes {
#if defined(__NVPTX__)
    static constexpr int size = 32;
#else
    static constexpr int size = 64;
#endif
    int number;
    [[nodiscard]] int lane() const { return number; }
    [[nodiscard]] T shuffle_down(T value, int distance) const {
      return shifted(value, static_cast<unsigned>(distance));
    }
    [[nodiscard]] T shuffle_up(T value, int distance) const {
      const int from = number >= distance ? number - distance : number;
      std::int32_t words[sizeof(T) / sizeof(std::int32_t)];
      __builtin_memcpy(words, &value, sizeof value);
      for (std::int32_t& word : words) word = of_lane(word, from);
      __builtin_memcpy(&value, words, sizeof value);
      return value;
    }

   private:
    static float shifted(float value, unsigned distance) {
      return ompx_shfl_down_sync_f(~std::uint64_t{0}, value, distance, size);
    }
    static double shifted(double value, unsigned distance) {
      return ompx_shfl_down_sync_d(~std::uint64_t{0}, value, distance, size);
    }
    static std::int32_t of_lane(std::int32_t word, int from) {
#if defined(__NVPTX__)
      return __nvvm_shfl_sync_idx_i32(~0U, word, from, 31);
#else
      return __builtin_amdgcn_ds_bpermute(4 * from, word);
#endif
    }
  };
#endif
};

/// The items of a range of entities: on a GPU an entity, else a whole group.
template <class T, class Point>
struct Groups {
  Range range;
  qn_index items_of_group;
  Point point;
  [[nodiscard]] QN_CALL qn_index count() const { return (range.i1 - range.i0) / entity_group * items_of_group; }
  [[nodiscard]] QN_CALL bool stopped() const { return false; }

  QN_CALL void work(qn_index item) const {
#if QN_GPU
    point.template at<T>(range.i0 + item);
#else
    map_packs<T>(range.i0 + item * entity_group, range.i0 + (item + 1) * entity_group, point);
#endif
  }
};

/// A team a list, or several in turn: at most so many segments, then groups of them, then the rest.
template <class T, class Point>
struct Lists {
  Range range;
  View<const T> lists;
  Segments segments;
  T* scratch;
  Point point;

  QN_CALL void work(const Member& member) const {
    const Segments groups(segments.count, openmp::Target::groups);
    T* const segment_sums = scratch + member.team * (openmp::Target::segments + openmp::Target::groups);
    T* const group_sums = segment_sums + openmp::Target::segments;
    const bool stopped = point.stopped();
    for (qn_index j = range.j0 + member.team; j < range.j1 && !stopped; j += member.teams) {
      const T* const values = lists.at(range.i0, j);
      for (qn_index k = member.number; k < segments.count; k += member.members)
        segment_sums[k] = Bodies<T, T>::tree_sum(values + segments.begin(k), segments.size(k));
      team_barrier();
      for (qn_index k = member.number; k < groups.count; k += member.members)
        group_sums[k] = Bodies<T, T>::tree_sum(segment_sums + groups.begin(k), groups.size(k));
      team_barrier();
      if (member.number == 0) point(j - range.j0, Bodies<T, T>::tree_sum(group_sums, groups.count));
    }
  }
};

struct TargetSkeleton {
  openmp::Target target;

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    const openmp::Machine machine = openmp::machine_of(target.architecture);
    const Tiles<T, Point> tiles(range, machine, control, point);
    const auto points = static_cast<std::uint64_t>(tiles.count());
    const auto lanes = static_cast<qn_index>(
        stretch_lanes<T>(point, points, static_cast<std::uint64_t>(machine.stretch_bytes), team_lanes));
    launch_items<group_of<Point>(team_lanes)>(target, tiles, lanes / team_lanes * machine.units);
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    launch_items(target, Sums<T, Point>(range, target.architecture, partials, control, point));
  }

  template <class T, bool RhsArray>
  void sweep(const SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    pass.count > 2 ? march<openmp::sweep_depth>(pass, control) : march<2>(pass, control);  // smoothers do two
  }

  template <int Depth, class T, bool RhsArray>
  void march(const SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    const openmp::Machine machine = openmp::machine_of(target.architecture);
    const auto lanes = static_cast<int>(machine.subgroup);
    launch_items(target, Bands<Depth, T, RhsArray>{
                             pass, MarchGrid::over<T>(pass.box, lanes, machine.sweep_bands, 65535), lanes, control});
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    launch_items(target, Groups<T, Point>{range, openmp::machine_of(target.architecture).entity_items, point});
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    using openmp::Target;
    const qn_index wanted = range.j1 - range.j0;
    launch_teams(target, static_cast<int>(wanted < Target::teams ? wanted : Target::teams),
                 openmp::machine_of(target.architecture).reduce_threads,
                 Lists<T, Point>{range, lists, Segments(range.i1 - range.i0, Target::segments),
                                 static_cast<T*>(target.scratch), point});
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
