// The device "host threads": every kernel over strips of SIMD packs that a team of threads shares, for one
// instruction set. Compiled once for x86-64-v3 and once for x86-64-v4; nothing of the standard library is
// instantiated here, because the linker would be free to keep the version for the newer processor for everyone.

#include <omp.h>

#include "kernels/passes_cpu.hpp"
#include "kernels/sweeps_cpu.hpp"
#include "segments.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

struct ThreadsSkeleton {
  qn_index tile_columns;  ///< of a pass of several sweeps

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    // Rows are cut too, because lines and plain arrays are boxes of one row.
    const bool together = (range.i1 - range.i0) * (range.j1 - range.j0) > alone_points;
    const qn_index parts = (range.i1 - range.i0 + part_columns - 1) / part_columns;
#pragma omp parallel for collapse(2) schedule(static) if (together)
    for (qn_index j = range.j0; j < range.j1; ++j) {
      for (qn_index part = 0; part < parts; ++part) {
        const qn_index i = range.i0 + part * part_columns;
        map_rows<T>({i, i + part_columns < range.i1 ? i + part_columns : range.i1, j, j + 1}, point);
      }
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    const Strips strips(range);
    const qn_index count = strips.count();
    const bool together = (range.i1 - range.i0) * (range.j1 - range.j0) > alone_points;
#pragma omp parallel for schedule(static) if (together)
    for (qn_index k = 0; k < count; ++k) strips.map(k, partials, point);
  }

  template <class T, bool RhsArray>
  void sweep(const SweepPass<T, RhsArray>& point, const qn_index* control) const {
    if (control != nullptr && control[0] != 0) return;
    // Four tiles a thread or more, but no lower than what keeps the rows that two of them share few.
    constexpr qn_index lowest = 256;
    const auto cut = [&](qn_index rows) { return BoxTiles(point.box, tile_columns, rows); };
    qn_index rows = point.box.j1 - point.box.j0;
    while (rows > lowest && cut(rows).count() < 4 * omp_get_max_threads()) {
      rows = (rows / 2 + block_rows - 1) / block_rows * block_rows;
    }
    const BoxTiles tiles = cut(rows);
#pragma omp parallel for schedule(dynamic) if (tiles.count() > 1)
    for (qn_index k = 0; k < tiles.count(); ++k) SweepTile<T, RhsArray>(point, tiles.at(k)).run();
  }

  template <class Pass>
  void sweep_rows(const Pass& pass, const qn_index* control) const {
    using T = typename Pass::Element;
    if (control != nullptr && control[0] != 0) return;
    const PassCut cut(pass, omp_get_max_threads(), tile_columns);
    const BoxTiles tiles(pass.box, cut.columns, cut.rows);
    const PassRings<T> rings(pass, cut.columns, omp_get_max_threads());
#pragma omp parallel for schedule(dynamic) if (tiles.count() > 1)
    for (qn_index k = 0; k < tiles.count(); ++k) PassTile<Pass>(pass, tiles.at(k), rings, omp_get_thread_num()).run();
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    constexpr qn_index group = std::max(entity_group, entities_at_once<T, Point>);
    const qn_index groups = (range.i1 - range.i0 + group - 1) / group;
    // In some 16 parts a thread, so that one whose core is slowed down by others does not keep the rest waiting.
    const qn_index part = groups / (16 * omp_get_max_threads()) + 1;
#pragma omp parallel for schedule(dynamic, part) if (groups > 1)
    for (qn_index k = 0; k < groups; ++k) {
      map_packs<T>(range.i0 + k * group, std::min(range.i1, range.i0 + (k + 1) * group), point);
    }
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    if (point.stopped()) return;
    const qn_index count = range.i1 - range.i0;
    const Segments segments(count, max_segments);
    for (qn_index j = range.j0; j < range.j1; ++j) {
      const T* const values = lists.at(range.i0, j);
      T sums[max_segments];
#pragma omp parallel for schedule(static) if (count > alone_points)
      for (qn_index k = 0; k < segments.count; ++k) {
        sums[k] = Bodies<T, T>::tree_sum(values + segments.begin(k), segments.size(k));
      }
      point(j - range.j0, Bodies<T, T>::tree_sum(sums, segments.count));
    }
  }

 private:
  static constexpr qn_index part_columns = 2048;
  static constexpr qn_index max_segments = 256;
  static constexpr qn_index alone_points = 8192;  // one thread is done with these before a team has started
};

}  // namespace QN_ISA
}  // namespace quoin::kernels

void QN_JOIN(launch_threads_, QN_ISA)(std::int64_t columns, const quoin::Variant& variant,
                                      const quoin::kernels::Range& range, const quoin::kernels::Resolved* arguments) {
  quoin::kernels::launch_any(quoin::kernels::ThreadsSkeleton{columns}, variant, range, arguments);
}
