#pragma once

// The half step of DG-CVS by several lanes an entity, where a lane for each would leave most of the device idle.

#include "config.hpp"
#include "kernels/dgcvs/team.hpp"
#include "kernels/launchers.hpp"

namespace quoin::hip {

using kernels::qn_index;

template <class T, template <class, class, int> class Law, int ORDER>
struct ByUnknowns<kernels::DgLinearPoint<T, Law, ORDER>> {
  static constexpr int most = max_by_unknowns(ORDER), unknowns = DG_BASIS;
};

struct TeamBarrier {
  __device__ void operator()() const { __syncthreads(); }
};
using LanesOfTeam = kernels::TeamLanes<team_lanes, TeamBarrier>;

template <template <class, class, int> class Law, int ORDER>
struct Teams<kernels::DgUpdatePoint<double, Law, ORDER>> {
  using LawBodies = Law<double, double, ORDER>;
  using Member = kernels::Team<LawBodies, ORDER, LanesOfTeam>;
  static constexpr int most = max_teams(ORDER, LawBodies::variables);
  static constexpr bool exist = most > 0 && !std::is_same_v<LawBodies, kernels::ShallowWaterBed<double, double, ORDER>>;

  static bool take(qn_index entities, const typename LawBodies::dgcvs_update_arguments& a) {
    return entities <= (a.faces > 0 ? 4 * most : most) && Member::takes(a);
  }
};

template <class T, class Point>
__global__ void __launch_bounds__(team_lanes) update_by_teams(kernels::Range range, Point point) {
  using Member = typename Teams<Point>::Member;
  __shared__ typename Member::Memory memory;
  const LanesOfTeam lanes{static_cast<int>(threadIdx.x), {}};
  Member(memory, lanes, point.arguments, range.i0 + qn_index{blockIdx.x}).update();
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

}  // namespace quoin::hip
