#pragma once

// Jacobi sweeps in one pass through memory, for devices whose lanes run in lockstep. A subgroup owns a band of columns
// and marches down its rows with all sweeps in flight, sweep t one row behind sweep t - 1. A lane keeps its columns of
// two rows of every sweep in registers; the columns beside them come from its neighbours by shuffles. Bands overlap by
// their halos, and so do the segments that the rows are cut into; the operations at a node, and the order of the block
// sums, are those of the single sweep: so are the bits.

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Columns of a lane, which it moves at once.
template <class T>
struct alignas(16) Cells {
  static constexpr int size = 16 / sizeof(T);
  T v[size];
};

/// Whether rows that begin at these places can be moved cells by cells, as can all rows of the pass then.
template <class T, bool RhsArray>
QN_CALL bool begin_with_cells(const SweepPass<T, RhsArray>& pass, const T* u, const T* f, const T* u_new) {
  std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(u) | reinterpret_cast<std::uintptr_t>(u_new) |
                        static_cast<std::uintptr_t>(pass.u.pitch | pass.u_new.pitch) * sizeof(T);
  if constexpr (RhsArray)
    bits |= reinterpret_cast<std::uintptr_t>(f) | static_cast<std::uintptr_t>(pass.f.pitch) * sizeof(T);
  return bits % sizeof(Cells<T>) == 0;
}

/// Columns on either side of a band: half a block, so that bands give whole blocks and a block lies in whole lanes.
inline constexpr int band_halo = 8;

/// Columns that the band of a subgroup of so many lanes gives to the result.
template <class T>
QN_CALL constexpr int band_columns(int lanes) {
  return lanes * Cells<T>::size - 2 * band_halo;
}

/// The rows and columns of one band that are gone through without a stop, as a lane sees them: columns and rows are
/// counted from the first that belongs to the result.
template <class T, bool RhsArray>
struct Segment {
  static constexpr int cells = Cells<T>::size;

  /// It begins with this column and row of blocks.
  QN_CALL Segment(const SweepPass<T, RhsArray>& pass_, qn_index column, qn_index row, int lane)
      : pass(pass_),
        i(cells * lane - band_halo),
        left(near(-column * block_columns)),
        right(near(pass.box.i1 - pass.box.i0 - column * block_columns)),
        bottom(near(-row * block_rows - pass.below)),
        top(near(pass.box.j1 - pass.box.j0 - row * block_rows + pass.above)),
        end(near(pass.box.j1 - pass.box.j0 - row * block_rows)),
        u(pass.u.at(pass.box.i0 + column * block_columns, pass.box.j0 + row * block_rows)),
        f(RhsArray ? pass.f.at(pass.box.i0 + column * block_columns, pass.box.j0 + row * block_rows) : nullptr),
        u_new(pass.u_new.at(pass.box.i0 + column * block_columns, pass.box.j0 + row * block_rows)),
        sums(pass.partials.at(column, row)) {}

  QN_CALL static int clamp(int k, int lowest, int highest) { return k < lowest ? lowest : k > highest ? highest : k; }

  /// Whether all columns of the band are nodes of the box.
  [[nodiscard]] QN_CALL bool inside(int lanes) const {
    return left <= -band_halo && right >= band_columns<T>(lanes) + band_halo;
  }
  /// Whether lanes can move their cells as a whole: beside a row between others there is memory that can be read, also
  /// where the band goes beyond the box.
  [[nodiscard]] QN_CALL bool whole(int lanes) const {
    return begin_with_cells(pass, u, f, u_new) && pass.u.pitch >= lanes * cells &&
           (!RhsArray || pass.f.pitch >= lanes * cells);
  }

  const SweepPass<T, RhsArray>& pass;
  int i;                         // the lane's first column
  int left, right, bottom, top;  // the nodes of the box, and the rows of them that go on beyond it
  int end;                       // of the rows of the box
  const T *u, *f;                // of column and row 0
  T *u_new, *sums;

 private:
  /// No column or row of a segment is as far away as this.
  QN_CALL static int near(qn_index distance) {
    constexpr qn_index far = qn_index{1} << 30;
    return static_cast<int>(distance < -far ? -far : distance > far ? far : distance);
  }
};

