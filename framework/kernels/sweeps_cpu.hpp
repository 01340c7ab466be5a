#pragma once

// Several Jacobi sweeps in one pass through memory, for CPU backends: tiles of whole reduction blocks with overlapped
// halos, each streamed over its rows with all sweeps in flight, sweep t two rows behind sweep t - 1. The operations at
// a node, and the order of the block sums, are those of the single sweep: so are the bits.

#include "kernels/skeleton_cpu.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

// The halo beside a tile is one block of columns, and a sweep uses up one of them.
static_assert(deepest_pass <= block_columns);

/// One tile. Its rings take some 450 kB: for the second cache, and on the stack.
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
        lowest_(tile.j0 - point.count / 2 * 2) {}

  void run() {
    for (qn_index t = 0; t < p_.count; ++t) {
      for (qn_index k = 0; k < columns / 2; ++k) sums_[t][k] = T(0);
      for (auto& row : ring_[t]) row[margin - 1] = row[margin + last_ - first_] = T(0);
    }
    // Step s does the two rows from lowest_ + 2 (s - t) of sweep t, counted from 0.
    const qn_index steps = (tile_.j1 - lowest_ + 1) / 2 + p_.count - 1;
    for (qn_index s = 0; s < steps; ++s) {
      for (qn_index t = 0; t < p_.count; ++t) {
        const qn_index j = lowest_ + 2 * (s - t);
        const bool both[] = {needed(t, j), needed(t, j + 1)};
        if (both[0] && both[1]) {
          advance<2>(t, j);
        } else if (both[0] || both[1]) {
          advance<1>(t, both[0] ? j : j + 1);
        }
      }
    }
  }

 private:
  static constexpr qn_index ring_rows = 6;  // five are in use
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

  /// What sweep t makes a row from, and where it leaves it.
  struct Line {
    const T *centre, *below, *above, *f;
    T* target;
    T weight;
  };

  [[nodiscard]] Line line(qn_index t, qn_index j) {
    return {after(t - 1, j),
            after(t - 1, j - 1),
            after(t - 1, j + 1),
            RhsArray ? p_.f.at(first_, j) : nullptr,
            t == p_.count - 1 ? p_.u_new.at(first_, j) : ring_row(t, j),
            p_.weights[t]};
  }

  /// Sweep t over rows j to j + Rows - 1: two at once share what they read.
  template <int Rows>
  void advance(qn_index t, qn_index j) {
    Line lines[Rows];
    for (int k = 0; k < Rows; ++k) lines[k] = line(t, j + k);
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
      if (first_ == p_.box.i0) lines[k].target[-1] = *p_.u.at(p_.box.i0 - 1, j + k);
      if (last_ == p_.box.i1) lines[k].target[last_ - first_] = *p_.u.at(p_.box.i1, j + k);
    }
  }

  /// Stores the new value of columns i to i + width - 1 and returns their residuals squared.
  template <class real>
  QN_CALL real at(const Line& line, qn_index i) const {
    real rhs = real(p_.f_constant);
    if constexpr (RhsArray) rhs = Access<real>::load(line.f + i);
    return Bodies<real, T>::jacobi_sweep_point(line.centre + i, line.below + i, line.above + i, rhs, line.target + i,
                                               real(p_.a), real(p_.b), real(p_.diagonal), real(line.weight));
  }

  template <int Rows>
  void free_columns(const Line* lines, qn_index i, qn_index end) const {
    for (; i + pack_width<T> <= end; i += pack_width<T>)
      for (int k = 0; k < Rows; ++k) at<Wide>(lines[k], i);
    for (; i < end; ++i)
      for (int k = 0; k < Rows; ++k) at<T>(lines[k], i);
  }

  template <int Rows>
  void summed_columns(const Line* lines, qn_index i, qn_index end, T* sum) const {
    for (; i + 2 * pack_width<T> <= end; i += 2 * pack_width<T>, sum += pack_width<T>) {
      Wide total = Access<Wide>::load(sum);
      for (int k = 0; k < Rows; ++k) {
        const Wide low = at<Wide>(lines[k], i);
        const Wide high = at<Wide>(lines[k], i + pack_width<T>);
        total = total + pair_sums(low, high);
      }
      Access<Wide>::store(sum, total);
    }
    for (; i < end; i += 2, ++sum) {
      for (int k = 0; k < Rows; ++k) {
        const T low = at<T>(lines[k], i);
        const T high = i + 1 < end ? at<T>(lines[k], i + 1) : T(0);
        *sum = *sum + (low + high);
      }
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
