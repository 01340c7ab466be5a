#pragma once

// The volume term by a team of lanes: add_volume() of volume.h in both its ways.

#include "kernels/dgcvs/team_points.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Where the flux is a multiple of a power of the one variable.
template <class Law, int ORDER>
struct PowerVolume {
  using Shape = TeamShape<Law, ORDER>;
  using Arguments = typename Law::dgcvs_update_arguments;
  static constexpr int powers = (Law::flux_degree * ORDER + 1) * (Law::flux_degree * ORDER + 2) / 2;
  static constexpr int lower = ORDER * (ORDER + 1) / 2;  // spatial monomials of degree < ORDER
  static constexpr int width = (Law::flux_degree + 1) * ORDER;
  static constexpr int moments = width * (width + 1) / 2;

  struct Memory {
    double u[DG_VOLUME_POINTS][DG_SPACE], w[DG_VOLUME_POINTS][powers], region[DG_VOLUME_POINTS][lower];
    double region_moments[moments];
    double node[DG_VOLUME_POINTS], weight[ORDER][DG_VOLUME_POINTS];  // the step is in them, and a power of s
  };

  template <class Lanes>
  QN_CALL static void load(Memory& m, const Lanes& lanes, const Arguments& a, qn_index e, double step) {
    lanes.share(moments, [&](int k) { m.region_moments[k] = a.moments[k * a.moments_pitch + Law::shape_lane(a, e)]; });
    lanes.share(DG_VOLUME_POINTS, [&](int t) {
      m.node[t] = Law::gauss_node(DG_VOLUME_POINTS, t);
      double weight = Law::gauss_weight(DG_VOLUME_POINTS, t) * step;
      for (int k = 0; k < ORDER; ++k) {
        m.weight[k][t] = weight;
        weight = weight * (m.node[t] - 1.0);
      }
    });
  }

  /// r = b and the volume term of c.
  template <class Lanes>
  QN_CALL static void add(Memory& m, Cloud<Law, ORDER>& /*cloud*/, const typename Shape::Tables& tables,
                          const Lanes& lanes, const Arguments& a, double /*step*/, const double* c, const double* b,
                          double* r) {
    lanes.each(DG_VOLUME_POINTS * DG_SPACE, [&](int item) {
      const int t = item / DG_SPACE;
      const int member = item % DG_SPACE;
      const int last = ORDER - tables.degree[member];
      const double s = m.node[t] - 1.0;
      double u = c[DG_BLOCK(last) + member];
      for (int k = last - 1; k >= 0; --k) u = qn_fma(u, s, c[DG_BLOCK(k) + member]);
      m.u[t][member] = u;
    });
    lanes.each(DG_VOLUME_POINTS * powers, [&](int item) {
      const int power = item % powers;
      const int d = tables.degree[power];
      m.w[item / powers][power] = flux_power(m.u[item / powers], d, power - DG_MEMBER(d, 0));
    });
    lanes.each(DG_VOLUME_POINTS * lower, [&](int item) {
      const int member = item % lower;
      const int high = tables.degree[member];
      const int i = member - DG_MEMBER(high, 0);
      const double* w = m.w[item / lower];
      double sum = 0.0;
      QN_UNROLL
      for (int d = 0; d <= Law::flux_degree * ORDER; ++d) {
        const double* moment = m.region_moments + DG_MEMBER(d + high, i);
        QN_UNROLL
        for (int j = 0; j <= d; ++j) sum = qn_fma(moment[j], w[DG_MEMBER(d, j)], sum);
      }
      m.region[item / lower][member] = sum;
    });
    lanes.each(DG_BASIS, [&](int n) {
      const int d = tables.degree[tables.member[n]];
      const int j = tables.member[n] - DG_MEMBER(d, 0);
      double sum = b[n];
      if (j < d) {
        const double integral = integral_of(m, tables.block[n], DG_MEMBER(d - 1, j));
        sum = qn_fma((d - j) * Law::law_slope_x(a.law_parameters), integral, sum);
      }
      if (j > 0) {
        const double integral = integral_of(m, tables.block[n], DG_MEMBER(d - 1, j - 1));
        sum = qn_fma(j * Law::law_slope_y(a.law_parameters), integral, sum);
      }
      r[n] = sum;
    });
  }

