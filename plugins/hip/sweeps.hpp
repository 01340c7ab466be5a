#pragma once

// Several Jacobi sweeps in one pass through memory. A subgroup owns a band of columns and marches down its rows with
// all sweeps in flight, sweep t one row behind sweep t - 1. A lane keeps its columns of two rows of every sweep in
// registers; the columns beside them come from its neighbours by shuffles. Bands overlap by their halos, and so do the
// segments that the rows are cut into; the operations at a node, and the order of the block sums, are those of the
// single sweep: so are the bits.

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "incoming.hpp"
#include "kernels/dialect/subgroup.hpp"
#include "kernels/launchers.hpp"

namespace quoin::hip {

using kernels::qn_index;

/// One segment of one band.
template <class T, bool RhsArray>
class March {
  static constexpr int depth = sweep_depth;
  static constexpr int cells = Cells<T>::size;   // columns of a lane
  static constexpr int halo = 8;                 // columns on either side of a band: half a block, so that lanes fit
  static constexpr int ahead = 2;                // rows that are on their way while one is worked on
  static constexpr int u_rows = 4, f_rows = 16;  // of the rings, powers of two
  static_assert(depth <= halo && ahead < u_rows && depth + ahead < f_rows);
  using Body = kernels::Bodies<T, T>;

 public:
  /// Columns that the band of a subgroup of `width` lanes gives to the result: whole blocks.
  QN_CALL static constexpr int owned(int width) { return width * cells - 2 * halo; }

  struct Memory {
    Cells<T> u[u_rows][subgroup_width];
    Cells<T> f[RhsArray ? f_rows : 1][subgroup_width];
    T sums[subgroup_width * cells / 2];
    T weights[depth];
  };

  /// The segment begins with this column and row of blocks. From here on columns and rows are counted from its first.
  __device__ __forceinline__ March(const kernels::SweepsPoint<T, RhsArray>& point, Memory& memory, qn_index column,
                                   qn_index row)
      : p_(point),
        m_(memory),
        lane_(static_cast<int>(threadIdx.x)),
        i_(cells * lane_ - halo),
        left_(near(-column * block_columns)),
        right_(near(point.box.i1 - point.box.i0 - column * block_columns)),
        bottom_(near(-row * block_rows)),
        top_(near(point.box.j1 - point.box.j0 - row * block_rows)),
        out_(point.u_new.at(point.box.i0 + column * block_columns, point.box.j0 + row * block_rows)),
        sums_out_(point.partials.at(column, row)) {
    const auto start = [&](const auto& field, int j) {
      return field.at(point.box.i0 + column * block_columns, point.box.j0 + row * block_rows + j);
    };
    u_row_ = start(point.u, clamp(-depth, bottom_ - 1, top_));
    if constexpr (RhsArray) f_row_ = start(point.f, clamp(-depth, bottom_, top_ - 1));
  }

  /// `height` rows: whole rows of blocks, of which some may lie beyond the box.
  __device__ __forceinline__ void run(int height) {
    if (lane_ < depth) m_.weights[lane_] = lane_ < p_.count ? p_.weights[lane_] : T(0);
    __syncthreads();
    const bool whole = left_ <= -halo && right_ >= owned(subgroup_width) + halo && aligned();
    const int begin = -depth;
    const int end = height + depth;
    for (int k = 0; k < ahead; ++k) fetch<false>(begin + k);
    // From `fast` to `slow` all sweeps are on rows of the box, and there is no sweep to leave out.
    int fast = end;
    int slow = end;
    if (p_.count == depth) {
      fast = clamp(bottom_ + depth, begin, end);
      slow = clamp(top_, fast, end);
      slow -= (slow - fast) % unrolled;
    }
#pragma unroll 1
    for (int part = 0; part < 3; ++part) {
      if (part != 1) {
        rows<false, false>(part == 0 ? begin : slow, part == 0 ? fast : end);
      } else if (sweep_whole_bands && whole) {
        rows<true, true>(fast, slow);
      } else {
        rows<false, true>(fast, slow);
      }
    }
  }

 private:
  static constexpr int unrolled = sizeof(T) == 8 ? sweep_rows : 1;  // rows at once

  __device__ static int clamp(int k, int lowest, int highest) {
    return k < lowest ? lowest : k > highest ? highest : k;
  }

  /// No column or row of a segment is as far away as this.
  __device__ static int near(qn_index distance) {
    constexpr qn_index far = qn_index{1} << 30;
    return static_cast<int>(distance < -far ? -far : distance > far ? far : distance);
  }

