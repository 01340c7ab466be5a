#pragma once

// The half step of DG-CVS by a team of lanes for each entity, for launches so small that a lane for each would leave
// most of a device idle. Every sum runs in the order of the shared bodies (update.h), so that the bits are the same;
// the lanes share out what does not depend on each other: points, then times, then members of the basis.

#include "kernels/dgcvs/team_volume.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// `Lanes` as TeamLanes says.
template <class Law, int ORDER, class Lanes>
class Team {
  using Shape = TeamShape<Law, ORDER>;
  using Volume = std::conditional_t<(Law::flux_degree > 0), PowerVolume<Law, ORDER>, PointVolume<Law, ORDER>>;
  using Arguments = typename Law::dgcvs_update_arguments;
  static constexpr int variables = Shape::variables;
  static constexpr int unknowns = Shape::unknowns;
  static constexpr int factors = DG_SPACE * (DG_SPACE + 1) / 2;
  QN_CALL static constexpr int squares(int n) { return n * (n + 1) * (2 * n + 1) / 6; }  // 1 + 4 + ... + n n

 public:
  struct Memory {
    typename Shape::Tables tables;
    typename Volume::Memory volume;
    Cloud<Law, ORDER> cloud;
    typename Law::sub_quad quad[Shape::max_slots];
    double old[Shape::max_slots][unknowns], behind[Shape::max_faces][unknowns];
    Places<ORDER, Shape::slots_at_once * Shape::bottom> bottom;
    double value[Shape::slots_at_once * Shape::bottom][variables];  // of the old solution there, times the weight
    double sums[variables * DG_SPACE], b[unknowns], c[unknowns], r[unknowns], solved[unknowns];
    double factor[factors];
    double time_inverse[squares(DG_TIMES)];  // of sizes 1, 2, ..., one after another
  };

  /// A team does the whole half step.
  static bool takes(const Arguments& a) {
    return a.slots <= Shape::max_slots && a.faces <= Shape::max_faces && a.parts == DG_ALL;
  }

  /// `lane`: of the launch.
  QN_CALL Team(Memory& memory, const Lanes& lanes, const Arguments& arguments, qn_index lane)
      : m_(memory),
        lanes_(lanes),
        a_(arguments),
        e_(Law::entity_of(arguments, lane)),
        step_(arguments.tau * arguments.inverse_length[e_]) {}

  QN_CALL void update() {
    load();
    integrate_old();
    lanes_.each(unknowns, [&](int n) {  // spread_bottom
      const double sum = m_.sums[n / DG_BASIS * DG_SPACE + m_.tables.member[n % DG_BASIS]];
      m_.b[n] = m_.tables.block[n % DG_BASIS] % 2 == 0 ? m_.b[n] + sum : m_.b[n] - sum;
    });
    if (a_.implicit == 0 && faces() > 0) add_faces(m_.behind, 1, 0.0, m_.b);
    start();
    const bool implicit = a_.implicit != 0 && on_boundary();
    const qn_index sweeps = implicit ? a_.boundary_sweeps : a_.sweeps;
    for (qn_index sweep = 0; sweep < sweeps; ++sweep) {
      Volume::add(m_.volume, m_.cloud, m_.tables, lanes_, a_, step_, m_.c, m_.b, m_.r);
      if (implicit && faces() > 0) add_faces(&m_.c, 0, -1.0, m_.r);
      solve(implicit && sweep > 0 ? Law::boundary_relaxation(sweep) : 0.0);
    }
    lanes_.each(unknowns, [&](int n) { a_.own[n * a_.own_pitch + e_] = m_.c[n]; });
  }

