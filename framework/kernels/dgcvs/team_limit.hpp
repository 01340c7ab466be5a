#pragma once

// The limiter of DG-CVS (limit.h) by a team of lanes for each entity: the means of its slots, the jumps at their points
// and the planes each have a lane, and every sum runs in the order of the shared bodies.

#include "kernels/dgcvs/team_points.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// `Lanes` as TeamLanes says.
template <class Law, int ORDER, class Lanes>
class LimitTeam {
  using Shape = TeamShape<Law, ORDER>;
  using Arguments = typename Law::dgcvs_limit_arguments;
  static constexpr int variables = Shape::variables;
  static constexpr int slots = Shape::max_slots;
  using Mean = typename Law::region_mean;

 public:
  struct Memory {
    Mean own, around[slots];
    bool used[slots];
    typename Law::plane planes[slots];
    typename Law::bottom_jump jumps[slots * Shape::bottom];
    double slope_x[variables], slope_y[variables], gain[variables], excess;
  };

  static bool takes(const Arguments& a) { return a.slots <= slots; }

  QN_CALL LimitTeam(Memory& memory, const Lanes& lanes, const Arguments& arguments, qn_index entity)
      : m_(memory), lanes_(lanes), a_(arguments), e_(entity) {}

  QN_CALL void update() {
    const auto count = static_cast<int>(a_.slots);
    lanes_.share(count * Shape::bottom,
                 [&](int point) { look_at_bottom(point / Shape::bottom, point % Shape::bottom); });
    lanes_.share_last(count + 1, [&](int slot) { find_mean(slot < count ? slot : -1); });
    lanes_.barrier();
    lanes_.share(1, [&](int) { m_.excess = excess_jump(count * Shape::bottom); });
    lanes_.share_last(count, [&](int slot) {
      m_.planes[slot] = Law::plane_through(m_.own, mean(slot), mean(slot + 1 < count ? slot + 1 : 0));
    });
    lanes_.barrier();
    lanes_.each(variables, [&](int v) { find_slopes(v, count); });
    if (!(m_.excess >= 0.0)) return;
    lanes_.each(1, [&](int) { Law::gain_of(a_, e_, m_.own, m_.slope_x, m_.slope_y, m_.gain); });
    lanes_.share(variables * DG_BASIS, [&](int n) {
      const int v = n / DG_BASIS;
      a_.own[n * a_.own_pitch + e_] =
          Law::limited(m_.own.x, m_.own.y, m_.own.mean[v], m_.slope_x[v], m_.slope_y[v], m_.gain[v], n % DG_BASIS);
    });
  }

 private:
  QN_CALL void look_at_bottom(int slot, int point) {
    double is[DG_SPACE];
    double was[DG_SPACE];
    const qn_index of = a_.neighbour[slot * a_.own_pitch + e_];
    for (int m = 0; m < DG_SPACE; ++m) {
      is[m] = Law::at_bottom(a_, e_, m);
      was[m] = a_.old[m * a_.old_pitch + of];
    }
    const auto q = Law::load_sub_quad(a_.geometry + slot * DG_GEOMETRY * a_.own_pitch + e_, a_.own_pitch);
    const int row = point / DG_POINTS;
    m_.jumps[slot * Shape::bottom + point] =
        Law::jump_at(a_, e_, slot, q, Law::row_of(q, DG_POINTS, row), row, point % DG_POINTS, is, was);
  }
  /// -1: the entity's own.
  QN_CALL void find_mean(int slot) {
    if (slot < 0) {
      m_.own = Law::own_mean(a_, e_);
    } else {
      m_.used[slot] = a_.geometry[(slot * DG_GEOMETRY + 6) * a_.own_pitch + e_] > 0.0;
      m_.around[slot] = Law::old_mean(a_, e_, slot, {}, {});
    }
  }
  /// What old_mean() has where a slot is unused: that of the first, or the entity's own.
  QN_CALL const Mean& mean(int slot) const {
    return m_.used[slot] ? m_.around[slot] : m_.used[0] ? m_.around[0] : m_.own;
  }
  QN_CALL double excess_jump(int points) const {
    double jump = 0.0;
    double area = 0.0;
    double largest = 0.0;
    for (int point = 0; point < points; ++point) {
      const auto& at = m_.jumps[point];
      jump = qn_fma(at.weight, at.jump, jump);
      area = area + at.weight;
      largest = Law::larger(at.largest, largest);
    }
    return qn_fma(-a_.threshold[e_] * area, largest, jump);
  }
  QN_CALL void find_slopes(int v, int count) {
    double largest = 0.0;
    for (int slot = 0; slot < count; ++slot)
      largest = Law::larger(Law::square_of(m_.planes[slot].x[v], m_.planes[slot].y[v]), largest);
    double sums[3] = {};
    for (int slot = 0; slot < count; ++slot)
      Law::add_plane(m_.planes[slot].spanned, m_.planes[slot].x[v], m_.planes[slot].y[v], largest, sums);
    m_.slope_x[v] = -sums[0] >= 0.0 ? 0.0 : sums[1] / sums[0];
    m_.slope_y[v] = -sums[0] >= 0.0 ? 0.0 : sums[2] / sums[0];
  }

  Memory& m_;
  const Lanes& lanes_;
  const Arguments& a_;
  qn_index e_;
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
