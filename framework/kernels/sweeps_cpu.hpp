#pragma once

// Several Jacobi sweeps in one pass through memory, for CPU backends: tiles of whole reduction blocks with overlapped
// halos, each streamed over its rows with all sweeps in flight, sweep t one row behind sweep t - 1, so that half of
// what it reads is still in the first cache. The operations at a node, and the order of the block sums, are those of
// the single sweep: so are the bits.

#include "kernels/skeleton_cpu.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

// The halo beside a tile is one block of columns, and a sweep uses up one of them.
static_assert(deepest_pass <= block_columns);

/// One tile. Its rings take some 300 kB: for the second cache, and on the stack.
template <class T, bool RhsArray>
class SweepTile {
 public:
  static constexpr qn_index columns = widest_tile;  ///< at most, of the tile itself

  SweepTile(const SweepsPoint<T, RhsArray>& point, const Range& tile)
      : p_(point),
        tile_(tile),
        // The columns that are worked on: the tile with its halo, as far as there are nodes.
        first_(tile.i0 - block_columns > point.box.i0 ? tile.i0 - block_columns : point.box.i0),
        last_(tile.i1 + block_columns < point.box.i1 ? tile.i1 + block_columns : point.box.i1),
        lowest_(tile.j0 - point.count + 1) {}

  void run() {
    for (qn_index t = 0; t < p_.count; ++t) {
      for (qn_index k = 0; k < columns / 2; ++k) sums_[t][k] = T(0);
      for (auto& row : ring_[t]) row[margin - 1] = row[margin + last_ - first_] = T(0);
    }
    // Step s does the two rows from lowest_ + 2 s - t of sweep t, together if they are of one row of blocks.
    const qn_index steps = (tile_.j1 + p_.count - lowest_) / 2;
    for (qn_index s = 0; s < steps; ++s) {
      for (qn_index t = 0; t < p_.count; ++t) {
        const qn_index j = lowest_ + 2 * s - t;
        const bool both[] = {needed(t, j), needed(t, j + 1)};
        if (both[0] && both[1] && (j + 1 - p_.box.j0) % block_rows != 0) {
          advance<2>(t, j);
        } else {
          if (both[0]) advance<1>(t, j);
          if (both[1]) advance<1>(t, j + 1);
        }
      }
    }
  }

 private:
  static constexpr qn_index ring_rows = 4;  // what the next sweep reads for two
  static constexpr qn_index margin = 16;    // for the column before the first
  using Wide = Pack<T, pack_width<T>>;

  /// Whether sweep t has to do row j, for the tile or for what later sweeps of it read.
  [[nodiscard]] bool needed(qn_index t, qn_index j) const {
    const qn_index reach = p_.count - 1 - t;
    return j >= tile_.j0 - reach && j < tile_.j1 + reach && j >= p_.box.j0 && j < p_.box.j1;
  }

  [[nodiscard]] T* ring_row(qn_index t, qn_index j) { return ring_[t][(j - lowest_) % ring_rows] + margin; }

  /// Row j as sweep t has left it, so that element i - first_ is column i; t = -1: the iterate that the pass starts
  /// from.
  [[nodiscard]] const T* after(qn_index t, qn_index j) {
    if (t < 0 || j < p_.box.j0 || j >= p_.box.j1) return p_.u.at(first_, j);  // sides are the same for all sweeps
    return ring_row(t, j);
  }

  /// What sweep t makes adjacent rows from, and where it leaves them. Each row is named once, and the numbers are
  /// copies: else a store would make the compiler load again what may have changed.
  template <int Rows>
  struct Lines {
    const T* u[Rows + 2];  // with the row before and the one behind
    const T* f[Rows];
    T* target[Rows];
    T a, b, diagonal, f_constant, weight;
  };

  template <int Rows>
  [[nodiscard]] Lines<Rows> lines_of(qn_index t, qn_index j) {
    Lines<Rows> lines{{}, {}, {}, p_.a, p_.b, p_.diagonal, p_.f_constant, p_.weights[t]};
    for (int k = 0; k < Rows + 2; ++k) lines.u[k] = after(t - 1, j - 1 + k);
    for (int k = 0; k < Rows; ++k) {
      lines.f[k] = RhsArray ? p_.f.at(first_, j + k) : nullptr;
      lines.target[k] = t == p_.count - 1 ? p_.u_new.at(first_, j + k) : ring_row(t, j + k);
    }
    return lines;
  }

