#pragma once

// Several Jacobi sweeps in one pass through memory, for CPU backends: tiles of whole reduction blocks with overlapped
// halos, each streamed over its rows with all sweeps in flight, sweep t one row behind sweep t - 1. The operations at
// a node, and the order of the block sums, are those of the single sweep: so are the bits.

#include "kernels/skeleton_cpu.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

// The halo beside a tile is one block of columns, and a sweep uses up one of them.
static_assert(deepest_pass <= block_columns);

/// One tile. What it keeps takes some 200 kB: for the second cache, and on the stack.
template <class T, bool RhsArray>
class SweepTile {
 public:
  static constexpr qn_index columns = widest_tile;  ///< at most, of the tile itself

  SweepTile(const SweepPass<T, RhsArray>& point, const Range& tile)
      : p_(point),
        tile_(tile),
        // The columns that are worked on: the tile with its halo, as far as there are nodes.
        first_(greater(tile.i0 - block_columns, point.box.i0)),
        last_(less(tile.i1 + block_columns, point.box.i1)),
        bottom_(point.box.j0 - point.below),
        top_(point.box.j1 + point.above),
        lowest_(tile.j0 - point.count + 1),
        ring_rows_(together + 2 * point.count - 2) {}

  void run() {
    for (qn_index t = 0; t < p_.count; ++t) clear(sums_[t]);
    for (qn_index k = 0; k < ring_rows_; ++k) ring_[k][margin - 1] = ring_[k][margin + last_ - first_] = T(0);
    // Step s does the rows from lowest_ + s * together - t of sweep t.
    const qn_index steps = (tile_.j1 + p_.count - 1 - lowest_ + together - 1) / together;
    for (qn_index s = 0; s < steps; ++s) {
      for (qn_index t = 0; t < p_.count; ++t) {
        fetch(lowest_ + (s + 1) * together, t);
        // What the tile needs of them, or what later sweeps of it read.
        const qn_index reach = p_.count - 1 - t;
        const qn_index row = lowest_ + s * together - t;
        const qn_index end = less(row + together, less(tile_.j1 + reach, top_));
        for (qn_index j = greater(row, greater(tile_.j0 - reach, bottom_)); j < end;) {
          const qn_index block_end = j + block_rows - (j - p_.box.j0 + block_rows) % block_rows;
          j += advance_some(t, j, less(end, block_end) - j);
        }
      }
    }
    qn_fence();
  }

 private:
  using Wide = Pack<T, pack_width<T>>;
  /// Rows of a step: they share what they read, as far as there are registers.
  static constexpr qn_index together = sizeof(Wide) * 8 >= 512 ? 4 : 2;
  static constexpr qn_index margin = 16;               // for the column before the first
  static constexpr qn_index cached_nodes = 2'000'000;  // of larger grids no cache keeps what a pass leaves

  static qn_index less(qn_index a, qn_index b) { return a < b ? a : b; }
  static qn_index greater(qn_index a, qn_index b) { return a > b ? a : b; }
  template <qn_index Count>
  static void clear(T (&values)[Count]) {
    for (T& value : values) value = T(0);
  }

  /// Asks for the part of sweep t of what the first sweep of the next step starts from, whose rows begin with j.
  void fetch(qn_index j, qn_index t) const {
    constexpr qn_index line = 64 / sizeof(T);
    const qn_index lines = (last_ - first_) / line + 1;
    for (qn_index k = 0; k < together; ++k) {
      const qn_index row = less(greater(j + k, bottom_), top_ - 1);
      for (qn_index n = lines * t / p_.count; n < lines * (t + 1) / p_.count; ++n) {
        __builtin_prefetch(p_.u.at(first_ + n * line, row + 1), 0, 2);
        if (RhsArray) __builtin_prefetch(p_.f.at(first_ + n * line, row), 0, 2);
      }
    }
  }

  /// Row j of sweep t takes the place of row j - 1 of sweep t - 1, which nothing reads any more: so what a sweep
  /// writes is still in the first cache.
  [[nodiscard]] T* ring_row(qn_index t, qn_index j) { return ring_[(j - t - lowest_) % ring_rows_] + margin; }

  /// Row j as sweep t has left it, so that element i - first_ is column i; t = -1: the iterate that the pass starts
  /// from.
  [[nodiscard]] const T* after(qn_index t, qn_index j) {
    if (t < 0 || j < bottom_ || j >= top_) return p_.u.at(first_, j);  // sides are the same for all sweeps
    return ring_row(t, j);
  }

  /// Sweep t over at most `rows` rows from j, all of one row of blocks. Returns how many it has done.
  qn_index advance_some(qn_index t, qn_index j, qn_index rows) {
    if (together >= 4 && rows >= 4) return advance<4>(t, j);
    return rows >= 2 ? advance<2>(t, j) : advance<1>(t, j);
  }

  /// What a sweep makes adjacent rows from, and where it leaves them.
  template <int Rows>
  struct Lines {
    const T* u[Rows + 2];  // with the row before and the one behind
    const T* f[Rows];
    T* target[Rows];
  };

