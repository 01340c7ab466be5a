/* The volume term of the local system: derivatives of the test functions against the fluxes of the iterate c. */
#include "kernels/dgcvs/rhs.h"

/* Where arrays of shapes have entity e. */
QN_BODY qn_index shape_lane(dgcvs_update_arguments a, qn_index e) { return (e - a.first_lane) & a.shape_mask; }

QN_BODY sub_quad sub_quad_of(dgcvs_update_arguments a, qn_index e, qn_index slot) {
  return load_sub_quad(a.geometry + slot * DG_GEOMETRY * a.geometry_pitch + shape_lane(a, e), a.geometry_pitch);
}

/* Asks for the rows first, first + every, ... of an array where the next entity will look for them. */
QN_BODY void prefetch_rows(QN_GLOBAL const element* rows, qn_index stride, qn_index count, qn_index first,
                           qn_index every) {
  for (qn_index n = first; n < count; n += every) QN_PREFETCH(rows + n * stride);
}

/* The bed of a slot; what is returned is never looked at where the law has none. */
QN_BODY QN_GLOBAL const element* bed_of(dgcvs_update_arguments a, qn_index e, qn_index slot) {
#ifdef LAW_BED
  return a.bed + slot * DG_BED * a.bed_pitch + e;
#else
  (void)e, (void)slot;
  return a.geometry;
#endif
}

#ifdef LAW_DEGREE

/* The fluxes are multiples of w = u^LAW_DEGREE. At a Gauss point in time w is a polynomial of X and Y, so that its
 * integrals over the region come from the region's moments M: int X^i Y^j w = sum of w(i', j') M(i + i', j + j'). */

/* The coefficient of X^(d-j) Y^j in w. */
QN_BODY real flux_power(QN_PRIVATE const real* u, int d, int j) {
#if LAW_DEGREE == 1
  return u[DG_MEMBER(d, j)];
#else
  real sum = (real)((element)0);
  QN_UNROLL
  for (int d1 = d > ORDER ? d - ORDER : 0; 2 * d1 < d; ++d1) { /* pairs of different degrees */
    const int last = j < d1 ? j : d1;
    QN_UNROLL
    for (int j1 = j > d - d1 ? j - (d - d1) : 0; j1 <= last; ++j1) {
      sum = QN_FMA(u[DG_MEMBER(d1, j1)], u[DG_MEMBER(d - d1, j - j1)], sum);
    }
  }
  if (d % 2 == 0) {
    QN_UNROLL
    for (int j1 = j > d / 2 ? j - d / 2 : 0; 2 * j1 < j; ++j1) {
      sum = QN_FMA(u[DG_MEMBER(d / 2, j1)], u[DG_MEMBER(d / 2, j - j1)], sum);
    }
  }
  sum = sum + sum; /* each pair was taken once */
  if (d % 2 == 0 && j % 2 == 0) sum = QN_FMA(u[DG_MEMBER(d / 2, j / 2)], u[DG_MEMBER(d / 2, j / 2)], sum);
  return sum;
#endif
}

QN_BODY void prefetch_volume(dgcvs_update_arguments a, qn_index e, qn_index first, qn_index every) {
  const int width = (LAW_DEGREE + 1) * ORDER;
  prefetch_rows(a.moments + shape_lane(a, e), a.moments_pitch, width * (width + 1) / 2, first, every);
}

/* Points in time that share what is read of the moments: all of them where there are registers for it. */
#undef DG_AT_ONCE
#define DG_AT_ONCE QN_AT_ONCE(DG_VOLUME_POINTS)
#undef DG_LOWER
#define DG_LOWER (ORDER * (ORDER + 1) / 2) /* spatial monomials of degree < ORDER */

