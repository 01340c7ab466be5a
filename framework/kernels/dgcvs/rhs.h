/* The right-hand side of one entity's local system: the old solution over the bottom face, less its flux through the
 * lateral faces (design: dg-cvs, section 5). Old polynomials come in the entity's own frame. */
#include "kernels/dgcvs/linear.h"

/* A law's own variables are in front of a state; the bed comes behind, for a law that has one, and the share
 * that an entity has behind its polynomials. */
#undef LAW_VALUES
#undef DG_HELD
#undef DG_SUMS
#undef DG_LEAST
#undef BED_AT
#undef PUT_BED
#undef DG_SHORE
#ifdef LAW_BED
#define LAW_VALUES (LAW_VARIABLES + 2)
#define DG_HELD (LAW_VARIABLES * DG_BASIS + 1)
/* Of the bottom: then its least depth, the highest speed that its water may come to, and what add_to_fit() adds. */
#define DG_SUMS (LAW_VARIABLES * DG_SPACE + 11)
#define DG_LEAST (LAW_VARIABLES * DG_SPACE)
#define BED_AT(bed, k) QN_LOAD(bed, k)
#define PUT_BED(u, height, shore) (u)[LAW_VARIABLES] = (height), (u)[LAW_VARIABLES + 1] = (shore)
#define DG_SHORE(c) (c)[LAW_VARIABLES * DG_BASIS]
#else
#define LAW_VALUES LAW_VARIABLES
#define DG_HELD (LAW_VARIABLES * DG_BASIS)
#define DG_SUMS (LAW_VARIABLES * DG_SPACE)
#define BED_AT(bed, k) (real)((element)0)
#define PUT_BED(u, height, shore) (void)(height)
#endif

typedef struct {
  real ax, ay, bx, by, cx, cy, ratio;
} sub_quad;

QN_BODY sub_quad load_sub_quad(QN_GLOBAL const element* geometry, qn_index stride) {
  sub_quad q;
  q.ax = QN_LOAD(geometry, 0);
  q.ay = QN_LOAD(geometry, stride);
  q.bx = QN_LOAD(geometry, 2 * stride);
  q.by = QN_LOAD(geometry, 3 * stride);
  q.cx = QN_LOAD(geometry, 4 * stride);
  q.cy = QN_LOAD(geometry, 5 * stride);
  q.ratio = QN_LOAD(geometry, 6 * stride);
  return q;
}

/* Row `row` of the tensor points of the bilinear map: points (xo + a xa, yo + a ya), Jacobian xa yb - xb ya. */
typedef struct {
  real xo, yo, xa, ya;
} quad_row;

QN_BODY quad_row row_at(sub_quad q, real b) {
  const real rest = (real)((element)1) - b;
  quad_row r;
  r.xo = b * q.cx;
  r.yo = b * q.cy;
  r.xa = QN_FMA(rest, q.ax, b * (q.bx - q.cx));
  r.ya = QN_FMA(rest, q.ay, b * (q.by - q.cy));
  return r;
}
QN_BODY quad_row row_of(sub_quad q, int points, int row) { return row_at(q, (real)(gauss_node(points, row))); }

/* The point of a row at `a` with this weight, which is returned with the Jacobian in it. */
QN_BODY real point_at(sub_quad q, quad_row r, real a, real weight, QN_PRIVATE real* x, QN_PRIVATE real* y) {
  const real xb = QN_FMA(a, q.bx - q.ax - q.cx, q.cx);
  const real yb = QN_FMA(a, q.by - q.ay - q.cy, q.cy);
  *x = QN_FMA(a, r.xa, r.xo);
  *y = QN_FMA(a, r.ya, r.yo);
  return weight * QN_FMA(r.xa, yb, -(xb * r.ya));
}
QN_BODY real quad_point(sub_quad q, quad_row r, int points, int row, int column, QN_PRIVATE real* x,
                        QN_PRIVATE real* y) {
  return point_at(q, r, (real)(gauss_node(points, column)),
                  (real)(gauss_weight(points, row) * gauss_weight(points, column)), x, y);
}

/* Of the points at the bottom of a sub-quad, row by row, that number: its place and weight. */
QN_BODY real bottom_point(sub_quad q, int point, QN_PRIVATE real* x, QN_PRIVATE real* y) {
  const int row = point / DG_POINTS;
  return quad_point(q, row_of(q, DG_POINTS, row), DG_POINTS, row, point % DG_POINTS, x, y);
}

#ifdef LAW_BED
/* For a plane that fits the surface of the old water: the integrals of that times 1, x, y, x x, x y and y y, and of the
 * surface times the first three. */