  /// Whether a lane's columns can be moved as a whole.
  [[nodiscard]] __device__ bool aligned() const {
    std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(u_row_) | reinterpret_cast<std::uintptr_t>(out_) |
                          static_cast<std::uintptr_t>(p_.u.pitch | p_.u_new.pitch) * sizeof(T);
    if constexpr (RhsArray)
      bits |= reinterpret_cast<std::uintptr_t>(f_row_) | static_cast<std::uintptr_t>(p_.f.pitch) * sizeof(T);
    return bits % sizeof(Cells<T>) == 0;
  }

  /// Asks for row j, which follows the one asked for before. Beyond the rows of a field its last one comes again.
  template <bool Columns>
  __device__ __forceinline__ void fetch(int j) {
    ask<Columns>(u_coming_, &m_.u[j & (u_rows - 1)][lane_], u_row_, left_ - 1, right_);
    if (j >= bottom_ - 1 && j < top_) u_row_ += p_.u.pitch;
    if constexpr (RhsArray) {
      ask<Columns>(f_coming_, &m_.f[j & (f_rows - 1)][lane_], f_row_, left_, right_ - 1);
      if (j >= bottom_ && j < top_ - 1) f_row_ += p_.f.pitch;
    }
    close_row();
  }
  template <bool Columns>
  __device__ __forceinline__ void ask(Incoming<T>& coming, Cells<T>* to, const T* row, int lowest, int highest) {
    if constexpr (Columns) {
      coming.whole(to, row + i_);
    } else {
      int columns[cells];
#pragma unroll
      for (int c = 0; c < cells; ++c) columns[c] = clamp(i_ + c, lowest, highest);
      coming.each(to, row, columns);
    }
  }

  template <bool Columns, bool Rows>
  __device__ __forceinline__ void rows(int from, int to) {
    constexpr int at_once = Columns && Rows ? unrolled : 1;
#pragma unroll at_once
    for (int r = from; r < to; ++r) row<Columns, Rows>(r);
  }

  template <bool Columns, bool Rows>
  __device__ __forceinline__ void row(int r) {
    fetch<Columns>(r + ahead);
    await_rows<ahead>();
    const Cells<T> done = step<Columns, Rows>(r);
    const int j = r - depth;
    if (j >= 0 && j < top_) store<Columns>(done, j);
    const int ended = r % static_cast<int>(block_rows);  // the sweep that has come to the end of a row of blocks
    if (ended >= 0 && ended < depth) store_sums(ended, r - 1 - ended);
  }

