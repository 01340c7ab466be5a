#pragma once

// What the members of a team (team.hpp) keep of an entity, and how they work on a cloud of points together.

#include <type_traits>

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Lane `lane` of `Count`; barrier() waits for all of them.
template <int Count, class Barrier>
struct TeamLanes {
  int lane;
  Barrier barrier;

  /// Lanes take the items in turn.
  template <class Work>
  QN_CALL void share(int items, const Work& work) const {
    for (int item = lane; item < items; item += Count) work(item);
  }
  /// From the last lane on, for what goes beside other items.
  template <class Work>
  QN_CALL void share_last(int items, const Work& work) const {
    for (int item = Count - 1 - lane; item < items; item += Count) work(item);
  }
  /// Then all see what was written.
  template <class Work>
  QN_CALL void each(int items, const Work& work) const {
    share(items, work);
    barrier();
  }
};

/// sum + left[0] right[0] + left[1] right[1] + ... in that order, `count` of them, `Most` at most. All are asked for at
/// once.
template <int Most>
QN_CALL double add_products(double sum, const double* left, const double* right, int count) {
  double l[Most];
  double r[Most];
  QN_UNROLL
  for (int k = 0; k < Most; ++k) {
    l[k] = k < count ? left[k] : 0.0;
    r[k] = k < count ? right[k] : 0.0;
  }
  QN_UNROLL
  for (int k = 0; k < Most; ++k) {
    if (k < count) sum = qn_fma(l[k], r[k], sum);
  }
  return sum;
}

template <class Law, int ORDER>
struct TeamShape {
  static constexpr int variables = Law::variables;
  static constexpr int unknowns = variables * DG_BASIS;
  static constexpr int max_slots = 8;
  static constexpr int max_faces = 4;
  static constexpr int slots_at_once = variables > 1 && ORDER > 3 ? 2 : 4;  // as many as memory has room for
  static constexpr int lateral = 2 * DG_POINTS;  // Gauss points of a slot's two lateral faces
  static constexpr int bottom = DG_POINTS * DG_POINTS;
  static constexpr int volume = DG_VOLUME_POINTS * DG_VOLUME_POINTS;
  QN_CALL static constexpr int larger(int a, int b) { return a > b ? a : b; }
  static constexpr int points =
      larger(larger(slots_at_once * larger(lateral, volume), DG_POINTS* DG_POINTS), max_faces* DG_POINTS);

  /// Of those from `first` on.
  template <class Arguments>
  QN_CALL static int slots_of(const Arguments& a, int first) {
    return a.slots - first < slots_at_once ? static_cast<int>(a.slots) - first : slots_at_once;
  }

  struct Tables {
    double node[DG_POINTS], weight[DG_POINTS];  // of Gauss's rule
    double time_weight[DG_POINTS][DG_TIMES];
    signed char block[DG_BASIS], member[DG_BASIS];  // n of the basis is s^block times this spatial monomial
    signed char degree[3 * ORDER * (3 * ORDER + 1) / 2 + DG_SPACE];  // of a spatial monomial
  };

  /// Without a barrier: see TeamLanes::share().
  template <class Lanes>
  QN_CALL static void fill(Tables& tables, const Lanes& lanes) {
    lanes.share(DG_POINTS, [&](int t) {
      tables.node[t] = Law::gauss_node(DG_POINTS, t);
      tables.weight[t] = Law::gauss_weight(DG_POINTS, t);
      for (int k = 0; k < DG_TIMES; ++k) tables.time_weight[t][k] = Law::time_weight(DG_POINTS, t, k);
    });
    lanes.share(DG_BASIS, [&](int n) {
      int block = 0;
      while (block < ORDER && DG_BLOCK(block + 1) <= n) ++block;
      tables.block[n] = static_cast<signed char>(block);
      tables.member[n] = static_cast<signed char>(n - DG_BLOCK(block));
    });
    lanes.share(static_cast<int>(sizeof(tables.degree)), [&](int m) {
      int degree = 0;
      while ((degree + 1) * (degree + 2) / 2 <= m) ++degree;
      tables.degree[m] = static_cast<signed char>(degree);
    });
  }
};