QN_BODY void add_volume(dgcvs_update_arguments a, qn_index e, real step, QN_PRIVATE const real* c, QN_PRIVATE real* b) {
  QN_GLOBAL const element* moments = a.moments + shape_lane(a, e);
  real integral[ORDER * (ORDER + 1) * (ORDER + 2) / 6 + 1]; /* of w times the basis of degree < ORDER */
  for (int n = 0; n < ORDER * (ORDER + 1) * (ORDER + 2) / 6; ++n) integral[n] = (real)((element)0);
  for (int first = 0; first < DG_VOLUME_POINTS; first += DG_AT_ONCE) {
    real u[DG_AT_ONCE * DG_SPACE], w[DG_AT_ONCE], region[DG_AT_ONCE * DG_LOWER + 1];
    QN_UNROLL
    for (int t = 0; t < DG_AT_ONCE; ++t) {
      const real s = (real)(gauss_node(DG_VOLUME_POINTS, first + t) - (element)1);
      QN_UNROLL
      for (int d = 0; d <= ORDER; ++d) {
        QN_UNROLL
        for (int j = 0; j <= d; ++j) {
          real value = c[DG_BLOCK(ORDER - d) + DG_MEMBER(d, j)];
          QN_UNROLL
          for (int k = ORDER - d - 1; k >= 0; --k) value = QN_FMA(value, s, c[DG_BLOCK(k) + DG_MEMBER(d, j)]);
          u[t * DG_SPACE + DG_MEMBER(d, j)] = value;
        }
      }
    }
    QN_UNROLL
    for (int m = 0; m < DG_AT_ONCE * DG_LOWER; ++m) region[m] = (real)((element)0);
    QN_UNROLL
    for (int d = 0; d <= LAW_DEGREE * ORDER; ++d) {
      QN_UNROLL
      for (int j = 0; j <= d; ++j) {
        QN_UNROLL
        for (int t = 0; t < DG_AT_ONCE; ++t) w[t] = flux_power(u + t * DG_SPACE, d, j);
        QN_UNROLL
        for (int high = 0; high < ORDER; ++high) {
          QN_UNROLL
          for (int i = 0; i <= high; ++i) {
            const real moment = QN_LOAD(moments, DG_MEMBER(d + high, j + i) * a.moments_pitch);
            QN_UNROLL
            for (int t = 0; t < DG_AT_ONCE; ++t) {
              const int m = t * DG_LOWER + DG_MEMBER(high, i);
              region[m] = QN_FMA(moment, w[t], region[m]);
            }
          }
        }
      }
    }
    QN_UNROLL
    for (int t = 0; t < DG_AT_ONCE; ++t) {
      const real s = (real)(gauss_node(DG_VOLUME_POINTS, first + t) - (element)1);
      real weight = (real)(gauss_weight(DG_VOLUME_POINTS, first + t)) * step;
      QN_UNROLL
      for (int k = 0; k < ORDER; ++k) {
        QN_UNROLL
        for (int m = 0; m < (ORDER - k) * (ORDER - k + 1) / 2; ++m) {
          integral[DG_LESS(k) + m] = QN_FMA(weight, region[t * DG_LOWER + m], integral[DG_LESS(k) + m]);
        }
        weight = weight * s;
      }
    }
  }
  const real slope_x = law_slope_x(a.law_parameters);
  const real slope_y = law_slope_y(a.law_parameters);
  QN_UNROLL
  for (int k = 0; k < ORDER; ++k) {
    QN_UNROLL
    for (int d = 1; d <= ORDER - k; ++d) {
      QN_UNROLL
      for (int j = 0; j <= d; ++j) {
        real sum = b[DG_BLOCK(k) + DG_MEMBER(d, j)];
        if (j < d) sum = QN_FMA((real)((element)(d - j)) * slope_x, integral[DG_LESS(k) + DG_MEMBER(d - 1, j)], sum);
        if (j > 0) sum = QN_FMA((real)((element)j) * slope_y, integral[DG_LESS(k) + DG_MEMBER(d - 1, j - 1)], sum);
        b[DG_BLOCK(k) + DG_MEMBER(d, j)] = sum;
      }
    }
  }
}

#elif defined(LAW_BED)
#include "kernels/dgcvs/volume_bed.h"
#else

/* Any other flux: Gauss points of the quadrilateral that is the whole region, or of every sub-quad. */

typedef struct {
  sub_quad seen; /* from its first corner, which is at (x, y) */
  real x, y;
} volume_quad;