/// How a backend works with it: sweeps of a pass, rows that are unrolled together (after three a sweep's state is in
/// the same registers again, and none is moved), and whether bands have loops of their own for rows without an edge:
/// one for those inside, one for those at the sides.
template <int Depth, int Unrolled, bool WholeBands>
struct MarchShape {
  static constexpr int depth = Depth, unrolled = Unrolled;
  static constexpr bool whole_bands = WholeBands;
};

/// One lane's way through a segment. Rows says how rows come:
///   static constexpr int ahead           rows that are on their way while one is worked on
///   template <bool Whole> ask(j)         asks for row j of u and f, which follows the one asked for before; beyond the
///                                        rows of a field its last one comes again. Whole: the lane's cells are moved
///                                        as a whole, and rows come before and after
///   await()                              returns when all rows but the newest `ahead` are there
///   u(j)                                 the lane's cells of row j
///   template <bool Whole> f(j)           those of f, which stay for depth rows more
///   weight(t)                            of sweep t; any number for sweeps that the pass does not have
template <class T, bool RhsArray, class Shape, class Lanes, class Rows>
class March {
  static constexpr int depth = Shape::depth;
  static constexpr int cells = Cells<T>::size;
  static_assert(depth <= band_halo);
  using Body = Bodies<T, T>;

 public:
  QN_CALL March(const Segment<T, RhsArray>& segment, const Lanes& lanes, Rows& rows)
      : s_(segment), lanes_(lanes), rows_(rows) {}

  /// `height` rows: whole rows of blocks, of which some may lie beyond the box.
  QN_CALL void run(int height) {
    const int begin = -depth;
    const int end = height + depth;
    for (int k = 0; k < Rows::ahead; ++k) rows_.template ask<false>(begin + k);
    // From `fast` to `slow` all sweeps are on rows of nodes, with rows beyond those asked for, and there is no sweep to
    // leave out.
    int fast = end;
    int slow = end;
    if (s_.pass.count == depth && (!Shape::whole_bands || s_.whole(Lanes::size))) {
      fast = s_.clamp(s_.bottom + depth, begin, end);
      slow = s_.clamp(Shape::whole_bands ? s_.top - Rows::ahead - 1 : s_.top, fast, end);
      slow -= (slow - fast) % Shape::unrolled;
    }
    QN_ROLLED
    for (int part = 0; part < 3; ++part) {
      if (part != 1) {
        rows<false, false, false>(part == 0 ? begin : slow, part == 0 ? fast : end);
      } else if (Shape::whole_bands && s_.inside(Lanes::size)) {
        rows<true, true, true>(fast, slow);
      } else {
        rows<Shape::whole_bands, false, true>(fast, slow);
      }
    }
  }

 private:
  /// `Whole`: as ask() has it; `Columns`, `InRows`: all of them are nodes of the box.
  template <bool Whole, bool Columns, bool InRows>
  QN_CALL void rows(int from, int to) {
    if constexpr (Columns && InRows && Shape::unrolled > 1) {
      QN_ROLLED
      for (; from < to; from += Shape::unrolled) {
        QN_UNROLL
        for (int k = 0; k < Shape::unrolled; ++k) row<Whole, Columns, InRows>(from + k);
      }
    } else {
      QN_ROLLED
      for (; from < to; ++from) row<Whole, Columns, InRows>(from);
    }
  }

  template <bool Whole, bool Columns, bool InRows>
  QN_CALL void row(int r) {
    rows_.template ask<Whole>(r + Rows::ahead);
    rows_.await();
    const Cells<T> done = step<Whole, Columns, InRows>(r);
    const int j = r - depth;
    if (j >= 0 && j < s_.end) store<Whole, Columns>(done, j);
    const int ended = r % static_cast<int>(block_rows);  // the sweep that has come to the end of a row of blocks
    if (ended >= 0 && ended < depth) store_sums(ended, r - 1 - ended);
  }

