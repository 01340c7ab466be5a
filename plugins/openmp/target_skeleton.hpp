#pragma once

// How kernels run as target regions. Nothing of the standard library is instantiated here: what includes this is
// compiled for x86-64-v3 and for the devices, and the linker would be free to keep such a version for everyone.
// Compilers make a version of each region for the host too, where none ever runs: an executor refuses a device that
// does not leave it. There the work is left out, for it would cost as much to compile as a device's.

#define QN_ISA target
#include <omp.h>

#include "kernels/march.hpp"
#include "kernels/skeleton_cpu.hpp"
#include "segments.hpp"
#include "target.hpp"

#if defined(__NVPTX__) || defined(__AMDGCN__)
#define QN_GPU 1
extern "C" {  // LLVM's shuffles among the lanes of a subgroup, from the OpenMP device runtime
float ompx_shfl_down_sync_f(std::uint64_t mask, float value, unsigned delta, int width);
double ompx_shfl_down_sync_d(std::uint64_t mask, double value, unsigned delta, int width);
}
#else
#define QN_GPU 0
#endif

namespace quoin::kernels {
inline namespace QN_ISA {

QN_CALL bool stopped(const qn_index* control) { return control != nullptr && control[0] != 0; }

/// The items of a map: tiles of the range, numbered row by row.
struct Tiles {
  Range range;
  qn_index columns, rows, across;
  Tiles(const Range& range_, const openmp::Machine& machine)
      : range(range_),
        columns(machine.item_columns),
        rows(machine.item_rows),
        across((range.i1 - range.i0 + columns - 1) / columns) {}
  [[nodiscard]] qn_index count() const { return across * ((range.j1 - range.j0 + rows - 1) / rows); }

  template <class T, class Point>
  QN_CALL void work([[maybe_unused]] qn_index item, [[maybe_unused]] const Point& point) const {
#if QN_GPU
    const Range tile = at(item);
    for (qn_index row = tile.j0; row < tile.j1; ++row) point.template at<T>(tile.i0, row);
#elif defined(QN_PROCESSOR_IMAGE)
    map_rows<T>(at(item), point);
#endif
  }

 private:
  QN_CALL Range at(qn_index item) const {
    const qn_index i = range.i0 + item % across * columns;
    const qn_index j = range.j0 + item / across * rows;
    return {i, i + columns < range.i1 ? i + columns : range.i1, j, j + rows < range.j1 ? j + rows : range.j1};
  }
};

/// The items of block sums. On a GPU an item is a column pair of a block: neighbouring items are neighbouring
/// lanes, so the 8 sums of a block are joined by shuffles. These take all lanes: items fill whole subgroups.
struct Sums {
  Range range;
  qn_index across, items;
  Sums(const Range& range_, openmp::Architecture architecture) : range(range_) {
    if (architecture == openmp::Architecture::x86_64) {
      across = items = Strips(range).count();
    } else {
      constexpr qn_index widest = 64;
      across = (range.i1 - range.i0 + block_columns - 1) / block_columns * (block_columns / 2);
      const qn_index all = across * ((range.j1 - range.j0 + block_rows - 1) / block_rows);
      items = (all + widest - 1) / widest * widest;
    }
  }

  template <class T, class Point>
  QN_CALL void work([[maybe_unused]] qn_index item, [[maybe_unused]] View<T> partials,
                    [[maybe_unused]] const Point& point) const {
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
#elif defined(QN_PROCESSOR_IMAGE)
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
  [[nodiscard]] qn_index count() const { return grid.bands * grid.segments * lanes; }

  QN_CALL void work([[maybe_unused]] qn_index item) const {
#if QN_GPU
    const qn_index band = item / Lanes::size;
    const qn_index row = grid.row_of(band / grid.bands);
    const qn_index column = band % grid.bands * (band_columns<T>(Lanes::size) / block_columns);
    const Lanes subgroup{static_cast<int>(item % Lanes::size)};
    const Segment<T, RhsArray> segment(pass, column, row, subgroup.lane());
    LoadedRows<T, RhsArray> rows(segment);
    March<T, RhsArray, MarchShape<Depth, 1, true>, Lanes, LoadedRows<T, RhsArray>>(segment, subgroup, rows)
        .run(static_cast<int>((grid.row_of(band / grid.bands + 1) - row) * block_rows));
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
struct Groups {
  Range range;
  int items_of_group;
  [[nodiscard]] qn_index count() const { return (range.i1 - range.i0) / entity_group * items_of_group; }

  template <class T, class Point>
  QN_CALL void work([[maybe_unused]] qn_index item, [[maybe_unused]] const Point& point) const {
#if QN_GPU
    point.template at<T>(range.i0 + item);
#elif defined(QN_PROCESSOR_IMAGE)
    map_packs<T>(range.i0 + item * entity_group, range.i0 + (item + 1) * entity_group, point);
#endif
  }
};

/// Regions hold no conditional compilation: host and devices must capture the same variables in the same order.
struct TargetSkeleton {
  openmp::Target target;

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    const Tiles tiles(range, openmp::machine_of(target.architecture));
    const qn_index count = tiles.count();
    const int device = target.device;
#pragma omp target teams distribute parallel for device(device) firstprivate(tiles, point) is_device_ptr(control)
    for (qn_index item = 0; item < count; ++item) {
      if (!stopped(control)) tiles.template work<T>(item, point);
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    const Sums sums(range, target.architecture);
    const qn_index count = sums.items;
    const int device = target.device;
#pragma omp target teams distribute parallel for device(device) firstprivate(sums, partials, point) \
    is_device_ptr(control)
    for (qn_index item = 0; item < count; ++item) {
      if (!stopped(control)) sums.template work<T>(item, partials, point);
    }
  }

  template <class T, bool RhsArray>
  void sweep(const SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    pass.count > 2 ? march<openmp::sweep_depth>(pass, control) : march<2>(pass, control);  // smoothers do two
  }

  template <int Depth, class T, bool RhsArray>
  void march(const SweepPass<T, RhsArray>& pass, const qn_index* control) const {
    const openmp::Machine machine = openmp::machine_of(target.architecture);
    const auto lanes = static_cast<int>(machine.subgroup);
    const Bands<Depth, T, RhsArray> bands{pass, MarchGrid::over<T>(pass.box, lanes, machine.sweep_bands, 65535), lanes};
    const qn_index count = bands.count();
    const int device = target.device;
    // Each team has memory of a multiprocessor's: by itself the runtime makes so many of so few lanes that not all fit.
    constexpr int lanes_of_team = 128;
    const auto teams = static_cast<int>((count + lanes_of_team - 1) / lanes_of_team);
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(lanes_of_team) device(device) \
    firstprivate(bands) is_device_ptr(control)
    for (qn_index item = 0; item < count; ++item) {
      if (!stopped(control)) bands.work(item);
    }
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    const Groups groups{range, openmp::machine_of(target.architecture).entity_items};
    const qn_index count = groups.count();
    const int device = target.device;
#pragma omp target teams distribute parallel for device(device) firstprivate(groups, point)
    for (qn_index item = 0; item < count; ++item) groups.template work<T>(item, point);
  }

  /// A team a list, or several in turn: at most 1024 segments, then 32 groups of them, then the rest.
  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    const Segments segments(range.i1 - range.i0, openmp::Target::segments);
    const Segments groups(segments.count, openmp::Target::groups);
    T* const scratch = static_cast<T*>(target.scratch);
    const int device = target.device;
    const int threads = openmp::machine_of(target.architecture).reduce_threads;
    const auto wanted = static_cast<int>(range.j1 - range.j0);
    const int teams = wanted < openmp::Target::teams ? wanted : openmp::Target::teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) device(device) \
    firstprivate(range, lists, segments, groups, point) is_device_ptr(scratch)
#pragma omp parallel num_threads(threads)
    {
      const qn_index first = omp_get_thread_num();
      const qn_index step = omp_get_num_threads();
      T* const segment_sums = scratch + omp_get_team_num() * (openmp::Target::segments + openmp::Target::groups);
      T* const group_sums = segment_sums + openmp::Target::segments;
      const bool stopped = point.stopped();
      for (qn_index j = range.j0 + omp_get_team_num(); j < range.j1 && !stopped; j += omp_get_num_teams()) {
        const T* const values = lists.at(range.i0, j);
        for (qn_index k = first; k < segments.count; k += step) {
          segment_sums[k] = Bodies<T, T>::tree_sum(values + segments.begin(k), segments.size(k));
        }
#pragma omp barrier
        for (qn_index k = first; k < groups.count; k += step) {
          group_sums[k] = Bodies<T, T>::tree_sum(segment_sums + groups.begin(k), groups.size(k));
        }
#pragma omp barrier
        if (first == 0) point(j - range.j0, Bodies<T, T>::tree_sum(group_sums, groups.count));
      }
    }
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