/// Points with their monomials.
template <int ORDER, int Most>
struct Places {
  double phi[Most][DG_SPACE];

  /// monomials(), in registers.
  QN_CALL void place(int point, double x, double y) {
    double value[DG_SPACE];
    value[0] = 1.0;
    QN_UNROLL
    for (int d = 1; d <= ORDER; ++d) {
      QN_UNROLL
      for (int j = 0; j < d; ++j) value[DG_MEMBER(d, j)] = value[DG_MEMBER(d - 1, j)] * x;
      value[DG_MEMBER(d, d)] = value[DG_MEMBER(d - 1, d - 1)] * y;
    }
    QN_UNROLL
    for (int m = 0; m < DG_SPACE; ++m) phi[point][m] = value[m];
  }
};

/// Points with the polynomials in time that unknowns have there, and the moments in time of fluxes of these.
template <class Law, int ORDER>
struct Cloud : Places<ORDER, TeamShape<Law, ORDER>::points> {
  static constexpr int most = TeamShape<Law, ORDER>::points;
  using Places<ORDER, most>::phi;
  static constexpr int variables = TeamShape<Law, ORDER>::variables;
  static constexpr int unknowns = TeamShape<Law, ORDER>::unknowns;
  using Tables = typename TeamShape<Law, ORDER>::Tables;

  double nx[most], ny[most];
  double in_time[most][variables * DG_TIMES], flux[most][DG_POINTS][variables], moment[most][variables * DG_TIMES];

  /// The value at powers of s of point `point` of unknowns c: number k of time_polynomial() for each variable.
  QN_CALL void look_in_time(const double* c, int point, int k) {
    const int power = k % DG_TIMES;
    const double* of_power = c + k / DG_TIMES * DG_BASIS + DG_BLOCK(power);
    in_time[point][k] = add_products<DG_SPACE - 1>(of_power[0], of_power + 1, phi[point] + 1, DG_SPACE_OF(power) - 1);
  }

  /// moment = sign times flux_of(point, time, state, flux) times each power of s, for states of unknowns_of(point) at
  /// the times s0 + [0, 1].
  template <class Lanes, class UnknownsOf, class FluxOf>
  QN_CALL void moments(const Tables& tables, const Lanes& lanes, int points, const UnknownsOf& unknowns_of,
                       const FluxOf& flux_of, double s0, double sign) {
    lanes.each(points * variables * DG_TIMES, [&](int item) {
      const int point = item / (variables * DG_TIMES);
      look_in_time(unknowns_of(point), point, item % (variables * DG_TIMES));
    });
    lanes.each(points * DG_POINTS, [&](int item) {
      const int point = item / DG_POINTS;
      const int time = item % DG_POINTS;
      double u[variables];
      double f[variables];
      for (int v = 0; v < variables; ++v) u[v] = Law::at_time(in_time[point] + v * DG_TIMES, tables.node[time] + s0);
      flux_of(point, time, u, f);
      for (int v = 0; v < variables; ++v) flux[point][time][v] = f[v];
    });
    lanes.each(points * variables * DG_TIMES, [&](int item) {
      const int point = item / (variables * DG_TIMES);
      const int k = item % (variables * DG_TIMES);
      double sum = 0.0;
      for (int t = 0; t < DG_POINTS; ++t)
        sum = qn_fma(sign * tables.time_weight[t][k % DG_TIMES], flux[point][t][k / DG_TIMES], sum);
      moment[point][k] = sum;
    });
  }

  /// Of unknown n: add_moments() of the points, one after the other. The first monomial is 1, so that an fma with it is
  /// the sum there.
  QN_CALL void add(const Tables& tables, int points, int n, double* sums) const {
    const int k = n / DG_BASIS * DG_TIMES + tables.block[n % DG_BASIS];
    const int member = tables.member[n % DG_BASIS];
    double sum = sums[n];
    for (int point = 0; point < points; ++point) sum = qn_fma(phi[point][member], moment[point][k], sum);
    sums[n] = sum;
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