  /// Row r comes in, and sweep t does row r - 1 - t. Returns row r - depth as the last sweep leaves it.
  template <bool Whole, bool Columns, bool InRows>
  QN_CALL Cells<T> step(int r) {
    Cells<T> above = rows_.u(r);
    QN_UNROLL
    for (int t = 0; t < depth; ++t) {
      const int j = r - 1 - t;
      const Cells<T> mine = centre_[t];
      const T left = lanes_.shuffle_up(mine.v[cells - 1], 1);
      const T right = lanes_.shuffle_down(mine.v[0], 1);
      const T weight = rows_.weight(t);
      Cells<T> rhs;
      QN_UNROLL
      for (int c = 0; c < cells; ++c) rhs.v[c] = s_.pass.f_constant;
      if constexpr (RhsArray) rhs = rows_.template f<Whole>(j);
      Cells<T> residual, out;
      QN_UNROLL
      for (int c = 0; c < cells; ++c) {
        const T horizontal_sum = (c == 0 ? left : mine.v[c - 1]) + (c == cells - 1 ? right : mine.v[c + 1]);
        const T vertical_sum = below_[t].v[c] + above.v[c];
        residual.v[c] = rhs.v[c] - Body::five_point(mine.v[c], horizontal_sum, vertical_sum, s_.pass.a, s_.pass.b,
                                                    s_.pass.diagonal);
        // With this residual a value stays as it is, the sign of a zero included, for no weight is negative.
        if (!Columns && !(s_.i + c >= s_.left && s_.i + c < s_.right)) residual.v[c] = T(-0.0);
        if (!InRows && !(j >= s_.bottom && j < s_.top && t < s_.pass.count)) residual.v[c] = T(-0.0);
        out.v[c] = qn_fma(residual.v[c], weight, mine.v[c]);
      }
      QN_UNROLL
      for (int c = 0; c < cells; c += 2) {
        T& sum = sums_[t][c / 2];
        sum = sum + (residual.v[c] * residual.v[c] + residual.v[c + 1] * residual.v[c + 1]);
      }
      below_[t] = mine;
      centre_[t] = above;
      above = out;
    }
    return above;
  }

  template <bool Whole, bool Columns>
  QN_CALL void store(const Cells<T>& done, int j) const {
    if (s_.i < 0 || s_.i >= band_columns<T>(Lanes::size)) return;
    T* const target = s_.u_new + j * s_.pass.u_new.pitch + s_.i;
    if (Whole && (Columns || s_.i + cells <= s_.right)) {
      *reinterpret_cast<Cells<T>*>(target) = done;
    } else if constexpr (!Columns) {
      QN_UNROLL
      for (int c = 0; c < cells; ++c)
        if (s_.i + c < s_.right) target[c] = done.v[c];
    }
  }

  /// The blocks of the band that end with row j of sweep t. Sums of rows before the segment are dropped here.
  QN_CALL void store_sums(int t, int j) {
    constexpr int lanes_of_block = static_cast<int>(block_columns) / cells;
    T own[cells / 2] = {};
    QN_UNROLL
    for (int k = 0; k < depth; ++k) {
      QN_UNROLL
      for (int pair = 0; pair < cells / 2; ++pair) {
        if (k == t) own[pair] = sums_[k][pair];
        sums_[k][pair] = k == t ? T(0) : sums_[k][pair];
      }
    }
    T sum = own[0];
    if constexpr (cells == 4) sum = own[0] + own[1];
    QN_UNROLL
    for (int distance = 1; distance < lanes_of_block; distance *= 2) sum = sum + lanes_.shuffle_down(sum, distance);
    const bool first = s_.i >= 0 && s_.i % static_cast<int>(block_columns) == 0;
    if (j >= 0 && t < s_.pass.count && first && s_.i < band_columns<T>(Lanes::size) && s_.i < s_.right) {
      T* const of_row = s_.sums + s_.pass.plane() * t + j / block_rows * s_.pass.partials.pitch;
      of_row[s_.i / static_cast<int>(block_columns)] = sum;
    }
  }

  const Segment<T, RhsArray>& s_;
  const Lanes& lanes_;
  Rows& rows_;
  Cells<T> below_[depth] = {}, centre_[depth] = {};  // what each sweep reads: two rows of the one before it
  T sums_[depth][cells / 2] = {};
};

/// Rows by plain loads into registers, f again for each sweep: the caches have it.
template <class T, bool RhsArray>
class LoadedRows {
  static constexpr int cells = Cells<T>::size;

 public:
  static constexpr int ahead = 2;
  QN_CALL explicit LoadedRows(const Segment<T, RhsArray>& segment) : s_(segment) {}