QN_BODY volume_quad volume_quad_of(dgcvs_update_arguments a, qn_index e, qn_index slot) {
  volume_quad quad;
  if (a.whole == 0) {
    quad.seen = sub_quad_of(a, e, slot);
    quad.x = quad.y = (real)((element)0);
  } else {
    QN_GLOBAL const element* region = a.region + shape_lane(a, e);
    quad.x = QN_LOAD(region, 0);
    quad.y = QN_LOAD(region, a.region_pitch);
    quad.seen.ax = QN_LOAD(region, 2 * a.region_pitch);
    quad.seen.ay = QN_LOAD(region, 3 * a.region_pitch);
    quad.seen.bx = QN_LOAD(region, 4 * a.region_pitch);
    quad.seen.by = QN_LOAD(region, 5 * a.region_pitch);
    quad.seen.cx = QN_LOAD(region, 6 * a.region_pitch);
    quad.seen.cy = QN_LOAD(region, 7 * a.region_pitch);
    quad.seen.ratio = (real)((element)1);
  }
  return quad;
}

QN_BODY void add_quad_volume(volume_quad quad, int points, real step, QN_PRIVATE const real* c,
                             QN_GLOBAL const element* law, QN_PRIVATE real* b) {
  for (int row = 0; row < points; ++row) {
    const quad_row r = row_of(quad.seen, points, row);
    for (int column = 0; column < points; ++column) {
      real x, y, phi[DG_SPACE], along_x[DG_SPACE], along_y[DG_SPACE];
      real in_time[LAW_VARIABLES * DG_TIMES], moment_x[LAW_VARIABLES * DG_TIMES], moment_y[LAW_VARIABLES * DG_TIMES];
      const real weight = step * quad_point(quad.seen, r, points, row, column, &x, &y);
      monomials(quad.x + x, quad.y + y, phi);
      monomial_gradients(phi, along_x, along_y);
      for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(c + v * DG_BASIS, phi, in_time + v * DG_TIMES);
      for (int k = 0; k < LAW_VARIABLES * DG_TIMES; ++k) moment_x[k] = moment_y[k] = (real)((element)0);
      for (int t = 0; t < DG_VOLUME_POINTS; ++t) {
        real u[LAW_VARIABLES], f[LAW_VARIABLES], g[LAW_VARIABLES];
        for (int v = 0; v < LAW_VARIABLES; ++v)
          u[v] = at_time(in_time + v * DG_TIMES, gauss_node(DG_VOLUME_POINTS, t) - (element)1);
        law_flux(u, law, f, g);
        for (int k = 0; k < DG_TIMES; ++k) {
          const real power = (real)(time_weight(DG_VOLUME_POINTS, t, k)) * weight;
          for (int v = 0; v < LAW_VARIABLES; ++v) {
            moment_x[v * DG_TIMES + k] = QN_FMA(f[v], power, moment_x[v * DG_TIMES + k]);
            moment_y[v * DG_TIMES + k] = QN_FMA(g[v], power, moment_y[v * DG_TIMES + k]);
          }
        }
      }
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        for (int k = 0; k < DG_TIMES; ++k) {
          const int n = DG_BLOCK(k);
          for (int m = 1; m < DG_SPACE_OF(k); ++m) {
            const real sum = QN_FMA(along_x[m], moment_x[v * DG_TIMES + k], b[v * DG_BASIS + n + m]);
            b[v * DG_BASIS + n + m] = QN_FMA(along_y[m], moment_y[v * DG_TIMES + k], sum);
          }
        }
      }
    }
  }
}

QN_BODY void prefetch_volume(dgcvs_update_arguments a, qn_index e, qn_index first, qn_index every) {
  (void)a, (void)e, (void)first, (void)every; /* the geometry is all it reads */
}

QN_BODY void add_volume(dgcvs_update_arguments a, qn_index e, real step, QN_PRIVATE const real* c, QN_PRIVATE real* b) {
  const int points = a.whole != 0 ? DG_POINTS : DG_VOLUME_POINTS;
  const qn_index quads = a.whole != 0 ? 1 : a.slots;
  for (qn_index k = 0; k < quads; ++k) add_quad_volume(volume_quad_of(a, e, k), points, step, c, a.law_parameters, b);
}

#endif
