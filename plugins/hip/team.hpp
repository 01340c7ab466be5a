#pragma once

// The half step of DG-CVS by a team of lanes for each entity, where a lane for each would leave most of the device
// idle. A lane works on a Gauss point, then on a member of the basis. Every sum runs in the order of the shared bodies
// (kernels/dgcvs), so that the bits are the same.

#include "config.hpp"
#include "kernels/launchers.hpp"

namespace quoin::hip {

using kernels::qn_index;

/// Laws with one variable whose flux is a multiple of a power of it.
template <template <class, class, int> class Law, int ORDER>
inline constexpr bool has_team<kernels::DgUpdatePoint<double, Law, ORDER>> =
    max_teams(ORDER) > 0 && Law<double, double, ORDER>::flux_degree > 0;

template <class T, template <class, class, int> class Law, int ORDER>
struct ByUnknowns<kernels::DgLinearPoint<T, Law, ORDER>> {
  static constexpr int most = max_by_unknowns(ORDER), unknowns = DG_BASIS;
};

template <class Law, int ORDER>
class Team {
  using Arguments = typename Law::dgcvs_update_arguments;
  static constexpr int lateral = 2 * DG_POINTS;  // Gauss points of a slot's two lateral faces
  static constexpr int points = lateral + DG_POINTS * DG_POINTS;
  static constexpr int powers = (Law::flux_degree * ORDER + 1) * (Law::flux_degree * ORDER + 2) / 2;
  static constexpr int lower = ORDER * (ORDER + 1) / 2;  // spatial monomials of degree < ORDER
  static constexpr int moments = (3 * ORDER) * (3 * ORDER + 1) / 2;
  static constexpr int factors = DG_SPACE * (DG_SPACE + 1) / 2;
  QN_CALL static constexpr int squares(int n) { return n * (n + 1) * (2 * n + 1) / 6; }  // 1 + 4 + ... + n n

  static constexpr int max_slots = 8;

 public:
  struct Memory {
    double old[max_slots][DG_BASIS];
    double phi[points][DG_SPACE], moment[points][DG_TIMES];
    double sums[DG_SPACE], b[DG_BASIS], c[DG_BASIS], r[DG_BASIS], solved[DG_BASIS];
    double u[DG_VOLUME_POINTS][DG_SPACE], w[DG_VOLUME_POINTS][powers], region[DG_VOLUME_POINTS][lower],
        integral[DG_BASIS];
    double region_moments[moments], factor[factors];
    double node[DG_POINTS], weight[DG_POINTS];  // of Gauss's rule
    double volume_node[DG_VOLUME_POINTS], volume_weight[DG_VOLUME_POINTS];
    double time_inverse[squares(DG_TIMES)];         // of sizes 1, 2, ..., one after another
    signed char block[DG_BASIS], member[DG_BASIS];  // n of the basis is s^block times this spatial monomial
    signed char degree[moments];                    // of a spatial monomial
  };

  /// A team has no boundary faces and does the whole half step.
  static bool takes(qn_index entities, const Arguments& a) {
    return entities <= max_teams(ORDER) && a.slots <= max_slots && a.faces == 0 && a.implicit == 0 && a.parts == DG_ALL;
  }

  __device__ Team(Memory& memory, const Arguments& arguments, qn_index entity)
      : m_(memory), a_(arguments), e_(entity), step_(arguments.tau * arguments.inverse_length[entity]) {}

  __device__ void update() {
    load();
    integrate_old();
    each(DG_BASIS, [&](int n) {  // spread_bottom, and where the sweeps start
      const double sum = m_.sums[m_.member[n]];
      m_.b[n] = m_.block[n] % 2 == 0 ? m_.b[n] + sum : m_.b[n] - sum;
      m_.c[n] = a_.from_mean == 0 ? a_.own[n * a_.own_pitch + e_] : 0.0;
    });
    if (a_.from_mean == 0) {
      each(DG_SPACE, [&](int m) { shift_in_time(m); });
    } else {
      each(1, [&](int) { m_.c[0] = m_.factor[0] * m_.factor[0] * m_.sums[0]; });
    }
    for (qn_index sweep = 0; sweep < a_.sweeps; ++sweep) {
      add_volume();
      solve();
    }
    each(DG_BASIS, [&](int n) { a_.own[n * a_.own_pitch + e_] = m_.c[n]; });
  }

 private:
  /// Lanes take the items in turn; all see what was written.
  template <class Work>
  __device__ void each(int items, const Work& work) const {
    for (int item = static_cast<int>(threadIdx.x); item < items; item += team_lanes) work(item);
    __syncthreads();
  }