 private:
  /// Of the flux times s^k and a spatial monomial of degree < ORDER.
  QN_CALL static double integral_of(const Memory& m, int k, int member) {
    double sum = 0.0;
    QN_UNROLL
    for (int t = 0; t < DG_VOLUME_POINTS; ++t) sum = qn_fma(m.weight[k][t], m.region[t][member], sum);
    return sum;
  }
  /// flux_power() of volume.h, where each lane has another member, so that its loops would come to much code.
  QN_CALL static double flux_power(const double* u, int d, int j) {
    if constexpr (Law::flux_degree == 1) {
      return u[DG_MEMBER(d, j)];
    } else {
      double sum = 0.0;
      QN_ROLLED
      for (int d1 = d > ORDER ? d - ORDER : 0; 2 * d1 <= d; ++d1) {
        const int d2 = d - d1;
        const int last = d1 == d2 ? (j - 1) / 2 : j < d1 ? j : d1;  // of equal degrees, the lower of a pair is first
        QN_ROLLED
        for (int j1 = j > d2 ? j - d2 : 0; j1 <= last; ++j1) {
          if (d1 < d2 || 2 * j1 < j) sum = qn_fma(u[DG_MEMBER(d1, j1)], u[DG_MEMBER(d2, j - j1)], sum);
        }
      }
      sum = sum + sum;
      const double* middle = u + DG_MEMBER(d / 2, j / 2);
      return d % 2 == 0 && j % 2 == 0 ? qn_fma(*middle, *middle, sum) : sum;
    }
  }
};

/// Any other flux: Gauss points of the whole region, or of every sub-quad.
template <class Law, int ORDER>
struct PointVolume {
  using Shape = TeamShape<Law, ORDER>;
  using Arguments = typename Law::dgcvs_update_arguments;
  static constexpr int variables = Shape::variables;
  static constexpr int points = Shape::larger(Shape::slots_at_once * Shape::volume, DG_POINTS* DG_POINTS);
  static_assert(points <= Cloud<Law, ORDER>::most);

  struct Memory {
    typename Law::volume_quad quad[Shape::max_slots];
    double flux_y[points][DG_VOLUME_POINTS][variables], moment_y[points][variables * DG_TIMES];
    double weight[points];
    double node[DG_VOLUME_POINTS], gauss_weight[DG_VOLUME_POINTS];
    double time_weight[DG_VOLUME_POINTS][DG_TIMES];
  };

  QN_CALL static int quads_of(const Arguments& a) { return a.whole != 0 ? 1 : static_cast<int>(a.slots); }

  template <class Lanes>
  QN_CALL static void load(Memory& m, const Lanes& lanes, const Arguments& a, qn_index e, double /*step*/) {
    lanes.share(quads_of(a), [&](int k) { m.quad[k] = Law::volume_quad_of(a, e, k); });
    lanes.share(DG_VOLUME_POINTS, [&](int t) {
      m.node[t] = Law::gauss_node(DG_VOLUME_POINTS, t);
      m.gauss_weight[t] = Law::gauss_weight(DG_VOLUME_POINTS, t);
      for (int k = 0; k < DG_TIMES; ++k) m.time_weight[t][k] = Law::time_weight(DG_VOLUME_POINTS, t, k);
    });
  }