QN_BODY void add_to_fit(real surface, real water, real x, real y, QN_PRIVATE real* fit) {
  const real water_x = water * x;
  const real water_y = water * y;
  fit[0] = fit[0] + water;
  fit[1] = fit[1] + water_x;
  fit[2] = fit[2] + water_y;
  fit[3] = QN_FMA(water_x, x, fit[3]);
  fit[4] = QN_FMA(water_x, y, fit[4]);
  fit[5] = QN_FMA(water_y, y, fit[5]);
  fit[6] = QN_FMA(water, surface, fit[6]);
  fit[7] = QN_FMA(water_x, surface, fit[7]);
  fit[8] = QN_FMA(water_y, surface, fit[8]);
}
#endif

/* The integrals of u_old at s = 0 times each spatial monomial, DG_SPACE a variable. `bed` at its points, where the law
 * has one. */
QN_BODY void add_bottom(sub_quad q, QN_GLOBAL const element* bed, qn_index bed_stride, QN_PRIVATE const real* old,
                        QN_GLOBAL const element* law, QN_PRIVATE real* sums) {
  (void)bed, (void)bed_stride, (void)law;
  for (int row = 0; row < DG_POINTS; ++row) {
    const quad_row r = row_of(q, DG_POINTS, row);
    for (int column = 0; column < DG_POINTS; ++column) {
      real x, y, phi[DG_SPACE];
      const real weight = quad_point(q, r, DG_POINTS, row, column, &x, &y);
      monomials(x, y, phi);
#ifdef LAW_BED
      real u[LAW_VALUES];
      for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = spatial_value(old + v * DG_BASIS, phi);
      PUT_BED(u, BED_AT(bed, (row * DG_POINTS + column) * bed_stride), DG_SHORE(old));
      const water w = take_water(u, law);
      const real least = QN_CHOOSE(w.depth - sums[DG_LEAST], sums[DG_LEAST], w.depth);
      sums[DG_LEAST] = QN_CHOOSE(-q.ratio, sums[DG_LEAST], least); /* of slots that are used */
      const real speed = speed_over_dry(w, law);
      sums[DG_LEAST + 1] = QN_CHOOSE(speed - sums[DG_LEAST + 1], speed, sums[DG_LEAST + 1]);
      if (DG_TIMES > 1) add_to_fit(u[0], weight * w.depth, x, y, sums + DG_LEAST + 2);
#endif
      QN_UNROLL
      for (int v = 0; v < LAW_VARIABLES; ++v) {
#ifdef LAW_BED
        const real value = weight * u[v];
#else
        const real value = weight * spatial_value(old + v * DG_BASIS, phi);
#endif
        sums[v * DG_SPACE] = sums[v * DG_SPACE] + value;
        QN_UNROLL
        for (int m = 1; m < DG_SPACE; ++m) sums[v * DG_SPACE + m] = QN_FMA(phi[m], value, sums[v * DG_SPACE + m]);
      }
    }
  }
}

/* b += s^k at the bottom, where s = -1, times the sums. */
QN_BODY void spread_bottom(QN_PRIVATE const real* sums, QN_PRIVATE real* b) {
  QN_UNROLL
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    QN_UNROLL
    for (int k = 0; k < DG_TIMES; ++k) {
      const int n = DG_BLOCK(k);
      QN_UNROLL
      for (int m = 0; m < DG_SPACE_OF(k); ++m) {
        const real sum = sums[v * DG_SPACE + m];
        b[v * DG_BASIS + n + m] = k % 2 == 0 ? b[v * DG_BASIS + n + m] + sum : b[v * DG_BASIS + n + m] - sum;
      }
    }
  }
}

/* The weight of time point t for the test functions with power k of s. */
QN_BODY element time_weight(int points, int t, int k) {
  element power = gauss_weight(points, t);
  for (int l = 0; l < k; ++l) power = power * (gauss_node(points, t) - (element)1);
  return power;
}

/* Of the point `along` the lateral face from (x0, y0) to (x1, y1): the spatial monomials, and minus the flux of the old
 * solution times each power of s, with the point's weight. */
QN_BODY void lateral_moments(real x0, real y0, real x1, real y1, real step, real along, real weight, real bed,
                             real deepest, QN_PRIVATE const real* old, QN_GLOBAL const element* law,
                             QN_PRIVATE real* phi, QN_PRIVATE real* moment) {
  const real nx = weight * (step * (y0 - y1));
  const real ny = weight * (step * (x1 - x0));
  real in_time[LAW_VARIABLES * DG_TIMES];
  monomials(QN_FMA(along, x1 - x0, x0), QN_FMA(along, y1 - y0, y0), phi);
  QN_UNROLL
  for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(old + v * DG_BASIS, phi, in_time + v * DG_TIMES);
  QN_UNROLL
  for (int k = 0; k < LAW_VARIABLES * DG_TIMES; ++k) moment[k] = (real)((element)0);
  QN_UNROLL
  for (int t = 0; t < DG_POINTS; ++t) {
    real u[LAW_VALUES], f[LAW_VARIABLES], g[LAW_VARIABLES];
    QN_UNROLL
    for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * DG_TIMES, gauss_node(DG_POINTS, t));
    PUT_BED(u, bed, DG_SHORE(old));
#ifdef LAW_BED
    law_flux_from(u, deepest, law, f, g);
#else
    (void)deepest;
    law_flux(u, law, f, g);
#endif
    QN_UNROLL
    for (int v = 0; v < LAW_VARIABLES; ++v) {
      const real flux = QN_FMA(f[v], nx, g[v] * ny);
      QN_UNROLL
      for (int k = 0; k < DG_TIMES; ++k) {
        moment[v * DG_TIMES + k] = QN_FMA((real)(time_weight(DG_POINTS, t, k)), flux, moment[v * DG_TIMES + k]);
      }
    }
  }
}

