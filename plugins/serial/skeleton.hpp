#pragma once

// How the serial backend runs a kernel: rows of SIMD packs with a scalar tail, one thread.

#include "kernels/passes_cpu.hpp"
#include "kernels/sweeps_cpu.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

struct SerialSkeleton {
  qn_index tile_columns;  ///< of a pass of several sweeps

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    map_rows<T>(range, point);
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    const Strips strips(range);
    for (qn_index k = 0; k < strips.count(); ++k) strips.map(k, partials, point);
  }

  template <class T, bool RhsArray>
  void sweep(const SweepPass<T, RhsArray>& point, const qn_index* control) const {
    if (control != nullptr && control[0] != 0) return;
    const BoxTiles tiles(point.box, tile_columns, point.box.j1 - point.box.j0);
    for (qn_index k = 0; k < tiles.count(); ++k) SweepTile<T, RhsArray>(point, tiles.at(k)).run();
  }

  template <class Pass>
  void sweep_rows(const Pass& pass, const qn_index* control) const {
    using T = typename Pass::Element;
    if (control != nullptr && control[0] != 0) return;
    const PassCut cut(pass, 1, tile_columns);
    const PassRings<T> rings(pass, cut.columns, 1);
    const BoxTiles tiles(pass.box, cut.columns, cut.rows);
    for (qn_index k = 0; k < tiles.count(); ++k) PassTile<Pass>(pass, tiles.at(k), rings, 0).run();
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    map_packs<T>(range.i0, range.i1, point);
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    if (point.stopped()) return;
    for (qn_index j = range.j0; j < range.j1; ++j)
      point(j - range.j0, Bodies<T, T>::tree_sum(lists.at(range.i0, j), range.i1 - range.i0));
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
