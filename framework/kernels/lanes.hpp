#pragma once

// The fixed reduction tree for devices whose lanes run in lockstep: what one lane does, as a template over the
// class of its lanes (kernels/dialect/subgroup.hpp names their collectives).

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Lanes that sum one block: each owns a pair of adjacent columns.
inline constexpr int block_lanes = static_cast<int>(block_columns / 2);

/// Number of blocks that cover the points.
QN_CALL qn_index blocks_across(const Range& range) { return (range.i1 - range.i0 + block_columns - 1) / block_columns; }
QN_CALL qn_index blocks_down(const Range& range) { return (range.j1 - range.j0 + block_rows - 1) / block_rows; }

/// Sums point.at() over block number `block`, counted row by row, and stores it in `partials`. Columns beyond the
/// range count as zero.
template <class T, class Lanes, class Point>
QN_CALL void sum_block(const Lanes& lanes, qn_index block, const Range& range, const View<T>& partials,
                       const Point& point) {
  static_assert(Lanes::size == block_lanes);
  const qn_index column = block % blocks_across(range);
  const qn_index row = block / blocks_across(range);
  const qn_index i = range.i0 + column * block_columns + 2 * lanes.lane();
  const qn_index j0 = range.j0 + row * block_rows;
  const qn_index j1 = j0 + block_rows < range.j1 ? j0 + block_rows : range.j1;
  const auto pair = [&](qn_index j) {
    const T low = i < range.i1 ? point.template at<T>(i, j) : T(0);
    const T high = i + 1 < range.i1 ? point.template at<T>(i + 1, j) : T(0);
    return low + high;
  };
  constexpr qn_index together = 8;  // rows whose values come at once
  T sum = 0;
  qn_index j = j0;
  for (; j + together <= j1; j += together) {
    T pairs[together];
    QN_UNROLL
    for (qn_index k = 0; k < together; ++k) pairs[k] = pair(j + k);
    QN_UNROLL
    for (qn_index k = 0; k < together; ++k) sum = sum + pairs[k];
  }
  for (; j < j1; ++j) sum = sum + pair(j);
  for (int distance = 1; distance < block_lanes; distance *= 2) sum = sum + lanes.shuffle_down(sum, distance);
  if (lanes.lane() == 0) *partials.at(column, row) = sum;
}

/// The tree over `Rows` rows that follow each other in a list; each lane holds its column of them. While rows
/// are joined across lanes, every lane keeps half of its rows and gives the other half away, so that a shuffle
/// moves only what is needed. All lanes get the sum.
template <int Rows, class T, class Lanes>
QN_CALL T sum_rows(const Lanes& lanes, T (&rows)[Rows]) {
  static_assert(Rows <= Lanes::size);
  int step = 1;
  QN_UNROLL
  for (int pairs = Rows / 2; pairs > 0; pairs /= 2) {
    const bool odd = (lanes.lane() & step) != 0;
    QN_UNROLL
    for (int k = 0; k < pairs; ++k) {
      const T keep = odd ? rows[2 * k + 1] : rows[2 * k];
      const T give = odd ? rows[2 * k] : rows[2 * k + 1];
      rows[k] = keep + lanes.shuffle_xor(give, step);
    }
    step *= 2;
  }
  T sum = rows[0];  // of row lane % Rows, over Rows lanes
  for (; step < Lanes::size; step *= 2) sum = sum + lanes.shuffle_xor(sum, step);
  for (step = 1; step < Rows; step *= 2) sum = sum + lanes.shuffle_xor(sum, step);
  return sum;
}

/// The tree over a list by one work-group of `Threads` lanes: each subgroup sums a contiguous part, whose length is
/// a power of two, chunk by chunk, then the parts are joined. The bits are those of tree_sum(), and all lanes get the
/// sum. `parts` is memory that the work-group shares, one element a subgroup; `barrier()` waits for the work-group.
template <int Threads, class T, class Lanes, class Barrier>
QN_CALL T sum_list(const Lanes& lanes, int subgroup, const T* values, qn_index count, T* parts,
                   const Barrier& barrier) {
  constexpr int subgroups = Threads / Lanes::size;
  static_assert(subgroups <= Lanes::size);
  constexpr int rows = 8;
  constexpr qn_index chunk = rows * Lanes::size;
  qn_index chunks = 1;
  while (chunks * chunk * subgroups < count) chunks *= 2;
  const qn_index first = subgroup * chunks * chunk;

  T part = 0;
  T held = 0;  // lane l keeps the sum of a finished group of 2^l chunks until its right neighbour is finished
  for (qn_index k = 0; k < chunks && first < count; ++k) {
    T column[rows];
    QN_UNROLL
    for (int row = 0; row < rows; ++row) {
      const qn_index at = first + k * chunk + row * Lanes::size + lanes.lane();
      column[row] = at < count ? values[at] : T(0);
    }
    part = sum_rows(lanes, column);
    int level = 0;
    for (qn_index ones = k; (ones & 1) != 0; ones >>= 1) part = lanes.shuffle(held, level++) + part;
    if (lanes.lane() == level) held = part;
  }
  if (lanes.lane() == 0) parts[subgroup] = part;
  barrier();
  T sum = parts[lanes.lane() % subgroups];
  for (int step = 1; step < subgroups; step *= 2) sum = sum + lanes.shuffle_xor(sum, step);
  return sum;
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