/* `bed` at its points, where the law has one, and `deepest` the deepest old water at the points of its sub-quad. */
QN_BODY void add_lateral(real x0, real y0, real x1, real y1, real step, QN_GLOBAL const element* bed,
                         qn_index bed_stride, real deepest, QN_PRIVATE const real* old, QN_GLOBAL const element* law,
                         QN_PRIVATE real* b) {
  (void)bed, (void)bed_stride;
  for (int i = 0; i < DG_POINTS; ++i) {
    real phi[DG_SPACE], moment[LAW_VARIABLES * DG_TIMES];
    lateral_moments(x0, y0, x1, y1, step, (real)(gauss_node(DG_POINTS, i)), (real)(gauss_weight(DG_POINTS, i)),
                    BED_AT(bed, i * bed_stride), deepest, old, law, phi, moment);
    QN_UNROLL
    for (int v = 0; v < LAW_VARIABLES; ++v) add_moments(phi, moment + v * DG_TIMES, b + v * DG_BASIS);
  }
}

/* Minus the flux through a boundary half face of the polynomial c at times s0 + [0, 1]. With s0 = 0 it is the old
 * polynomial, whose own flux add_lateral has let out there already: what is added then is the difference. */
QN_BODY void add_boundary(QN_GLOBAL const element* face, qn_index stride, QN_GLOBAL const element* outside, real step,
                          QN_GLOBAL const element* bed, QN_PRIVATE const real* c, element s0,
                          QN_GLOBAL const element* law, QN_PRIVATE real* b) {
  (void)bed;
  const real x0 = QN_LOAD(face, 0);
  const real y0 = QN_LOAD(face, stride);
  const real x1 = QN_LOAD(face, 2 * stride);
  const real y1 = QN_LOAD(face, 3 * stride);
  const real kind = QN_LOAD(face, 7 * stride);
  for (int i = 0; i < DG_POINTS; ++i) {
    const real along = (real)(gauss_node(DG_POINTS, i));
    const real weight = (real)(gauss_weight(DG_POINTS, i)) * step;
    const real nx = weight * (y1 - y0);
    const real ny = weight * (x0 - x1);
    real phi[DG_SPACE], in_time[LAW_VARIABLES * DG_TIMES], moment[LAW_VARIABLES * DG_TIMES];
    monomials(QN_FMA(along, x1 - x0, x0), QN_FMA(along, y1 - y0, y0), phi);
    for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(c + v * DG_BASIS, phi, in_time + v * DG_TIMES);
    for (int k = 0; k < LAW_VARIABLES * DG_TIMES; ++k) moment[k] = (real)((element)0);
    for (int t = 0; t < DG_POINTS; ++t) {
      real u[LAW_VALUES], beyond[LAW_VARIABLES], flux[LAW_VARIABLES];
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        u[v] = at_time(in_time + v * DG_TIMES, gauss_node(DG_POINTS, t) + s0);
        beyond[v] = QN_LOAD(outside, ((i * DG_POINTS + t) * LAW_VARIABLES + v) * stride);
      }
      PUT_BED(u, BED_AT(bed, i * stride), DG_SHORE(c));
      law_boundary(u, beyond, kind, nx, ny, law, flux);
#ifdef LAW_BED
      if (s0 != (element)0) { /* as the other faces have the entity's own pressure taken off in the volume term */
        const real pressure = law_pressure(u, law);
        flux[1] = QN_FMA(-pressure, nx, flux[1]);
        flux[2] = QN_FMA(-pressure, ny, flux[2]);
      }
#endif
      if (s0 == (element)0) {
        real f[LAW_VARIABLES], g[LAW_VARIABLES];
        law_flux(u, law, f, g);
        for (int v = 0; v < LAW_VARIABLES; ++v) flux[v] = flux[v] - QN_FMA(f[v], nx, g[v] * ny);
      }
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        for (int k = 0; k < DG_TIMES; ++k) {
          moment[v * DG_TIMES + k] = QN_FMA((real)(-time_weight(DG_POINTS, t, k)), flux[v], moment[v * DG_TIMES + k]);
        }
      }
    }
    for (int v = 0; v < LAW_VARIABLES; ++v) add_moments(phi, moment + v * DG_TIMES, b + v * DG_BASIS);
  }
}
