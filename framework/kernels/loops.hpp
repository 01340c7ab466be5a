#pragma once

// The simplest skeleton: plain loops on the host's processor. launchers.hpp says what each function must do.
// A backend for another device writes its own in this form.

// What checks others need not be fast: without forced inlining and unrolling it compiles in a third of the time.
#undef QN_CALL
#define QN_CALL inline
#undef QN_UNROLL
#define QN_UNROLL
#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

struct Loops {
  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    for (qn_index j = range.j0; j < range.j1; ++j) {
      for (qn_index i = range.i0; i < range.i1; ++i) point.template at<T>(i, j);
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    for (qn_index j = range.j0; j < range.j1; j += block_rows) {
      for (qn_index i = range.i0; i < range.i1; i += block_columns) {
        *partials.at((i - range.i0) / block_columns, (j - range.j0) / block_rows) =
            block_sum<T>({i, least(i + block_columns, range.i1), j, least(j + block_rows, range.j1)}, point);
      }
    }
  }

  template <class T, class Point>
  void map_entities(const Range& range, const Point& point) const {
    for (qn_index e = range.i0; e < range.i1; ++e) point.template at<T>(e);
  }

  template <class T, class Point>
  void reduce(const Range& range, View<const T> lists, const Point& point) const {
    if (point.stopped()) return;
    for (qn_index j = range.j0; j < range.j1; ++j)
      point(j - range.j0, Bodies<T, T>::tree_sum(lists.at(range.i0, j), range.i1 - range.i0));
  }

 private:
  static qn_index least(qn_index a, qn_index b) { return a < b ? a : b; }

  template <class T, class Point>
  static T block_sum(const Range& block, const Point& point) {
    T pairs[block_columns / 2] = {};
    for (qn_index j = block.j0; j < block.j1; ++j) {
      for (qn_index i = block.i0; i < block.i1; i += 2) {
        const T low = point.template at<T>(i, j);
        const T high = i + 1 < block.i1 ? point.template at<T>(i + 1, j) : T(0);
        pairs[(i - block.i0) / 2] += low + high;
      }
    }
    return Bodies<T, T>::tree_across(pairs);
  }
};

/// Any catalogue kernel with plain loops: the function that quoin::HostExecutor takes.
inline void launch_loops(const Variant& variant, const Range& range, const Resolved* arguments) {
  launch_any(Loops{}, variant, range, arguments);
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