  /// r = b and the volume term of c.
  template <class Lanes>
  QN_CALL static void add(Memory& m, Cloud<Law, ORDER>& cloud, const typename Shape::Tables& tables, const Lanes& lanes,
                          const Arguments& a, double step, const double* c, const double* b, double* r) {
    const int along = a.whole != 0 ? DG_POINTS : DG_VOLUME_POINTS;
    const double* node = a.whole != 0 ? tables.node : m.node;
    const double* weight = a.whole != 0 ? tables.weight : m.gauss_weight;
    for (int first = 0; first < quads_of(a); first += Shape::slots_at_once) {
      const int rest = quads_of(a) - first;
      const int some = (rest < Shape::slots_at_once ? rest : Shape::slots_at_once) * along * along;
      lanes.each(some, [&](int point) {
        const auto& quad = m.quad[first + point / (along * along)];
        const int row = point / along % along;
        const int column = point % along;
        double x;
        double y;
        m.weight[point] = step * Law::point_at(quad.seen, Law::row_at(quad.seen, node[row]), node[column],
                                               weight[row] * weight[column], &x, &y);
        cloud.place(point, quad.x + x, quad.y + y);
      });
      integrate(m, cloud, lanes, a, some, c);
      lanes.each(Shape::unknowns,
                 [&](int n) { r[n] = add_gradients(m, cloud, tables, some, n, first > 0 ? r[n] : b[n]); });
    }
  }

 private:
  /// The moments in time of the fluxes at so many points.
  template <class Lanes>
  QN_CALL static void integrate(Memory& m, Cloud<Law, ORDER>& cloud, const Lanes& lanes, const Arguments& a, int some,
                                const double* c) {
    lanes.each(some * variables * DG_TIMES,
               [&](int item) { cloud.look_in_time(c, item / (variables * DG_TIMES), item % (variables * DG_TIMES)); });
    lanes.each(some * DG_VOLUME_POINTS, [&](int item) {
      const int point = item / DG_VOLUME_POINTS;
      const int t = item % DG_VOLUME_POINTS;
      double u[variables];
      double f[variables];
      double g[variables];
      for (int v = 0; v < variables; ++v) u[v] = Law::at_time(cloud.in_time[point] + v * DG_TIMES, m.node[t] - 1.0);
      Law::law_flux(u, a.law_parameters, f, g);
      for (int v = 0; v < variables; ++v) {
        cloud.flux[point][t][v] = f[v];
        m.flux_y[point][t][v] = g[v];
      }
    });
    lanes.each(some * variables * DG_TIMES, [&](int item) {
      const int point = item / (variables * DG_TIMES);
      const int k = item % (variables * DG_TIMES);
      double along_x = 0.0;
      double along_y = 0.0;
      for (int t = 0; t < DG_VOLUME_POINTS; ++t) {
        const double power = m.time_weight[t][k % DG_TIMES] * m.weight[point];
        along_x = qn_fma(cloud.flux[point][t][k / DG_TIMES], power, along_x);
        along_y = qn_fma(m.flux_y[point][t][k / DG_TIMES], power, along_y);
      }
      cloud.moment[point][k] = along_x;
      m.moment_y[point][k] = along_y;
    });
  }
  /// Against the gradient of unknown n, as monomial_gradients() has it.
  QN_CALL static double add_gradients(const Memory& m, const Cloud<Law, ORDER>& cloud,
                                      const typename Shape::Tables& tables, int some, int n, double sum) {
    const int member = tables.member[n % DG_BASIS];
    if (member == 0) return sum;
    const int k = n / DG_BASIS * DG_TIMES + tables.block[n % DG_BASIS];
    const int d = tables.degree[member];
    const int j = member - DG_MEMBER(d, 0);
    const int before_x = j < d ? DG_MEMBER(d - 1, j) : 0;
    const int before_y = j > 0 ? DG_MEMBER(d - 1, j - 1) : 0;
    for (int point = 0; point < some; ++point) {
      sum = qn_fma((d - j) * cloud.phi[point][before_x], cloud.moment[point][k], sum);
      sum = qn_fma(j * cloud.phi[point][before_y], m.moment_y[point][k], sum);
    }
    return sum;
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
