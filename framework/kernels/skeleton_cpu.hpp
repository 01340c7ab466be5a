#pragma once

// Parts of a CPU backend's skeleton: ranges of points worked through in SIMD packs, with a scalar tail.
// One thread does one part; a backend decides which thread does which.

#include "kernels/dialect/pack.hpp"
#include "kernels/launchers.hpp"
#ifdef QN_FAMILY_jacobi
#include "kernels/transfers_cpu.hpp"
#endif

// The name of a function that is compiled once for each instruction set: QN_JOIN(launch_, QN_ISA).
#define QN_JOIN_(a, b) a##b
#define QN_JOIN(a, b) QN_JOIN_(a, b)

namespace quoin::kernels {
inline namespace QN_ISA {

/// Lanes of a pack: 8 where there are 512-bit registers, but never more than the 8 accumulators of a block.
template <class T>
#if defined(__AVX512F__)
inline constexpr int pack_width = 8;
#else
inline constexpr int pack_width = 32 / sizeof(T);
#endif

/// Columns of a strip: whole blocks, few enough that its accumulators stay in the first cache.
inline constexpr qn_index strip_columns = 512;

/// Each point of the range, row by row; the overloads of map_row in transfers_cpu.hpp replace the loop over columns.
template <class T, class Point>
QN_CALL void map_rows(const Range& range, const Point& point) {
  using Wide = Pack<T, pack_width<T>>;
  for (qn_index j = range.j0; j < range.j1; ++j) {
    qn_index i = range.i0;
    if constexpr (requires { map_row<pack_width<T>>(point, i, i, j); }) {
      map_row<pack_width<T>>(point, i, range.i1, j);
    } else {
      if constexpr (Point::packs) {
        for (; i + pack_width<T> <= range.i1; i += pack_width<T>) point.template at<Wide>(i, j);
      }
      for (; i < range.i1; ++i) point.template at<T>(i, j);
    }
  }
}

/// Entities that a point is best given at once.
template <class T, class Point>
inline constexpr qn_index entities_at_once = Point::in_twins ? 2 * pack_width<T> : pack_width<T>;

/// The entities [e0, e1), whole packs of them.
template <class T, class Point>
QN_CALL void map_packs(qn_index e0, qn_index e1, const Point& point) {
  using Wide = Pack<T, pack_width<T>>;
  static_assert(entity_group % pack_width<T> == 0);
  qn_index e = e0;
  if constexpr (Point::in_twins)
    for (; e + 2 * pack_width<T> <= e1; e += 2 * pack_width<T>) point.template at<Twin<Wide>>(e);
  for (; e < e1; e += pack_width<T>) point.template at<Wide>(e);
}

/// The blocks of a range as wide as one, whose accumulators stay in registers.
template <class T, class Point>
QN_CALL T map_column(const Range& range, const Point& point) {
  constexpr qn_index width = pack_width<T>;
  constexpr int pairs = block_columns / 2;
  using Wide = Pack<T, width>;
  Wide sums[pairs / width];
  for (Wide& sum : sums) sum = Wide(T(0));
  for (qn_index j = range.j0; j < range.j1; ++j) {
    qn_index i = range.i0;
    for (Wide& sum : sums) {
      const Wide low = point.template at<Wide>(i, j);
      const Wide high = point.template at<Wide>(i + width, j);
      sum = sum + pair_sums(low, high);
      i += 2 * width;
    }
  }
  T all[pairs];
  for (int k = 0; k < pairs / width; ++k) Access<Wide>::store(all + k * width, sums[k]);
  return Bodies<T, T>::tree_across(all);
}

/// The blocks of one strip: at most strip_columns columns and block_rows rows, starting where a block starts.
/// `partials` is the place of the first block.
template <class T, class Point>
inline void map_strip(const Range& range, T* partials, const Point& point) {
  constexpr qn_index width = pack_width<T>;
  constexpr int pairs = block_columns / 2;
  using Wide = Pack<T, width>;
  if (range.i1 - range.i0 == block_columns) {
    *partials = map_column<T>(range, point);
    return;
  }
  const qn_index whole = (range.i1 - range.i0) / block_columns;
  alignas(64) T sums[strip_columns / 2] = {};
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

/// The tiles that a range of points consists of, at most `columns` by `rows` each, numbered row by row from 0.
class BoxTiles {
 public:
  BoxTiles(const Range& range, qn_index columns, qn_index rows)
      : range_(range), columns_(columns), rows_(rows), across_((range.i1 - range.i0 + columns - 1) / columns) {}
  [[nodiscard]] qn_index count() const { return across_ * ((range_.j1 - range_.j0 + rows_ - 1) / rows_); }
  [[nodiscard]] Range at(qn_index number) const {
    const qn_index i = range_.i0 + number % across_ * columns_;
    const qn_index j = range_.j0 + number / across_ * rows_;
    return {i, i + columns_ < range_.i1 ? i + columns_ : range_.i1, j, j + rows_ < range_.j1 ? j + rows_ : range_.j1};
  }

 protected:
  Range range_;

 private:
  qn_index columns_, rows_, across_;
};

/// Those of one row of blocks each.
class Strips : public BoxTiles {
 public:
  explicit Strips(const Range& range) : BoxTiles(range, strip_columns, block_rows) {}
  template <class T, class Point>
  void map(qn_index number, View<T> partials, const Point& point) const {
    const Range strip = at(number);
    map_strip(strip, partials.at((strip.i0 - range_.i0) / block_columns, (strip.j0 - range_.j0) / block_rows), point);
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