  __device__ void load() {
    each(moments, [&](int m) {
      int degree = 0;
      while ((degree + 1) * (degree + 2) / 2 <= m) ++degree;
      m_.degree[m] = static_cast<signed char>(degree);
      m_.region_moments[m] = a_.moments[m * a_.moments_pitch + Law::shape_lane(a_, e_)];
    });
    each(DG_POINTS, [&](int t) {
      m_.node[t] = Law::gauss_node(DG_POINTS, t);
      m_.weight[t] = Law::gauss_weight(DG_POINTS, t);
    });
    each(DG_VOLUME_POINTS, [&](int t) {
      m_.volume_node[t] = Law::gauss_node(DG_VOLUME_POINTS, t);
      m_.volume_weight[t] = Law::gauss_weight(DG_VOLUME_POINTS, t);
    });
    each(squares(DG_TIMES), [&](int k) {
      int size = 1;
      while (squares(size) <= k) ++size;
      const int entry = k - squares(size - 1);
      m_.time_inverse[k] = Law::time_inverse(size, entry / size, entry % size);
    });
    each(factors, [&](int k) { m_.factor[k] = a_.factor[k * a_.factor_pitch + Law::shape_lane(a_, e_)]; });
    each(DG_BASIS, [&](int n) {
      int block = 0;
      while (block < ORDER && DG_BLOCK(block + 1) <= n) ++block;
      m_.block[n] = static_cast<signed char>(block);
      m_.member[n] = static_cast<signed char>(n - DG_BLOCK(block));
    });
    each(static_cast<int>(a_.slots), [&](int slot) {
      const auto q = sub_quad_of(slot);
      Law::load_old(a_, a_.neighbour[slot * a_.own_pitch + e_], q.ratio, q.bx, q.by, m_.old[slot]);
    });
  }

  __device__ auto sub_quad_of(int slot) const { return Law::sub_quad_of(a_, e_, slot); }

  /// The lateral fluxes to b and the integrals over the bottom to sums: points first, then members.
  __device__ void integrate_old() {
    each(DG_BASIS, [&](int n) { m_.b[n] = 0.0; });
    each(DG_SPACE, [&](int k) { m_.sums[k] = 0.0; });
    for (int slot = 0; slot < a_.slots; ++slot) {
      each(points, [&](int point) { evaluate(slot, point); });
      each(DG_BASIS + DG_SPACE, [&](int n) { n < DG_BASIS ? add_lateral(n) : add_bottom(n - DG_BASIS); });
    }
  }
  __device__ void evaluate(int slot, int point) {
    const auto q = sub_quad_of(slot);
    double phi[DG_SPACE];
    double moment[DG_TIMES];
    if (point < lateral) {
      const bool first = point < DG_POINTS;
      Law::lateral_moments(first ? q.ax : q.bx, first ? q.ay : q.by, first ? q.bx : q.cx, first ? q.by : q.cy, step_,
                           m_.node[point % DG_POINTS], m_.weight[point % DG_POINTS], m_.old[slot], a_.law_parameters,
                           phi, moment);
#pragma unroll
      for (int k = 0; k < DG_TIMES; ++k) m_.moment[point][k] = moment[k];
    } else {
      const int row = (point - lateral) / DG_POINTS;
      const int column = (point - lateral) % DG_POINTS;
      double x;
      double y;
      const double weight =
          Law::point_at(q, Law::row_at(q, m_.node[row]), m_.node[column], m_.weight[row] * m_.weight[column], &x, &y);
      Law::monomials(x, y, phi);
      m_.moment[point][0] = weight * Law::spatial_value(m_.old[slot], phi);
    }
#pragma unroll
    for (int k = 0; k < DG_SPACE; ++k) m_.phi[point][k] = phi[k];
  }
  /// The first monomial is 1, so that an fma with it is the sum of the shared body.
  __device__ void add_lateral(int n) {
    const int k = m_.block[n];
    const int member = m_.member[n];
    double sum = m_.b[n];
#pragma unroll
    for (int point = 0; point < lateral; ++point) sum = fma(m_.phi[point][member], m_.moment[point][k], sum);
    m_.b[n] = sum;
  }
  __device__ void add_bottom(int member) {
    double sum = m_.sums[member];
#pragma unroll
    for (int point = lateral; point < points; ++point) sum = fma(m_.phi[point][member], m_.moment[point][0], sum);
    m_.sums[member] = sum;
  }

  /// Of all powers of s that go with a spatial monomial.
  __device__ void shift_in_time(int member) {
    for (int pass = 0; pass < ORDER; ++pass) {
      for (int k = ORDER - 1; k >= pass; --k) {
        if (member >= DG_SPACE_OF(k + 1)) continue;
        double& c = m_.c[DG_BLOCK(k) + member];
        c = fma(2.0, m_.c[DG_BLOCK(k + 1) + member], c);
      }
    }
  }