 private:
  /// All at once, for what comes from memory comes late.
  QN_CALL void load() {
    const auto slots = static_cast<int>(a_.slots);
    const int faces = a_.implicit == 0 ? this->faces() : 0;
    lanes_.share(slots * unknowns, [&](int item) {
      const int slot = item / unknowns;
      m_.old[slot][item % unknowns] = a_.old[item % unknowns * a_.old_pitch + a_.neighbour[slot * a_.own_pitch + e_]];
    });
    lanes_.share(faces * unknowns, [&](int item) {
      const int face = item / unknowns;
      m_.behind[face][item % unknowns] =
          a_.old[item % unknowns * a_.old_pitch + a_.behind[face * a_.face_pitch + face_lane()]];
    });
    lanes_.share(unknowns, [&](int n) { m_.c[n] = a_.from_mean == 0 ? a_.own[n * a_.own_pitch + e_] : 0.0; });
    lanes_.share(slots, [&](int slot) { m_.quad[slot] = Law::sub_quad_of(a_, e_, slot); });
    lanes_.share(factors, [&](int k) { m_.factor[k] = a_.factor[k * a_.factor_pitch + Law::shape_lane(a_, e_)]; });
    Volume::load(m_.volume, lanes_, a_, e_, step_);
    Shape::fill(m_.tables, lanes_);
    lanes_.share(squares(DG_TIMES), [&](int k) {
      int size = 1;
      while (squares(size) <= k) ++size;
      const int entry = k - squares(size - 1);
      m_.time_inverse[k] = Law::time_inverse(size, entry / size, entry % size);
    });
    lanes_.barrier();
    lanes_.each((slots + faces) * variables * ORDER, [&](int item) {  // the highest power of s has a constant alone
      const int power = item % ORDER;
      const int from = item / ORDER / variables;
      const int first = item / ORDER % variables * DG_BASIS + DG_BLOCK(power);
      const auto& q = m_.quad[from < slots ? from : 0];
      if (from < slots) return into_frame(q.ratio, q.bx, q.by, m_.old[from] + first, ORDER - power);
      const int face = from - slots;
      into_frame(face_value(face, 6), face_value(face, 4), face_value(face, 5), m_.behind[face] + first, ORDER - power);
    });
  }
  /// into_frame() of what goes with one power of s, a polynomial of this degree.
  QN_CALL static void into_frame(double ratio, double x, double y, double* c, int degree) {
    double value[DG_SPACE];
    QN_UNROLL
    for (int m = 0; m < DG_SPACE; ++m) value[m] = m < DG_SPACE_OF(ORDER - degree) ? c[m] : 0.0;
    double scale = ratio;
    QN_UNROLL
    for (int d = 1; d <= ORDER; ++d) {
      QN_UNROLL
      for (int j = 0; j <= d; ++j) value[DG_MEMBER(d, j)] = scale * value[DG_MEMBER(d, j)];
      scale = scale * ratio;
    }
    QN_UNROLL
    for (int pass = 0; pass < ORDER; ++pass) {
      QN_UNROLL
      for (int d = ORDER - 1; d >= pass; --d) {
        QN_UNROLL
        for (int j = 0; j <= d - pass; ++j) shift(value[DG_MEMBER(d, j)], d < degree, x, value[DG_MEMBER(d + 1, j)]);
      }
      QN_UNROLL
      for (int d = ORDER - 1; d >= pass; --d) {
        QN_UNROLL
        for (int j = pass; j <= d; ++j) shift(value[DG_MEMBER(d, j)], d < degree, y, value[DG_MEMBER(d + 1, j + 1)]);
      }
    }
    QN_UNROLL
    for (int m = 0; m < DG_SPACE; ++m) {
      if (m < DG_SPACE_OF(ORDER - degree)) c[m] = value[m];
    }
  }
  QN_CALL static void shift(double& value, bool there, double by, double higher) {
    if (there) value = qn_fma(-by, higher, value);
  }
  // Asked for anew each time: with fewer registers more teams are on a device at once.
  QN_CALL bool on_boundary() const { return Law::has_faces(a_, e_) >= 0.0; }
  QN_CALL int faces() const { return on_boundary() ? static_cast<int>(a_.faces) : 0; }
  QN_CALL qn_index face_lane() const { return Law::face_lane_of(a_, e_); }
  QN_CALL double face_value(int face, int k) const {
    return a_.face[(face * DG_FACE + k) * a_.face_pitch + face_lane()];
  }