  template <bool Whole>
  QN_CALL void ask(int j) {
    QN_UNROLL
    for (int k = 0; k < ahead; ++k) line_[k] = line_[k + 1];
    const T* const row = s_.u + s_.clamp(j, s_.bottom - 1, s_.top) * s_.pass.u.pitch;
    line_[ahead] = load<Whole>(row, s_.left - 1, s_.right);
  }
  QN_CALL void await() const {}
  [[nodiscard]] QN_CALL Cells<T> u(int /*j*/) const { return line_[0]; }
  template <bool Whole>
  [[nodiscard]] QN_CALL Cells<T> f(int j) const {
    return load<Whole>(s_.f + s_.clamp(j, s_.bottom, s_.top - 1) * s_.pass.f.pitch, s_.left, s_.right - 1);
  }
  [[nodiscard]] QN_CALL T weight(int t) const { return s_.pass.weights[t < s_.pass.count ? t : 0]; }

 private:
  template <bool Whole>
  [[nodiscard]] QN_CALL Cells<T> load(const T* row, int lowest, int highest) const {
    Cells<T> read;
    if constexpr (Whole) {
      typedef T Vector __attribute__((vector_size(sizeof(Cells<T>))));  // a struct would be loaded cell by cell
      const Vector whole = *reinterpret_cast<const Vector*>(row + s_.i);
      QN_UNROLL
      for (int c = 0; c < cells; ++c) read.v[c] = whole[c];
    } else {
      QN_UNROLL
      for (int c = 0; c < cells; ++c) read.v[c] = row[s_.clamp(s_.i + c, lowest, highest)];
    }
    return read;
  }

  const Segment<T, RhsArray>& s_;
  Cells<T> line_[ahead + 1] = {};
};

/// Bands and segments of a pass over a box, one subgroup each. A band at a side of the box takes longer over a row than
/// the others, whose columns are all nodes, and the pass takes as long as its slowest subgroup: so it has twice the
/// segments, which are a column more of them for either side.
struct MarchGrid {
  qn_index bands, segments, blocks;

  /// As many segments as bring `room` subgroups to work, and at most `most`, for each has rows of its neighbours to do
  /// as well.
  template <class T>
  static MarchGrid over(const Range& box, int lanes, qn_index room, qn_index most) {
    const qn_index columns = band_columns<T>(lanes);
    MarchGrid grid{(box.i1 - box.i0 + columns - 1) / columns, 0, (box.j1 - box.j0 + block_rows - 1) / block_rows};
    if (grid.blocks < most) most = grid.blocks;
    grid.segments = room / grid.columns();
    if (grid.segments > most) grid.segments = most;
    if (grid.segments < 1) grid.segments = 1;
    return grid;
  }
  [[nodiscard]] QN_CALL qn_index columns() const { return bands + (bands < 2 ? bands : 2); }

  /// What a subgroup does: whole rows of blocks, none in a segment that was one too many.
  struct Piece {
    qn_index column, row, rows;  ///< its first column and row of blocks, and their number
    [[nodiscard]] QN_CALL int height() const { return static_cast<int>(rows * block_rows); }
  };
  /// Of the subgroup with this place, 0 <= x < columns() and 0 <= y < segments.
  template <class T>
  [[nodiscard]] QN_CALL Piece piece(qn_index x, qn_index y, int lanes) const {
    const qn_index band = x < bands ? x : (x - bands) * (bands - 1);
    const bool at_side = band == 0 || band == bands - 1;
    const qn_index number = at_side ? 2 * y + (x < bands ? 0 : 1) : y;
    const qn_index row = row_of(number, at_side ? 2 * segments : segments);
    return {band * (band_columns<T>(lanes) / block_columns), row,
            row_of(number + 1, at_side ? 2 * segments : segments) - row};
  }

 private:
  /// The first row of blocks of a segment. Those in the middle are the ones that are a row longer, for the rows at the
  /// edges take more time.
  [[nodiscard]] QN_CALL qn_index row_of(qn_index number, qn_index of) const {
    const qn_index longer = blocks % of;
    const qn_index before = number - (of - longer) / 2;
    return number * (blocks / of) + (before < 0 ? 0 : before > longer ? longer : before);
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