  /// Row r comes in, and sweep t does row r - 1 - t. Returns row r - depth as the last sweep leaves it. `Columns`,
  /// `Rows`: all of them are nodes of the box.
  template <bool Columns, bool Rows>
  __device__ __forceinline__ Cells<T> step(int r) {
    const kernels::Subgroup<subgroup_width> lanes;
    Cells<T> above = m_.u[r & (u_rows - 1)][lane_];
#pragma unroll
    for (int t = 0; t < depth; ++t) {
      const int j = r - 1 - t;
      const Cells<T> mine = centre_[t];
      const T left = lanes.shuffle_up(mine.v[cells - 1], 1);
      const T right = lanes.shuffle_down(mine.v[0], 1);
      const T weight = m_.weights[t];
      Cells<T> rhs;
#pragma unroll
      for (int c = 0; c < cells; ++c) rhs.v[c] = p_.f_constant;
      if constexpr (RhsArray) rhs = m_.f[j & (f_rows - 1)][lane_];
      Cells<T> residual, out;
#pragma unroll
      for (int c = 0; c < cells; ++c) {
        const T beside = (c == 0 ? left : mine.v[c - 1]) + (c == cells - 1 ? right : mine.v[c + 1]);
        const T upright = below_[t].v[c] + above.v[c];
        residual.v[c] = rhs.v[c] - Body::five_point(mine.v[c], beside, upright, p_.a, p_.b, p_.diagonal);
        // With this residual a value stays as it is, the sign of a zero included, for no weight is negative.
        if (!Columns && !(i_ + c >= left_ && i_ + c < right_)) residual.v[c] = T(-0.0);
        if (!Rows && !(j >= bottom_ && j < top_ && t < p_.count)) residual.v[c] = T(-0.0);
        out.v[c] = kernels::qn_fma(residual.v[c], weight, mine.v[c]);
      }
#pragma unroll
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

  template <bool Columns>
  __device__ __forceinline__ void store(const Cells<T>& done, int j) const {
    if (i_ < 0 || i_ >= owned(subgroup_width)) return;
    T* const target = out_ + j * p_.u_new.pitch + i_;
    if constexpr (Columns) {
      *reinterpret_cast<Cells<T>*>(target) = done;
    } else {
#pragma unroll
      for (int c = 0; c < cells; ++c)
        if (i_ + c < right_) target[c] = done.v[c];
    }
  }

  /// The blocks of the band that end with row j of sweep t. Sums of rows before the segment are dropped here.
  __device__ __forceinline__ void store_sums(int t, int j) {
    constexpr int columns = static_cast<int>(block_columns);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
#pragma unroll
      for (int pair = 0; pair < cells / 2; ++pair) {
        if (k == t) m_.sums[lane_ * (cells / 2) + pair] = sums_[k][pair];
        sums_[k][pair] = k == t ? T(0) : sums_[k][pair];
      }
    }
    __syncthreads();
    if (j >= 0 && t < p_.count && lane_ < owned(subgroup_width) / columns && columns * lane_ < right_) {
      T* const row = sums_out_ + p_.plane() * t + j / block_rows * p_.partials.pitch;
      row[lane_] = Body::tree_across(m_.sums + halo / 2 + columns / 2 * lane_);
    }
    __syncthreads();
  }

  const kernels::SweepsPoint<T, RhsArray>& p_;
  Memory& m_;
  int lane_;
  int i_;                            // the lane's first column
  int left_, right_, bottom_, top_;  // the nodes of the box
  const T* u_row_ = nullptr;         // the next row to ask for
  const T* f_row_ = nullptr;
  T* out_;
  T* sums_out_;
  Incoming<T> u_coming_, f_coming_;
  Cells<T> below_[depth] = {}, centre_[depth] = {};  // what each sweep reads: two rows of the one before it
  T sums_[depth][cells / 2] = {};
};

template <class T, bool RhsArray>
__global__ void __launch_bounds__(subgroup_width, sweep_groups)
    sweep_bands(kernels::SweepsPoint<T, RhsArray> point, const qn_index* control) {
  if (control != nullptr && control[0] != 0) return;
  using Segment = March<T, RhsArray>;
  __shared__ typename Segment::Memory memory;
  const qn_index blocks = (point.box.j1 - point.box.j0 + block_rows - 1) / block_rows;
  const qn_index row = blocks * blockIdx.y / gridDim.y;
  const qn_index end = blocks * (blockIdx.y + 1) / gridDim.y;
  Segment(point, memory, qn_index{blockIdx.x} * (Segment::owned(subgroup_width) / block_columns), row)
      .run(static_cast<int>((end - row) * block_rows));
}

/// What a device can run of a pass at once.
struct Room {
  int width = 0;   ///< lanes of a subgroup
  int groups = 0;  ///< work-groups of one subgroup
};

/// The room on the current device, without lanes where the runtime cannot tell: its error then stays for the caller.
template <class T, bool RhsArray>
Room room_for_sweeps() {
  static std::mutex lock;
  static std::map<int, Room> known;
  int device = 0;
  int units = 0;
  Room room;
  if (hipGetDevice(&device) != hipSuccess) return {};
  const std::lock_guard held(lock);
  if (const auto found = known.find(device); found != known.end()) return found->second;
  if (hipDeviceGetAttribute(&room.width, hipDeviceAttributeWarpSize, device) != hipSuccess ||
      hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device) != hipSuccess ||
      hipOccupancyMaxActiveBlocksPerMultiprocessor(&room.groups, sweep_bands<T, RhsArray>, room.width, 0) != hipSuccess)
    return {};
  room.groups *= units;
  return known[device] = room;
}

/// As many segments as make the device full once, for each has rows of its neighbours to do as well.
template <class T, bool RhsArray>
void launch_sweeps(hipStream_t stream, const kernels::SweepsPoint<T, RhsArray>& point, const qn_index* control) {
  const Room room = room_for_sweeps<T, RhsArray>();
  if (room.width == 0) return;
  const auto parts = [](qn_index whole, qn_index part) { return (whole + part - 1) / part; };
  const qn_index bands = parts(point.box.i1 - point.box.i0, March<T, RhsArray>::owned(room.width));
  const qn_index blocks = parts(point.box.j1 - point.box.j0, block_rows);
  const qn_index segments = std::clamp<qn_index>(room.groups / bands, 1, std::min<qn_index>(blocks, most_groups_y));
  sweep_bands<T, RhsArray>
      <<<dim3(static_cast<unsigned>(bands), static_cast<unsigned>(segments)), room.width, 0, stream>>>(point, control);
}

}  // namespace quoin::hip