  /// The lateral fluxes to b and the integrals over the bottom to sums.
  QN_CALL void integrate_old() {
    lanes_.share(unknowns, [&](int n) { m_.b[n] = 0.0; });
    lanes_.each(variables * DG_SPACE, [&](int k) { m_.sums[k] = 0.0; });
    for (int first = 0; first < a_.slots; first += Shape::slots_at_once) {
      const int slots = Shape::slots_of(a_, first);
      const int lateral = slots * Shape::lateral;
      lanes_.each(lateral + slots * Shape::bottom, [&](int point) {
        point < lateral ? place_lateral(first, point) : look_at_bottom(first, point - lateral);
      });
      m_.cloud.moments(
          m_.tables, lanes_, lateral, [&](int point) { return m_.old[first + point / Shape::lateral]; },
          [&](int point, int /*time*/, const double* u, double* flux) {
            double f[variables];
            double g[variables];
            Law::law_flux(u, a_.law_parameters, f, g);
            for (int v = 0; v < variables; ++v) flux[v] = qn_fma(f[v], m_.cloud.nx[point], g[v] * m_.cloud.ny[point]);
          },
          0.0, 1.0);
      lanes_.each(unknowns + variables * DG_SPACE, [&](int n) {
        if (n < unknowns) return m_.cloud.add(m_.tables, lateral, n, m_.b);
        add_bottom(n - unknowns, slots * Shape::bottom);
      });
    }
  }
  QN_CALL void place_lateral(int first, int point) {
    const auto& q = m_.quad[first + point / Shape::lateral];
    const bool before = point % Shape::lateral < DG_POINTS;
    const double x0 = before ? q.ax : q.bx;
    const double y0 = before ? q.ay : q.by;
    const double x1 = before ? q.bx : q.cx;
    const double y1 = before ? q.by : q.cy;
    const double along = m_.tables.node[point % DG_POINTS];
    const double weight = m_.tables.weight[point % DG_POINTS];
    m_.cloud.nx[point] = weight * (step_ * (y0 - y1));
    m_.cloud.ny[point] = weight * (step_ * (x1 - x0));
    m_.cloud.place(point, qn_fma(along, x1 - x0, x0), qn_fma(along, y1 - y0, y0));
  }
  QN_CALL void look_at_bottom(int first, int point) {
    const int slot = first + point / Shape::bottom;
    const auto& q = m_.quad[slot];
    const int row = point % Shape::bottom / DG_POINTS;
    const int column = point % DG_POINTS;
    double x;
    double y;
    const double weight = Law::point_at(q, Law::row_at(q, m_.tables.node[row]), m_.tables.node[column],
                                        m_.tables.weight[row] * m_.tables.weight[column], &x, &y);
    m_.bottom.place(point, x, y);
    for (int v = 0; v < variables; ++v) {
      const double* c = m_.old[slot] + v * DG_BASIS;
      m_.value[point][v] = weight * add_products<DG_SPACE - 1>(c[0], c + 1, m_.bottom.phi[point] + 1, DG_SPACE - 1);
    }
  }
  QN_CALL void add_bottom(int k, int points) {
    double sum = m_.sums[k];
    for (int point = 0; point < points; ++point)
      sum = qn_fma(m_.bottom.phi[point][k % DG_SPACE], m_.value[point][k / DG_SPACE], sum);
    m_.sums[k] = sum;
  }

