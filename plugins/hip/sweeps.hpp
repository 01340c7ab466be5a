#pragma once

// Jacobi sweeps: one by kernels/sweep.hpp; a pass of several by kernels/march.hpp, one subgroup a work-group, with rows
// that come through its memory.

#include <map>
#include <mutex>

#include "incoming.hpp"
#include "kernels.hpp"
#include "kernels/dialect/subgroup.hpp"
#include "kernels/sweep.hpp"

namespace quoin::hip {

using kernels::qn_index;

template <class T, bool RhsArray>
__global__ void __launch_bounds__(sweep_threads)
    sweep_strips(kernels::SweepPass<T, RhsArray> pass, const qn_index* control) {
  begin_early();
  if (control != nullptr && control[0] != 0) return;
  using Lanes = kernels::Subgroup<subgroup_width>;
  const Lanes lanes;
  const qn_index subgroup = (qn_index{blockIdx.x} * sweep_threads + threadIdx.x) / subgroup_width;
  if (subgroup < kernels::SweepGrid<T>(pass.box, subgroup_width).subgroups)
    kernels::Sweep<T, RhsArray, Lanes>(pass, lanes, subgroup).run();
}

template <class T, bool RhsArray>
void launch_sweep(const Target& target, const kernels::SweepPass<T, RhsArray>& pass, const qn_index* control) {
  const qn_index lanes = kernels::SweepGrid<T>(pass.box, widest_subgroup).subgroups * widest_subgroup;
  target.early(sweep_strips<T, RhsArray>, static_cast<unsigned>((lanes + sweep_threads - 1) / sweep_threads),
               sweep_threads, pass, control);
}

/// Rows in rings of the work-group's memory, where only the lane that asked for a cell reads it.
template <class T, bool RhsArray, int Depth>
class RingRows {
  static constexpr int cells = Cells<T>::size;
  static constexpr int u_rows = 4, f_rows = Depth > 4 ? 16 : 8;  // powers of two

 public:
  static constexpr int ahead = Depth > 4 ? 2 : 3;
  static_assert(ahead < u_rows && Depth + ahead < f_rows);

  struct Memory {
    Cells<T> u[u_rows][subgroup_width];
    Cells<T> f[RhsArray ? f_rows : 1][subgroup_width];
  };

  __device__ __forceinline__ RingRows(const kernels::Segment<T, RhsArray>& segment, Memory& memory)
      : s_(segment),
        m_(memory),
        lane_(static_cast<int>(threadIdx.x)),
        needed_(segment.i + cells > -Depth && segment.i < kernels::band_columns<T>(subgroup_width) + Depth),
        u_row_(segment.u + segment.clamp(-Depth, segment.bottom - 1, segment.top) * segment.pass.u.pitch) {
    if constexpr (RhsArray)
      f_row_ = segment.f + segment.clamp(-Depth, segment.bottom, segment.top - 1) * segment.pass.f.pitch;
#pragma unroll
    for (int t = 0; t < Depth; ++t) weights_[t] = t < s_.pass.count ? s_.pass.weights[t] : T(0);
  }

  template <bool Whole>
  __device__ __forceinline__ void ask(int j) {
    fetch<Whole>(u_coming_, m_.u, j, u_row_, s_.left - 1, s_.right);
    if (j >= s_.bottom - 1 && j < s_.top) u_row_ += s_.pass.u.pitch;
    if constexpr (RhsArray) {
      fetch<Whole>(f_coming_, m_.f, j, f_row_, s_.left, s_.right - 1);
      if (j >= s_.bottom && j < s_.top - 1) f_row_ += s_.pass.f.pitch;
    }
    close_row();
  }
  __device__ __forceinline__ void await() const { await_rows<ahead>(); }
  __device__ __forceinline__ Cells<T> u(int j) const { return m_.u[j & (u_rows - 1)][lane_]; }
  template <bool Whole>
  __device__ __forceinline__ Cells<T> f(int j) const {
    return m_.f[j & (f_rows - 1)][lane_];
  }
  __device__ __forceinline__ T weight(int t) const { return weights_[t]; }

 private:
  template <bool Whole, int Ring>
  __device__ __forceinline__ void fetch(Incoming<T>& coming, Cells<T> (&ring)[Ring][subgroup_width], int j,
                                        const T* row, int lowest, int highest) {
    Cells<T>* const to = &ring[j & (Ring - 1)][lane_];
    Cells<T>* const before = &ring[(j - 1) & (Ring - 1)][lane_];
    if (Depth < kernels::band_halo && !needed_) return;
    if constexpr (Whole) {
      coming.whole(to, before, row + s_.i);
    } else {
      int columns[cells];
#pragma unroll
      for (int c = 0; c < cells; ++c) columns[c] = s_.clamp(s_.i + c, lowest, highest);
      coming.each(to, before, row, columns);
    }
  }

  const kernels::Segment<T, RhsArray>& s_;
  Memory& m_;
  int lane_;
  bool needed_;     // a result depends on the lane's columns; the others' come to nothing and are not fetched
  const T* u_row_;  // the next row to ask for
  const T* f_row_ = nullptr;
  Incoming<T> u_coming_, f_coming_;
  T weights_[Depth];
};

template <class T, bool RhsArray, int Depth>
__global__ void __launch_bounds__(subgroup_width, sweep_groups(Depth))
    sweep_bands(kernels::SweepPass<T, RhsArray> pass, kernels::MarchGrid grid, const qn_index* control) {
  begin_early();
  if (control != nullptr && control[0] != 0) return;
  using Rows = RingRows<T, RhsArray, Depth>;
  using Lanes = kernels::Subgroup<subgroup_width>;
  using Shape = kernels::MarchShape<Depth, sweep_rows, sweep_whole_bands>;
  __shared__ typename Rows::Memory memory;
  const auto piece = grid.piece<T>(blockIdx.x, blockIdx.y, subgroup_width);
  if (piece.rows == 0) return;
  const Lanes lanes;
  const kernels::Segment<T, RhsArray> segment(pass, piece.column, piece.row, lanes.lane());
  Rows rows(segment, memory);
  kernels::March<T, RhsArray, Shape, Lanes, Rows>(segment, lanes, rows).run(piece.height());
}

/// What a device can run of a pass at once.
struct Room {
  int width = 0;   ///< lanes of a subgroup
  int groups = 0;  ///< work-groups of one subgroup
};

/// The room on the current device, without lanes where the runtime cannot tell: its error then stays for the caller.
template <class T, bool RhsArray, int Depth>
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
      hipOccupancyMaxActiveBlocksPerMultiprocessor(&room.groups, sweep_bands<T, RhsArray, Depth>, room.width, 0) !=
          hipSuccess)
    return {};
  room.groups *= units;
  return known[device] = room;
}

template <int Depth, class T, bool RhsArray>
void launch_sweeps(const Target& target, const kernels::SweepPass<T, RhsArray>& pass, const qn_index* control) {
  const Room room = room_for_sweeps<T, RhsArray, Depth>();
  if (room.width == 0) return;
  const auto grid = kernels::MarchGrid::over<T>(pass.box, room.width, room.groups, max_groups_y);
  const dim3 groups(static_cast<unsigned>(grid.columns()), static_cast<unsigned>(grid.segments));
  target.early(sweep_bands<T, RhsArray, Depth>, groups, static_cast<unsigned>(room.width), pass, grid, control);
}

}  // namespace quoin::hip