  template <int Rows>
  int advance(qn_index t, qn_index j) {
    const bool last = t == p_.count - 1;
    Lines<Rows> lines;
    for (int k = 0; k < Rows + 2; ++k) lines.u[k] = after(t - 1, j - 1 + k);
    for (int k = 0; k < Rows; ++k) {
      lines.f[k] = RhsArray ? p_.f.at(first_, j + k) : nullptr;
      lines.target[k] = last ? p_.u_new.at(first_, j + k) : ring_row(t, j + k);
    }
    const qn_index i0 = last ? tile_.i0 - first_ : 0;  // halos too, but in the result they belong to other tiles
    const qn_index i1 = last ? tile_.i1 - first_ : last_ - first_;
    if (last && leaves_caches(lines.target[0] + i0)) {
      sweep<Rows, true>(lines, p_.weights[t], i0, i1, sums_[t]);
    } else {
      sweep<Rows, false>(lines, p_.weights[t], i0, i1, sums_[t]);
    }
    if ((j + Rows - p_.box.j0) % block_rows == 0 || j + Rows == top_) end_blocks(t, j);
    for (int k = 0; k < Rows && !last; ++k) {  // what lies beyond the sides
      if (first_ == p_.box.i0) lines.target[k][-1] = *p_.u.at(p_.box.i0 - 1, j + k);
      if (last_ == p_.box.i1) lines.target[k][i1] = *p_.u.at(p_.box.i1, j + k);
    }
    return Rows;
  }

  /// Whether the result is better written past the caches: where they are too small for it, and rows are aligned.
  [[nodiscard]] bool leaves_caches(const T* target) const {
    const auto address =
        reinterpret_cast<unsigned long>(target) | static_cast<unsigned long>(p_.u_new.pitch) * sizeof(T);
    return (p_.box.i1 - p_.box.i0) * (p_.box.j1 - p_.box.j0) > cached_nodes && address % sizeof(Wide) == 0;
  }

  template <class real>
  struct Coefficients {
    real a, b, diagonal, f_constant, weight;
  };

  /// Stores the new values of columns i to i + width - 1 and gives their residuals squared. `before` is what was there
  /// before them, which the sweep has already written over: its last lane counts.
  template <class real, int Rows, bool Streamed>
  QN_CALL static void at(const Lines<Rows>& lines, const Coefficients<real>& c, qn_index i, real (&before)[Rows],
                         real (&squares)[Rows]) {
    real u[Rows + 2], right[Rows], out[Rows];
    for (int k = 0; k < Rows + 2; ++k) u[k] = Access<real>::load(lines.u[k] + i);
    for (int k = 0; k < Rows; ++k) right[k] = Access<real>::load(lines.u[k + 1] + i + 1);
    for (int k = 0; k < Rows; ++k) {
      real rhs = c.f_constant;
      if constexpr (RhsArray) rhs = Access<real>::load(lines.f[k] + i);
      const real horizontal_sum = lane_before(before[k], u[k + 1]) + right[k];
      const real residual =
          rhs - Bodies<real, T>::five_point(u[k + 1], horizontal_sum, u[k] + u[k + 2], c.a, c.b, c.diagonal);
      out[k] = qn_fma(residual, c.weight, u[k + 1]);
      squares[k] = residual * residual;
      before[k] = u[k + 1];
    }
    for (int k = 0; k < Rows; ++k) {
      if constexpr (Streamed) {
        qn_stream(lines.target[k] + i, out[k]);
      } else {
        Access<real>::store(lines.target[k] + i, out[k]);
      }
    }
  }

  /// Columns i to end - 1 of the rows. Adds to the sums of pairs of columns.
  template <int Rows, bool Streamed>
  void sweep(const Lines<Rows>& lines, T weight, qn_index i, qn_index end, T* sums) {
    constexpr qn_index width = pack_width<T>;
    T* sum = sums + i / 2;
    T left[Rows];
    for (int k = 0; k < Rows; ++k) left[k] = lines.u[k + 1][i - 1];
    if (i + 2 * width <= end) {
      const Coefficients<Wide> c{Wide(p_.a), Wide(p_.b), Wide(p_.diagonal), Wide(p_.f_constant), Wide(weight)};
      Wide before[Rows];
      for (int k = 0; k < Rows; ++k) before[k] = Wide(left[k]);
      for (; i + 2 * width <= end; i += 2 * width, sum += width) {
        Wide low[Rows], high[Rows];
        at<Wide, Rows, Streamed>(lines, c, i, before, low);
        at<Wide, Rows, Streamed>(lines, c, i + width, before, high);
        Wide total = Access<Wide>::load(sum);
        for (int k = 0; k < Rows; ++k) total = total + pair_sums(low[k], high[k]);
        Access<Wide>::store(sum, total);
      }
      for (int k = 0; k < Rows; ++k) left[k] = before[k].v[width - 1];
    }
    const Coefficients<T> c{p_.a, p_.b, p_.diagonal, p_.f_constant, weight};
    for (; i < end; i += 2, ++sum) {
      T low[Rows], high[Rows] = {};
      at<T, Rows, false>(lines, c, i, left, low);
      if (i + 1 < end) at<T, Rows, false>(lines, c, i + 1, left, high);
      for (int k = 0; k < Rows; ++k) *sum = *sum + (low[k] + high[k]);
    }
  }

  /// The row of blocks that row j is of: its sums are stored if they belong to the tile.
  void end_blocks(qn_index t, qn_index j) {
    const View<T> partials{p_.partials.origin + t * p_.plane(), p_.partials.pitch};
    for (qn_index i = tile_.i0; i < tile_.i1 && j >= tile_.j0 && j < tile_.j1; i += block_columns) {
      *partials.at((i - p_.box.i0) / block_columns, (j - p_.box.j0) / block_rows) =
          Bodies<T, T>::tree_across(sums_[t] + (i - first_) / 2);
    }
    clear(sums_[t]);
  }

  const SweepPass<T, RhsArray>& p_;
  Range tile_;
  qn_index first_, last_;
  qn_index bottom_, top_;  // the rows of nodes, of the box and beyond it
  qn_index lowest_;        // the first row that any sweep may need
  qn_index ring_rows_;     // from the newest of the first sweep to the oldest that the last one reads
  alignas(64) T ring_[together + 2 * deepest_pass - 2][columns + 2 * block_columns + 2 * margin];
  alignas(64) T sums_[deepest_pass][columns / 2 + block_columns];
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