  /// Fluxes through boundary faces at times s0 + [0, 1] of the polynomials inside, `apart` of them from one face to the
  /// next, to sum: add_boundary.
  QN_CALL void add_faces(const double (*inside)[unknowns], int apart, double s0, double* sum) {
    const int points = faces() * DG_POINTS;
    lanes_.each(points, [&](int point) {
      const int face = point / DG_POINTS;
      const double x0 = face_value(face, 0);
      const double y0 = face_value(face, 1);
      const double x1 = face_value(face, 2);
      const double y1 = face_value(face, 3);
      const double along = m_.tables.node[point % DG_POINTS];
      const double weight = m_.tables.weight[point % DG_POINTS] * step_;
      m_.cloud.nx[point] = weight * (y1 - y0);
      m_.cloud.ny[point] = weight * (x0 - x1);
      m_.cloud.place(point, qn_fma(along, x1 - x0, x0), qn_fma(along, y1 - y0, y0));
    });
    m_.cloud.moments(
        m_.tables, lanes_, points, [&](int point) { return inside[apart * (point / DG_POINTS)]; },
        [&](int point, int time, const double* u, double* flux) {
          const double nx = m_.cloud.nx[point];
          const double ny = m_.cloud.ny[point];
          double beyond[variables];
          for (int v = 0; v < variables; ++v)
            beyond[v] = a_.outside[((point * DG_POINTS + time) * variables + v) * a_.face_pitch + face_lane()];
          Law::law_boundary(u, beyond, face_value(point / DG_POINTS, 7), nx, ny, a_.law_parameters, flux);
          if (a_.implicit != 0) return;
          double f[variables];
          double g[variables];
          Law::law_flux(u, a_.law_parameters, f, g);
          for (int v = 0; v < variables; ++v) flux[v] = flux[v] - qn_fma(f[v], nx, g[v] * ny);
        },
        s0, -1.0);
    lanes_.each(unknowns, [&](int n) { m_.cloud.add(m_.tables, points, n, sum); });
  }

  /// Where the sweeps start: start_polynomials.
  QN_CALL void start() {
    if (a_.from_mean == 0) {
      lanes_.each(variables * DG_SPACE, [&](int k) { shift_in_time(m_.c + k / DG_SPACE * DG_BASIS, k % DG_SPACE); });
    } else {
      lanes_.each(variables, [&](int v) { m_.c[v * DG_BASIS] = m_.factor[0] * m_.factor[0] * m_.sums[v * DG_SPACE]; });
    }
  }
  /// Of all powers of s that go with a spatial monomial.
  QN_CALL static void shift_in_time(double* c, int member) {
    for (int pass = 0; pass < ORDER; ++pass) {
      for (int k = ORDER - 1; k >= pass; --k) {
        if (member < DG_SPACE_OF(k + 1))
          c[DG_BLOCK(k) + member] = qn_fma(2.0, c[DG_BLOCK(k + 1) + member], c[DG_BLOCK(k) + member]);
      }
    }
  }

  /// c = T^-1 r, as solve_local does, or where `relaxation` is not zero, so much of the way there.
  QN_CALL void solve(double relaxation) {
    lanes_.each(unknowns, [&](int n) {
      const int row = m_.tables.member[n % DG_BASIS];
      const double* factor = m_.factor + row * (row + 1) / 2;
      const double* r = m_.r + n - row;
      m_.solved[n] = add_products<DG_SPACE - 1>(factor[0] * r[0], factor + 1, r + 1, row);
    });
    lanes_.each(unknowns, [&](int n) {
      const int member = m_.tables.member[n % DG_BASIS];
      const int size = ORDER - m_.tables.degree[member] + 1;
      const double* inverse = m_.time_inverse + squares(size - 1) + m_.tables.block[n % DG_BASIS] * size;
      const double* solved = m_.solved + n / DG_BASIS * DG_BASIS + member;
      double sum = inverse[0] * solved[0];
      QN_UNROLL
      for (int l = 1; l < DG_TIMES; ++l) {
        if (l < size) sum = qn_fma(inverse[l], solved[DG_BLOCK(l)], sum);
      }
      m_.r[n] = sum;
    });
    lanes_.each(unknowns, [&](int n) {
      const int member = m_.tables.member[n % DG_BASIS];
      const double* r = m_.r + n - member;
      const int last = DG_SPACE_OF(m_.tables.block[n % DG_BASIS]);
      double sum = m_.factor[member * (member + 1) / 2 + member] * r[member];
      QN_UNROLL
      for (int row = 1; row < DG_SPACE; ++row) {
        if (row > member && row < last) sum = qn_fma(m_.factor[row * (row + 1) / 2 + member], r[row], sum);
      }
      m_.c[n] = relaxation != 0.0 ? qn_fma(relaxation, sum - m_.c[n], m_.c[n]) : sum;
    });
  }

  Memory& m_;
  const Lanes& lanes_;
  const Arguments& a_;
  qn_index e_;
  double step_;
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