  /// r = b and the volume term of c.
  __device__ void add_volume() {
    each(DG_VOLUME_POINTS * DG_SPACE, [&](int item) {
      const int t = item / DG_SPACE;
      const int member = item % DG_SPACE;
      const int last = ORDER - m_.degree[member];
      const double s = m_.volume_node[t] - 1.0;
      double u = m_.c[DG_BLOCK(last) + member];
      for (int k = last - 1; k >= 0; --k) u = fma(u, s, m_.c[DG_BLOCK(k) + member]);
      m_.u[t][member] = u;
    });
    each(DG_VOLUME_POINTS * powers, [&](int item) {
      const int power = item % powers;
      const int d = m_.degree[power];
      m_.w[item / powers][power] = Law::flux_power(m_.u[item / powers], d, power - DG_MEMBER(d, 0));
    });
    each(DG_VOLUME_POINTS * lower, [&](int item) {
      const int member = item % lower;
      const int high = m_.degree[member];
      const int i = member - DG_MEMBER(high, 0);
      const double* w = m_.w[item / lower];
      double sum = 0.0;
#pragma unroll
      for (int d = 0; d <= Law::flux_degree * ORDER; ++d) {
        const double* moment = m_.region_moments + DG_MEMBER(d + high, i);
#pragma unroll
        for (int j = 0; j <= d; ++j) sum = fma(moment[j], w[DG_MEMBER(d, j)], sum);
      }
      m_.region[item / lower][member] = sum;
    });
    each(DG_BASIS, [&](int n) {  // the basis of degree < ORDER lies in the one of degree ORDER
      const int k = m_.block[n];
      const int member = m_.member[n];
      if (k == ORDER || member >= (ORDER - k) * (ORDER - k + 1) / 2) return;
      double sum = 0.0;
#pragma unroll
      for (int t = 0; t < DG_VOLUME_POINTS; ++t) {
        double weight = m_.volume_weight[t] * step_;
        for (int power = 0; power < k; ++power) weight = weight * (m_.volume_node[t] - 1.0);
        sum = fma(weight, m_.region[t][member], sum);
      }
      m_.integral[n] = sum;
    });
    each(DG_BASIS, [&](int n) {
      const int d = m_.degree[m_.member[n]];
      const int j = m_.member[n] - DG_MEMBER(d, 0);
      const double* integral = m_.integral + DG_BLOCK(m_.block[n]);
      double sum = m_.b[n];
      if (j < d) sum = fma((d - j) * Law::law_slope_x(a_.law_parameters), integral[DG_MEMBER(d - 1, j)], sum);
      if (j > 0) sum = fma(j * Law::law_slope_y(a_.law_parameters), integral[DG_MEMBER(d - 1, j - 1)], sum);
      m_.r[n] = sum;
    });
  }

  /// c = T^-1 r, as solve_local does.
  __device__ void solve() {
    each(DG_BASIS, [&](int n) {
      const int row = m_.member[n];
      const double* factor = m_.factor + row * (row + 1) / 2;
      const double* r = m_.r + DG_BLOCK(m_.block[n]);
      double sum = factor[0] * r[0];
      for (int k = 1; k <= row; ++k) sum = fma(factor[k], r[k], sum);
      m_.solved[n] = sum;
    });
    each(DG_BASIS, [&](int n) {
      const int member = m_.member[n];
      const int size = ORDER - m_.degree[member] + 1;
      const double* inverse = m_.time_inverse + squares(size - 1) + m_.block[n] * size;
      double sum = inverse[0] * m_.solved[member];
      for (int l = 1; l < size; ++l) sum = fma(inverse[l], m_.solved[DG_BLOCK(l) + member], sum);
      m_.r[n] = sum;
    });
    each(DG_BASIS, [&](int n) {
      const int member = m_.member[n];
      const double* r = m_.r + DG_BLOCK(m_.block[n]);
      double sum = m_.factor[member * (member + 1) / 2 + member] * r[member];
      for (int row = member + 1; row < DG_SPACE_OF(m_.block[n]); ++row)
        sum = fma(m_.factor[row * (row + 1) / 2 + member], r[row], sum);
      m_.c[n] = sum;
    });
  }

  Memory& m_;
  const Arguments& a_;
  qn_index e_;
  double step_;
};

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
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const T* from = a.old + a.neighbour[slot * a.own_pitch + e];
#pragma unroll
    for (int column = 0; column < unknowns; ++column)
      sum = fma(matrix[column * unknowns], from[column * a.old_pitch], sum);
    matrix += unknowns * unknowns;
  }
  a.own[n * a.own_pitch + e] = sum;
}

template <class T, class Point>
__global__ void __launch_bounds__(team_lanes) update_by_teams(kernels::Range range, Point point) {
  using Members = Team<typename Point::Law, Point::order>;
  __shared__ typename Members::Memory memory;
  Members(memory, point.arguments, range.i0 + qn_index{blockIdx.x}).update();
}

}  // namespace quoin::hip
