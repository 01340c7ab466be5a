#pragma once

// The half step of DG-CVS and its limiter by several lanes an entity, where a lane for each would leave most of the
// device idle.

#include "config.hpp"
#include "kernels/dgcvs/team.hpp"
#include "kernels/dgcvs/team_limit.hpp"
#include "kernels/launchers.hpp"

namespace quoin::hip {

using kernels::qn_index;

template <class T, template <class, class, int> class Law, int ORDER>
struct ByUnknowns<kernels::DgLinearPoint<T, Law, ORDER>> {
  static constexpr int most = max_by_unknowns(ORDER), most_shared = max_by_shared(ORDER), unknowns = DG_BASIS;
};

struct TeamBarrier {
  __device__ void operator()() const { __syncthreads(); }
};

template <template <class, class, int> class Law, int ORDER>
struct Teams<kernels::DgUpdatePoint<double, Law, ORDER>> {
  using LawBodies = Law<double, double, ORDER>;
  using Lanes = kernels::TeamLanes<team_lanes(ORDER), TeamBarrier>;
  using Member = kernels::Team<LawBodies, ORDER, Lanes>;
  static constexpr int lanes = team_lanes(ORDER), at_once = teams_at_once(ORDER, LawBodies::variables);
  static constexpr int most = max_teams(ORDER, LawBodies::variables);
  static constexpr bool exist = most > 0 && !std::is_same_v<LawBodies, kernels::ShallowWaterBed<double, double, ORDER>>;

  static bool take(qn_index entities, const typename LawBodies::dgcvs_update_arguments& a) {
    return entities <= (a.faces > 0 ? 4 * most : most) && Member::takes(a);
  }
};

template <template <class, class, int> class Law, int ORDER>
struct Teams<kernels::DgLimitPoint<double, Law, ORDER>> {
  using LawBodies = Law<double, double, ORDER>;
  using Lanes = kernels::TeamLanes<limit_lanes, TeamBarrier>;
  using Member = kernels::LimitTeam<LawBodies, ORDER, Lanes>;
  static constexpr int lanes = limit_lanes, at_once = limits_at_once;
  static constexpr bool exist = !std::is_same_v<LawBodies, kernels::ShallowWaterBed<double, double, ORDER>>;

  static bool take(qn_index entities, const typename LawBodies::dgcvs_limit_arguments& a) {
    return entities <= max_limit_teams(LawBodies::variables) && Member::takes(a);
  }
};

#if defined(__CUDACC__) && !defined(__HIP__)
#define QN_TEAM_BOUNDS(Team) __launch_bounds__(Team::lanes, Team::at_once)
#else  // hipcc counts wavefronts
#define QN_TEAM_BOUNDS(Team) __launch_bounds__(Team::lanes)
#endif

/// Not one that begins early: where not all teams are there at once, those of the next launch would take the place of
/// the last ones, and 800 of order 3 took 37 us on an H200, not 26.
template <class T, class Point>
__global__ void QN_TEAM_BOUNDS(Teams<Point>) update_by_teams(kernels::Range range, Point point) {
  using Team = Teams<Point>;
  __shared__ typename Team::Member::Memory memory;
  const typename Team::Lanes lanes{static_cast<int>(threadIdx.x), {}};
  typename Team::Member(memory, lanes, point.arguments, range.i0 + qn_index{blockIdx.x}).update();
}

/// An unknown's products with the old entities in some slots, which are read on the way together.
template <int slots, int unknowns, class T, class Arguments>
__device__ T add_slots(const Arguments& a, qn_index first, qn_index e, const T* matrix, T sum) {
  const T* from[slots];
#pragma unroll
  for (int k = 0; k < slots; ++k) from[k] = a.old + a.neighbour[(first + k) * a.own_pitch + e];
  matrix += first * unknowns * unknowns;
#pragma unroll
  for (int k = 0; k < slots; ++k) {
#pragma unroll
    for (int column = 0; column < unknowns; ++column)
      sum = fma(matrix[(k * unknowns + column) * unknowns], from[k][column * a.old_pitch], sum);
  }
  return sum;
}

/// The half step by shared matrices: dgcvs_linear_point with a lane for each unknown.
template <class T, class Point>
__global__ void __launch_bounds__(entity_threads) update_by_unknowns(kernels::Range range, Point point) {
  begin_early();
  constexpr int unknowns = ByUnknowns<Point>::unknowns;
  const auto& a = point.arguments;
  const qn_index lane = qn_index{blockIdx.x} * entity_threads + threadIdx.x;
  const qn_index e = range.i0 + lane / unknowns;
  if (e >= range.i1) return;
  const auto n = static_cast<int>(lane % unknowns);
  const T* matrix = a.matrices + n;
  T sum = 0;
  constexpr int four = 4;
  qn_index slot = 0;
  for (; slot + four <= a.slots; slot += four) sum = add_slots<four, unknowns>(a, slot, e, matrix, sum);
  for (; slot < a.slots; ++slot) sum = add_slots<1, unknowns>(a, slot, e, matrix, sum);
  a.own[n * a.own_pitch + e] = sum;
}

/// The same with the matrices in the group's memory, and all that a lane reads of some slots on the way together.
template <class T, class Point>
__global__ void __launch_bounds__(unknown_threads) update_by_shared(kernels::Range range, Point point) {
  constexpr int unknowns = ByUnknowns<Point>::unknowns;
  constexpr int together = unknowns > 20 ? 2 : 4;  // slots, for which registers suffice
  constexpr int most = together * unknowns * unknowns;
  __shared__ T matrices[most];
  begin_early();
  const auto& a = point.arguments;
  const qn_index lane = qn_index{blockIdx.x} * unknown_threads + threadIdx.x;
  const bool last = range.i0 + lane / unknowns >= range.i1;  // and reads with the others
  const qn_index e = last ? range.i1 - 1 : range.i0 + lane / unknowns;
  const auto n = static_cast<int>(lane % unknowns);
  T sum = 0;
  for (qn_index first = 0; first < a.slots; first += together) {
    const int count = a.slots - first < together ? static_cast<int>(a.slots - first) : together;
    T from[together][unknowns];
#pragma unroll
    for (int k = 0; k < together; ++k) {
      const T* const old = a.old + a.neighbour[(first + (k < count ? k : 0)) * a.own_pitch + e];
#pragma unroll
      for (int column = 0; column < unknowns; ++column) from[k][column] = old[column * a.old_pitch];
    }
    if (first > 0) __syncthreads();
    const T* const own_matrices = a.matrices + first * unknowns * unknowns;
#pragma unroll
    for (int k = 0; k < (most + unknown_threads - 1) / unknown_threads; ++k) {
      const int place = k * unknown_threads + static_cast<int>(threadIdx.x);
      if (place < count * unknowns * unknowns) matrices[place] = own_matrices[place];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < together; ++k) {
#pragma unroll
      for (int column = 0; column < unknowns; ++column)
        if (k < count) sum = fma(matrices[(k * unknowns + column) * unknowns + n], from[k][column], sum);
    }
  }
  if (!last) a.own[n * a.own_pitch + e] = sum;
}

}  // namespace quoin::hip
