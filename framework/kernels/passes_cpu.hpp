#pragma once

// Several Jacobi sweeps in one pass through memory, in space or with coefficients, for CPU backends: tiles of whole
// reduction blocks with overlapped halos, each streamed over its rows with all sweeps in flight, sweep t a plane behind
// sweep t - 1. The operations at a node, and the order of the block sums, are those of the single sweep: so are the
// bits. (sweeps_cpu.hpp has those of five points with one factor each, whose sweeps follow at once.)

#include <new>

#include "kernels/skeleton_cpu.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Columns beside a tile that it works on as well: half a block, and a sweep uses up one of them.
inline constexpr qn_index pass_halo = 8;
static_assert(deepest_row_pass <= pass_halo + 1);

/// Memory that the launches of a thread work in, one after the other. It is kept: to hand out the pages of a large one
/// can take as long as a pass.
class PassMemory {
 public:
  PassMemory() = default;
  PassMemory(const PassMemory&) = delete;
  PassMemory& operator=(const PassMemory&) = delete;
  ~PassMemory() { release(); }
  /// At least so many bytes. Throws std::bad_alloc.
  static void* of_thread(std::size_t bytes) {
    static thread_local PassMemory memory;
    if (bytes > memory.bytes_) {
      memory.release();
      memory.data_ = ::operator new[](bytes, alignment);
      memory.bytes_ = bytes;
    }
    return memory.data_;
  }

