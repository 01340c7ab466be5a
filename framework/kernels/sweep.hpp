#pragma once

// One Jacobi sweep for devices whose lanes run in lockstep: a subgroup goes down a strip of columns, one row of blocks,
// each lane with as many adjacent columns as it moves at once. Unlike the march of several sweeps (kernels/march.hpp)
// it does no work of its neighbours, and what it waits for is memory: so a lane asks for several rows at once.

#include "kernels/lanes.hpp"
#include "kernels/march.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Strips and rows of blocks of a sweep, one subgroup each, strip by strip along a row.
template <class T>
struct SweepGrid {
  QN_CALL SweepGrid(const Range& box, int lanes)
      : columns(lanes * Cells<T>::size),
        across((box.i1 - box.i0 + columns - 1) / columns),
        subgroups(across * blocks_down(box)) {}
  qn_index columns, across, subgroups;
};

/// Subgroup number `subgroup` of the grid; all of its lanes run it.
template <class T, bool RhsArray, class Lanes>
class Sweep {
  static constexpr int cells = Cells<T>::size;
  static constexpr int lanes_of_block = static_cast<int>(block_columns) / cells;
  static constexpr int together = 8;  // rows that a lane asks for at once

 public:
  QN_CALL Sweep(const SweepPass<T, RhsArray>& pass, const Lanes& lanes, qn_index subgroup)
      : pass_(pass),
        lanes_(lanes),
        first_(lanes.lane() == 0),
        last_(lanes.lane() == Lanes::size - 1),
        weight_(*pass.weights) {
    const SweepGrid<T> grid(pass.box, Lanes::size);
    row_ = subgroup / grid.across;
    column_ = subgroup % grid.across * grid.columns + lanes.lane() * cells;
    const qn_index i = pass.box.i0 + column_;
    const qn_index j = pass.box.j0 + row_ * block_rows;
    nodes_ = pass.box.i1 - i;
    height_ = static_cast<int>(pass.box.j1 - j < block_rows ? pass.box.j1 - j : block_rows);
    u_ = pass.u.at(i, j);
    if constexpr (RhsArray) f_ = pass.f.at(i, j);
    u_new_ = pass.u_new.at(i, j);
  }

  QN_CALL void run() {
    const bool whole = column_ + (Lanes::size - lanes_.lane()) * cells <= pass_.box.i1 - pass_.box.i0 &&
                       begin_with_cells(pass_, u_, f_, u_new_);
    whole ? all_rows<true>() : all_rows<false>();
    store_sums();
  }

 private:
  /// Columns beyond the box give the last one that there is, of `nodes` from the lane's first on.
  template <bool Whole>
  [[nodiscard]] QN_CALL static Cells<T> load(const T* from, qn_index nodes) {
    Cells<T> read;
    if constexpr (Whole) {
      read = *reinterpret_cast<const Cells<T>*>(from);
    } else {
      QN_UNROLL
      for (int c = 0; c < cells; ++c) read.v[c] = from[c < nodes ? c : nodes - 1];
    }
    return read;
  }

  /// `Whole`: all columns are nodes of the box, and those of a lane can be moved at once.
  template <bool Whole>
  QN_CALL void all_rows() {
    below_ = load<Whole>(u_ - pass_.u.pitch, nodes_ + 1);
    centre_ = load<Whole>(u_, nodes_ + 1);
    int row = 0;
    QN_ROLLED
    for (; row + together <= height_; row += together) rows<Whole, together>(row);
    QN_ROLLED
    for (; row < height_; ++row) rows<Whole, 1>(row);
  }

  template <bool Whole, int Together>
  QN_CALL void rows(int row) {
    Cells<T> above[Together], rhs[Together];
    T beyond[Together];  // the strip, next to its first or last column
    QN_UNROLL
    for (int k = 0; k < Together; ++k) {
      const T* const mine = u_ + (row + k) * pass_.u.pitch;
      above[k] = load<Whole>(mine + pass_.u.pitch, nodes_ + 1);
      beyond[k] = first_ ? mine[-1] : last_ && cells <= nodes_ ? mine[cells] : T(0);
      if constexpr (RhsArray) rhs[k] = load<Whole>(f_ + (row + k) * pass_.f.pitch, nodes_);
    }
    QN_UNROLL
    for (int k = 0; k < Together; ++k) {
      if constexpr (!RhsArray) {
        QN_UNROLL
        for (int c = 0; c < cells; ++c) rhs[k].v[c] = pass_.f_constant;
      }
      advance<Whole>(row + k, above[k], rhs[k], beyond[k]);
    }
  }

  template <bool Whole>
  QN_CALL void advance(int row, const Cells<T>& above, const Cells<T>& rhs, T beyond) {
    T left = lanes_.shuffle_up(centre_.v[cells - 1], 1);
    T right = lanes_.shuffle_down(centre_.v[0], 1);
    if (first_) left = beyond;
    if (last_) right = beyond;
    Cells<T> residual, out;
    QN_UNROLL
    for (int c = 0; c < cells; ++c) {
      const T horizontal_sum = (c == 0 ? left : centre_.v[c - 1]) + (c == cells - 1 ? right : centre_.v[c + 1]);
      const T vertical_sum = below_.v[c] + above.v[c];
      residual.v[c] = rhs.v[c] - Bodies<T, T>::five_point(centre_.v[c], horizontal_sum, vertical_sum, pass_.a, pass_.b,
                                                          pass_.diagonal);
      if (!Whole && c >= nodes_) residual.v[c] = T(0);
      out.v[c] = qn_fma(residual.v[c], weight_, centre_.v[c]);
    }
    QN_UNROLL
    for (int c = 0; c < cells; c += 2)
      sums_[c / 2] = sums_[c / 2] + (residual.v[c] * residual.v[c] + residual.v[c + 1] * residual.v[c + 1]);
    T* const target = u_new_ + row * pass_.u_new.pitch;
    if constexpr (Whole) {
      *reinterpret_cast<Cells<T>*>(target) = out;
    } else {
      QN_UNROLL
      for (int c = 0; c < cells; ++c)
        if (c < nodes_) target[c] = out.v[c];
    }
    below_ = centre_;
    centre_ = above;
  }

  QN_CALL void store_sums() {
    T sum = sums_[0];
    if constexpr (cells == 4) sum = sums_[0] + sums_[1];
    QN_UNROLL
    for (int distance = 1; distance < lanes_of_block; distance *= 2) sum = sum + lanes_.shuffle_down(sum, distance);
    if (column_ % block_columns == 0 && nodes_ > 0) *pass_.partials.at(column_ / block_columns, row_) = sum;
  }

  const SweepPass<T, RhsArray>& pass_;
  const Lanes& lanes_;
  bool first_, last_;
  T weight_;
  qn_index row_, column_;  // of blocks, and the lane's first
  qn_index nodes_;         // of the box from that column on
  int height_;
  const T *u_, *f_ = nullptr;
  T* u_new_;
  Cells<T> below_, centre_;
  T sums_[cells / 2] = {};
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
