#pragma once

// How the serial backend runs a kernel: rows of SIMD packs with a scalar tail, one thread.

#include "kernels/dialect/pack.hpp"
#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Lanes of a pack: 8 where there are 512-bit registers, but never more than the 8 accumulators of a block.
template <class T>
#if defined(__AVX512F__)
inline constexpr int pack_width = 8;
#else
inline constexpr int pack_width = 32 / sizeof(T);
#endif

struct SerialSkeleton {
  /// Columns of a strip: whole blocks, few enough that its accumulators stay in the first cache.
  static constexpr qn_index strip = 512;

  template <class T, class Point>
  void map(const Range& range, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    using Wide = Pack<T, pack_width<T>>;
    for (qn_index j = range.j0; j < range.j1; ++j) {
      qn_index i = range.i0;
      if constexpr (Point::packs) {
        for (; i + pack_width<T> <= range.i1; i += pack_width<T>) point.template at<Wide>(i, j);
      }
      for (; i < range.i1; ++i) point.template at<T>(i, j);
    }
  }

  template <class T, class Point>
  void map_blocks(const Range& range, View<T> partials, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    for (qn_index j = range.j0; j < range.j1; j += block_rows) {
      const qn_index j1 = j + block_rows < range.j1 ? j + block_rows : range.j1;
      for (qn_index i = range.i0; i < range.i1; i += strip) {
        const qn_index i1 = i + strip < range.i1 ? i + strip : range.i1;
        blocks_of_strip({i, i1, j, j1}, partials.at((i - range.i0) / block_columns, (j - range.j0) / block_rows),
                        point);
      }
    }
  }

  template <class T, class Point>
  void reduce(const T* values, qn_index count, const qn_index* control, const Point& point) const {
    if (control != nullptr && control[0] != 0) return;
    point(Bodies<T, T>::tree_sum(values, count));
  }

 private:
  template <class T, class Point>
  static void blocks_of_strip(const Range& range, T* partials, const Point& point) {
    constexpr int width = pack_width<T>;
    constexpr int pairs = block_columns / 2;
    using Wide = Pack<T, width>;
    const qn_index whole = (range.i1 - range.i0) / block_columns;
    alignas(64) T sums[strip / 2] = {};
    for (qn_index j = range.j0; j < range.j1; ++j) {
      qn_index i = range.i0;
      T* sum = sums;
      for (; i < range.i0 + whole * block_columns; i += 2 * width, sum += width) {
        const Wide low = point.template at<Wide>(i, j);
        const Wide high = point.template at<Wide>(i + width, j);
        Access<Wide>::store(sum, Access<Wide>::load(sum) + pair_sums(low, high));
      }
      for (; i < range.i1; i += 2, ++sum) {
        const T low = point.template at<T>(i, j);
        const T high = i + 1 < range.i1 ? point.template at<T>(i + 1, j) : T(0);
        *sum = *sum + (low + high);
      }
    }
    for (qn_index k = 0; k * block_columns < range.i1 - range.i0; ++k) {
      partials[k] = Bodies<T, T>::tree_across(sums + k * pairs);
    }
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