 private:
  static constexpr std::align_val_t alignment{64};
  void release() {
    ::operator delete[](data_, alignment);
    data_ = nullptr;
    bytes_ = 0;
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Where the threads of a launch keep what the sweeps of their tiles leave to the next.
template <class T>
class PassRings {
 public:
  /// For tiles of at most `columns`. Throws std::bad_alloc.
  PassRings(const RowPass<T>& pass, qn_index columns, qn_index threads)
      : rows(rows_of(pass)),
        pitch(pitch_of(columns)),
        values_(static_cast<T*>(PassMemory::of_thread(static_cast<std::size_t>(rows * pitch * threads) * sizeof(T)))) {}
  /// Column 0 of the first row of a thread's; there are `margin` more before it, and after the last.
  [[nodiscard]] T* of(qn_index thread) const { return values_ + thread * rows * pitch + margin; }

  static qn_index bytes(const RowPass<T>& pass, qn_index columns) {
    return rows_of(pass) * pitch_of(columns) * static_cast<qn_index>(sizeof(T));
  }
  /// Rows that a sweep is behind the one before: whole steps.
  static qn_index behind(const RowPass<T>& pass) { return (pass.plane + together - 1) / together * together; }

  static constexpr qn_index together = pack_width<T> * sizeof(T) >= 64 ? 4 : 2;  ///< rows of a step
  const qn_index rows, pitch;

 private:
  static constexpr qn_index margin = 16;
  /// From the newest of the first sweep to the oldest that the last one reads.
  static qn_index rows_of(const RowPass<T>& pass) { return (pass.count - 1) * (behind(pass) + pass.plane) + together; }
  static qn_index pitch_of(qn_index columns) { return columns + 2 * pass_halo + 2 * margin; }

  T* values_;
};

/// How a pass is cut into tiles, of whole blocks.
struct PassCut {
  qn_index columns, rows;

  /// So that as many threads are done first. Tiles are as wide as a thread's share of a cache has room for what the
  /// sweeps of one leave and read.
  template <class Pass>
  PassCut(const Pass& pass, qn_index threads, qn_index widest) : columns(block_columns), rows(block_rows) {
    using Rings = PassRings<typename Pass::Element>;
    constexpr qn_index narrowest = 2 * block_columns;
    constexpr qn_index arrays = row_pass_arrays(Pass::coefficients, Pass::in_space);
    const qn_index read = arrays * (pass.count - 1) * Rings::behind(pass);  // elements, of each column
    const qn_index height = pass.box.j1 - pass.box.j0;
    qn_index least = 0;
    for (qn_index width = block_columns; width <= widest; width += block_columns) {
      const qn_index wider = width + 2 * pass_halo;
      const qn_index bytes =
          Rings::bytes(pass, width) + read * wider * static_cast<qn_index>(sizeof(typename Pass::Element));
      if (width > narrowest && bytes > row_pass_cache) break;
      const qn_index across = (pass.box.i1 - pass.box.i0 + width - 1) / width;
      constexpr qn_index most_turns = 4;
      for (qn_index wanted = 1; wanted <= most_turns; ++wanted) {
        const qn_index cuts = wanted * threads / across;  // of the rows, as many as keep to so many tiles a thread
        const qn_index down = cuts > 1 ? cuts : 1;
        const qn_index tall = ((height + down - 1) / down + block_rows - 1) / block_rows * block_rows;
        const qn_index turns = (across * ((height + tall - 1) / tall) + threads - 1) / threads;
        const qn_index more = down > 1 ? (pass.count - 1) * pass.plane : 0;  // rows of neighbours
        // Threads on the same rows have much of what memory brings in common: others took a fifth longer.
        const qn_index time = turns * wider * (tall + more) * (down > 1 ? 6 : 5);
        if (least != 0 && time >= least) continue;
        least = time;
        columns = width;
        rows = tall;
      }
    }
  }
};

/// The iterate at a node and around it.
template <class real>
struct Around {
  real centre, left, right, below, above, near, far;
};

/// What a pass needs of adjacent rows beside the iterate, and what that makes of a node:
///   Equations(pass, i, j)            of rows j to j + Rows - 1, of which column 0 is then column i
///   template <class real> Factors    of the whole pass, Factors<real>(pass, weight)
///   residual(factors, around, i, k)  of row k; update(factors, residual, around, i, k): the new value
///   ask(i)                           for the rows of the next step
template <class Pass, int Rows>
struct Equations;

template <class T, int Rows>
struct Equations<CubePass<T>, Rows> {
  Equations(const CubePass<T>& pass, qn_index i, qn_index j) : step(Rows * pass.f.pitch) {
    for (int k = 0; k < Rows; ++k) {
      f[k] = pass.f.at(i, j + k);
      inside[k] = pass.inside[j + k];
    }
  }
  template <class real>
  struct Factors {
    Factors(const CubePass<T>& pass, T weight_)
        : a(pass.a), b(pass.b), c(pass.c), diagonal(pass.diagonal), weight(weight_) {}
    real a, b, c, diagonal, weight;
  };
  template <class real>
  QN_CALL real residual(const Factors<real>& x, const Around<real>& u, qn_index i, int k) const {
    const real au = Bodies<real, T>::cube_points(u.centre, u.left + u.right, u.below + u.above, u.near + u.far, x.a,
                                                 x.b, x.c, x.diagonal);
    return real(inside[k]) * (Access<real>::load(f[k] + i) - au);
  }
  template <class real>
  QN_CALL real update(const Factors<real>& x, real residual, const Around<real>& u, qn_index, int) const {
    return qn_fma(residual, x.weight, u.centre);
  }
  QN_CALL void ask(qn_index i) const {
    QN_UNROLL
    for (int k = 0; k < Rows; ++k) __builtin_prefetch(f[k] + i + step, 0, 2);
  }

  const T* f[Rows];
  T inside[Rows];
  qn_index step;
};

template <class T, bool InSpace, int Rows>
struct Equations<FlowPass<T, InSpace>, Rows> {
  Equations(const FlowPass<T, InSpace>& pass, qn_index i, qn_index j)
      : f(pass.f.at(i, j)),
        kx(pass.kx.at(i, j)),
        ky(pass.ky.at(i, j)),
        kz(InSpace ? pass.kz.at(i, j) : nullptr),
        sink(pass.sink.at(i, j)),
        f_pitch(pass.f.pitch),
        kx_pitch(pass.kx.pitch),
        ky_pitch(pass.ky.pitch),
        kz_pitch(pass.kz.pitch),
        sink_pitch(pass.sink.pitch),
        plane(pass.plane * pass.kz.pitch) {
    for (int k = 0; k < Rows; ++k) inside[k] = InSpace ? pass.inside[j + k] : T(1);
  }
  template <class real>
  struct Factors {
    Factors(const FlowPass<T, InSpace>&, T weight_) : weight(weight_) {}
    real weight;
  };
  template <class real>
  QN_CALL real residual(const Factors<real>&, const Around<real>& u, qn_index i, int k) const {
    using At = Access<real>;
    const T* const x = kx + k * kx_pitch + i;
    const T* const y = ky + k * ky_pitch + i;
    const real right = At::load(f + k * f_pitch + i);
    const real out = At::load(sink + k * sink_pitch + i);
    if constexpr (InSpace) {
      const T* const z = kz + k * kz_pitch + i;
      const real flow = Bodies<real, T>::cube_balance(u.centre, u.left, u.right, u.below, u.above, u.near, u.far,
                                                      At::load(x), At::load(x + 1), At::load(y), At::load(y + ky_pitch),
                                                      At::load(z), At::load(z + plane), out);
      return real(inside[k]) * (right - flow);
    } else {
      return right - Bodies<real, T>::diffusion_balance(u.centre, u.left, u.right, u.below, u.above, At::load(x),
                                                        At::load(x + 1), At::load(y), At::load(y + ky_pitch), out);
    }
  }
  template <class real>
  QN_CALL real update(const Factors<real>& factors, real residual, const Around<real>& u, qn_index i, int k) const {
    using At = Access<real>;
    const T* const x = kx + k * kx_pitch + i;
    const T* const y = ky + k * ky_pitch + i;
    const real out = At::load(sink + k * sink_pitch + i);
    real diagonal;
    if constexpr (InSpace) {
      const T* const z = kz + k * kz_pitch + i;
      diagonal = Bodies<real, T>::cube_diagonal(At::load(x), At::load(x + 1), At::load(y), At::load(y + ky_pitch),
                                                At::load(z), At::load(z + plane), out);
    } else {
      diagonal =
          Bodies<real, T>::diffusion_diagonal(At::load(x), At::load(x + 1), At::load(y), At::load(y + ky_pitch), out);
    }
    return qn_fma(factors.weight, residual / diagonal, u.centre);
  }
  QN_CALL void ask(qn_index i) const {
    QN_UNROLL
    for (int k = Rows; k < 2 * Rows; ++k) {
      __builtin_prefetch(f + k * f_pitch + i, 0, 2);
      __builtin_prefetch(kx + k * kx_pitch + i, 0, 2);
      __builtin_prefetch(ky + (k + 1) * ky_pitch + i, 0, 2);
      if constexpr (InSpace) __builtin_prefetch(kz + k * kz_pitch + plane + i, 0, 2);
      __builtin_prefetch(sink + k * sink_pitch + i, 0, 2);
    }
  }

  const T *f, *kx, *ky, *kz, *sink;
  qn_index f_pitch, kx_pitch, ky_pitch, kz_pitch, sink_pitch, plane;
  T inside[Rows];
};

/// One tile.
template <class Pass>
class PassTile {
  using T = typename Pass::Element;

 public:
  PassTile(const Pass& pass, const Range& tile, const PassRings<T>& rings, qn_index thread)
      : p_(pass),
        ring_(rings.of(thread)),
        ring_rows_(rings.rows),
        ring_pitch_(rings.pitch),
        tile_(tile),
        // The columns that are worked on: the tile with its halo, as far as there are nodes.
        first_(greater(tile.i0 - pass_halo, pass.box.i0)),
        last_(less(tile.i1 + pass_halo, pass.box.i1)),
        lowest_(whole_steps(greater(tile.j0 - reach(0), pass.box.j0))) {}

  void run() {
    const qn_index behind = PassRings<T>::behind(p_);
    const qn_index steps = (tile_.j1 - lowest_ + (p_.count - 1) * behind + together - 1) / together;
    for (qn_index t = 0; t < p_.count; ++t) clear(t);
    for (qn_index s = 0; s < steps; ++s) {
      for (qn_index t = 0; t < p_.count; ++t) {
        const qn_index j = lowest_ + s * together - t * behind;
        // What the tile needs of them, or what later sweeps of it read.
        const bool needed = j + together > greater(tile_.j0 - reach(t), p_.box.j0) && j < tile_.j1 + reach(t);
        if (!needed || j >= p_.box.j1) continue;
        if (j + together <= p_.box.j1) {
          advance<together>(t, j);
        } else {
          for (qn_index row = j; row < p_.box.j1; ++row) advance<1>(t, row);
        }
      }
      done_ += together;
      newest_ += together;
      if (newest_ >= ring_rows_) newest_ -= ring_rows_;
    }
  }

 private:
  using Wide = Pack<T, pack_width<T>>;
  static constexpr qn_index together = PassRings<T>::together;
  static_assert(block_rows % together == 0);

  static qn_index less(qn_index a, qn_index b) { return a < b ? a : b; }
  static qn_index greater(qn_index a, qn_index b) { return a > b ? a : b; }
  /// Rows beyond the tile that later sweeps need of sweep t.
  [[nodiscard]] qn_index reach(qn_index t) const { return (p_.count - 1 - t) * p_.plane; }
  [[nodiscard]] qn_index whole_steps(qn_index j) const { return j - (j - p_.box.j0) % together; }
  void clear(qn_index t) {
    for (T& sum : sums_[t]) sum = T(0);
  }

  /// Row j of sweep t takes the place of the row a plane before it of sweep t - 1, which nothing reads any more.
  [[nodiscard]] T* ring_row(qn_index t, qn_index j) const {
    qn_index k = newest_ + (j - lowest_ - done_) - t * p_.plane;
    if (k < 0) k += ring_rows_;
    if (k >= ring_rows_) k -= ring_rows_;
    return ring_ + k * ring_pitch_;
  }
  /// Row j as sweep t has left it, so that element i - first_ is column i; t = -1: the iterate that the pass starts
  /// from.
  [[nodiscard]] const T* after(qn_index t, qn_index j) const {
    if (t < 0 || j < p_.box.j0 || j >= p_.box.j1) return p_.u.at(first_, j);  // sides are the same for all sweeps
    return ring_row(t, j);
  }

  /// What a sweep makes adjacent rows from, and where it leaves them.
  template <int Rows>
  struct Lines {
    const T* u[Rows + 2];  // with the row before and the one behind
    const T *near[Rows], *far[Rows];
    T* target[Rows];
    qn_index ahead;  // elements to the rows of the next step of u; 0 where those are not asked for
  };

  template <int Rows>
  void advance(qn_index t, qn_index j) {
    const bool last = t == p_.count - 1;
    // Halos too, but in the result they belong to other tiles.
    const qn_index i0 = last ? tile_.i0 - first_ : 0;
    const qn_index i1 = (last ? tile_.i1 : last_) - first_;
    Lines<Rows> lines;
    for (int k = 0; k < Rows + 2; ++k) lines.u[k] = after(t - 1, j - 1 + k);
    for (int k = 0; k < Rows; ++k) {
      if constexpr (Pass::in_space) {
        lines.near[k] = after(t - 1, j + k - p_.plane);
        lines.far[k] = after(t - 1, j + k + p_.plane);
      }
      lines.target[k] = last ? p_.u_new.at(first_, j + k) : ring_row(t, j + k);
    }
    lines.ahead = t == 0 ? Rows * p_.u.pitch : 0;
    sweep<Rows>(lines, Equations<Pass, Rows>(p_, first_, j), p_.weights[t], i0, i1, sums_[t]);
    if ((j + Rows - p_.box.j0) % block_rows == 0 || j + Rows == p_.box.j1) end_blocks(t, j);
    for (int k = 0; k < Rows && !last; ++k) {  // what lies beyond the sides
      if (first_ == p_.box.i0) lines.target[k][-1] = *p_.u.at(p_.box.i0 - 1, j + k);
      if (last_ == p_.box.i1) lines.target[k][i1] = *p_.u.at(p_.box.i1, j + k);
    }
  }

  /// Stores the new values of columns i to i + width - 1 and gives their residuals squared. `before` is what was there
  /// before them: its last lane counts.
  template <class real, int Rows>
  QN_CALL static void at(const Lines<Rows>& lines, const Equations<Pass, Rows>& equations,
                         const typename Equations<Pass, Rows>::template Factors<real>& factors, qn_index i,
                         real (&before)[Rows], real (&squares)[Rows]) {
    if constexpr (Rows == together && sizeof(real) > sizeof(T)) {
      for (int k = 0; k < Rows && lines.ahead != 0; ++k)
        __builtin_prefetch((Pass::in_space ? lines.far[k] : lines.u[k + 2]) + i + lines.ahead, 0, 2);
      equations.ask(i);
    }
    real u[Rows + 2];
    for (int k = 0; k < Rows + 2; ++k) u[k] = Access<real>::load(lines.u[k] + i);
    for (int k = 0; k < Rows; ++k) {
      Around<real> around;
      around.centre = u[k + 1];
      around.left = lane_before(before[k], u[k + 1]);
      around.right = Access<real>::load(lines.u[k + 1] + i + 1);
      around.below = u[k];
      around.above = u[k + 2];
      if constexpr (Pass::in_space) {
        around.near = Access<real>::load(lines.near[k] + i);
        around.far = Access<real>::load(lines.far[k] + i);
      }
      const real residual = equations.residual(factors, around, i, k);
      Access<real>::store(lines.target[k] + i, equations.update(factors, residual, around, i, k));
      squares[k] = residual * residual;
      before[k] = u[k + 1];
    }
  }

  /// Columns i to end - 1 of the rows. Adds to the sums of pairs of columns.
  template <int Rows>
  void sweep(const Lines<Rows>& lines, const Equations<Pass, Rows>& equations, T weight, qn_index i, qn_index end,
             T* sums) const {
    constexpr qn_index width = pack_width<T>;
    T* sum = sums + i / 2;
    T left[Rows];
    for (int k = 0; k < Rows; ++k) left[k] = lines.u[k + 1][i - 1];
    if (i + 2 * width <= end) {
      const typename Equations<Pass, Rows>::template Factors<Wide> factors(p_, weight);
      Wide before[Rows];
      for (int k = 0; k < Rows; ++k) before[k] = Wide(left[k]);
      for (; i + 2 * width <= end; i += 2 * width, sum += width) {
        Wide low[Rows], high[Rows];
        at<Wide, Rows>(lines, equations, factors, i, before, low);
        at<Wide, Rows>(lines, equations, factors, i + width, before, high);
        Wide total = Access<Wide>::load(sum);
        for (int k = 0; k < Rows; ++k) total = total + pair_sums(low[k], high[k]);
        Access<Wide>::store(sum, total);
      }
      for (int k = 0; k < Rows; ++k) left[k] = before[k].v[width - 1];
    }
    const typename Equations<Pass, Rows>::template Factors<T> factors(p_, weight);
    for (; i < end; i += 2, ++sum) {
      T low[Rows], high[Rows] = {};
      at<T, Rows>(lines, equations, factors, i, left, low);
      if (i + 1 < end) at<T, Rows>(lines, equations, factors, i + 1, left, high);
      for (int k = 0; k < Rows; ++k) *sum = *sum + (low[k] + high[k]);
    }
  }

  /// The row of blocks that row j is of: its sums are stored if they belong to the tile.
  void end_blocks(qn_index t, qn_index j) {
    const View<T> partials{p_.partials.origin + t * p_.sums(), p_.partials.pitch};
    for (qn_index i = tile_.i0; i < tile_.i1 && j >= tile_.j0 && j < tile_.j1; i += block_columns) {
      *partials.at((i - p_.box.i0) / block_columns, (j - p_.box.j0) / block_rows) =
          Bodies<T, T>::tree_across(sums_[t] + (i - first_) / 2);
    }
    clear(t);
  }

  const Pass& p_;
  T* ring_;
  qn_index ring_rows_, ring_pitch_;
  Range tile_;
  qn_index first_, last_;
  qn_index lowest_;                 // the first row that any sweep may need
  qn_index done_ = 0, newest_ = 0;  // the first row of the first sweep's step, counted from there, and its place
  alignas(64) T sums_[deepest_row_pass][widest_tile / 2 + block_columns];
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