  /// Sweep t over rows j to j + Rows - 1: two at once share what they read.
  template <int Rows>
  void advance(qn_index t, qn_index j) {
    const Lines<Rows> lines = lines_of<Rows>(t, j);
    const bool last = t == p_.count - 1;
    const qn_index i0 = tile_.i0 - first_;
    const qn_index i1 = tile_.i1 - first_;
    if (!last) {  // the halos, whose residuals belong to other tiles
      free_columns<Rows>(lines, 0, i0);
      free_columns<Rows>(lines, i1, last_ - first_);
    }
    if (j >= tile_.j0 && j < tile_.j1) {
      summed_columns<Rows>(lines, i0, i1, sums_[t]);
      const qn_index end = j + Rows;
      if ((end - p_.box.j0) % block_rows == 0 || end == p_.box.j1) store_sums(t, j);
    } else {
      free_columns<Rows>(lines, i0, i1);
    }
    for (int k = 0; k < Rows && !last; ++k) {  // what lies beyond the sides
      if (first_ == p_.box.i0) lines.target[k][-1] = *p_.u.at(p_.box.i0 - 1, j + k);
      if (last_ == p_.box.i1) lines.target[k][last_ - first_] = *p_.u.at(p_.box.i1, j + k);
    }
  }

  template <class real, int Rows>
  struct Squares {
    real of[Rows];
  };

  /// Stores the new values of columns i to i + width - 1 and returns their residuals squared.
  template <class real, int Rows>
  QN_CALL static Squares<real, Rows> at(const Lines<Rows>& lines, qn_index i) {
    using Body = Bodies<real, T>;
    real u[Rows + 2], out[Rows];
    Squares<real, Rows> squares;
    for (int k = 0; k < Rows + 2; ++k) u[k] = Access<real>::load(lines.u[k] + i);
    for (int k = 0; k < Rows; ++k) {
      real rhs = real(lines.f_constant);
      if constexpr (RhsArray) rhs = Access<real>::load(lines.f[k] + i);
      const real beside = Access<real>::load(lines.u[k + 1] + i - 1) + Access<real>::load(lines.u[k + 1] + i + 1);
      const real residual =
          rhs - Body::five_point(u[k + 1], beside, u[k] + u[k + 2], real(lines.a), real(lines.b), real(lines.diagonal));
      out[k] = qn_fma(residual, real(lines.weight), u[k + 1]);
      squares.of[k] = residual * residual;
    }
    for (int k = 0; k < Rows; ++k) Access<real>::store(lines.target[k] + i, out[k]);
    return squares;
  }

  template <int Rows>
  static void free_columns(const Lines<Rows>& lines, qn_index i, qn_index end) {
    for (; i + pack_width<T> <= end; i += pack_width<T>) at<Wide>(lines, i);
    for (; i < end; ++i) at<T>(lines, i);
  }

  template <int Rows>
  static void summed_columns(const Lines<Rows>& lines, qn_index i, qn_index end, T* sum) {
    for (; i + 2 * pack_width<T> <= end; i += 2 * pack_width<T>, sum += pack_width<T>) {
      const Squares<Wide, Rows> low = at<Wide>(lines, i);
      const Squares<Wide, Rows> high = at<Wide>(lines, i + pack_width<T>);
      Wide total = Access<Wide>::load(sum);
      for (int k = 0; k < Rows; ++k) total = total + pair_sums(low.of[k], high.of[k]);
      Access<Wide>::store(sum, total);
    }
    for (; i < end; i += 2, ++sum) {
      const Squares<T, Rows> low = at<T>(lines, i);
      Squares<T, Rows> high{};
      if (i + 1 < end) high = at<T>(lines, i + 1);
      for (int k = 0; k < Rows; ++k) *sum = *sum + (low.of[k] + high.of[k]);
    }
  }

  /// The blocks that end with row j.
  void store_sums(qn_index t, qn_index j) {
    const View<T> partials{p_.partials.origin + t * p_.plane(), p_.partials.pitch};
    for (qn_index i = tile_.i0; i < tile_.i1; i += block_columns) {
      T* pairs = sums_[t] + (i - tile_.i0) / 2;
      *partials.at((i - p_.box.i0) / block_columns, (j - p_.box.j0) / block_rows) = Bodies<T, T>::tree_across(pairs);
      for (qn_index k = 0; k < block_columns / 2; ++k) pairs[k] = T(0);
    }
  }

  const SweepsPoint<T, RhsArray>& p_;
  Range tile_;
  qn_index first_, last_;
  qn_index lowest_;  // the first row that any sweep may need
  alignas(64) T ring_[deepest_pass][ring_rows][columns + 2 * block_columns + 2 * margin];
  alignas(64) T sums_[deepest_pass][columns / 2];
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
