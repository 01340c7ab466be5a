/* Newton's method for the local system, in place of sweeps: a fixed number of iterations, each with the whole matrix
 * T - F'(c) (design: dg-cvs, sections 5 and 6). Boundary fluxes see the old polynomials. The symmetric part of T is
 * positive definite, so that elimination needs no pivots at the time steps of the scheme. */
#include "kernels/dgcvs/update.h"

#ifndef LAW_BED

#define DG_UNKNOWNS (LAW_VARIABLES * DG_BASIS)

/* The entry of T for powers k and l of s over the spatial one. */
QN_BODY element time_entry(int k, int l) {
  const element ratio = k == 0 ? (element)(l == 0) : (element)k / (element)(k + l);
  return (k + l) % 2 == 0 ? ratio : -ratio;
}

/* The Gram matrix's entry for the spatial members (d1, j1) and (d2, j2). */
QN_BODY real gram_entry(dgcvs_update_arguments a, qn_index e, int d1, int j1, int d2, int j2) {
  return QN_LOAD(a.moments, DG_MEMBER(d1 + d2, j1 + j2) * a.moments_pitch + shape_lane(a, e));
}

/* matrix = T for each variable. */
QN_BODY void start_matrix(dgcvs_update_arguments a, qn_index e, QN_PRIVATE real* matrix) {
  QN_ROLLED
  for (int n = 0; n < DG_UNKNOWNS * DG_UNKNOWNS; ++n) matrix[n] = (real)((element)0);
  QN_ROLLED
  for (int k = 0; k < DG_TIMES; ++k) {
    for (int d1 = 0; d1 <= ORDER - k; ++d1) {
      for (int j1 = 0; j1 <= d1; ++j1) {
        QN_ROLLED
        for (int l = 0; l < DG_TIMES; ++l) {
          for (int d2 = 0; d2 <= ORDER - l; ++d2) {
            for (int j2 = 0; j2 <= d2; ++j2) {
              const real entry = (real)(time_entry(k, l)) * gram_entry(a, e, d1, j1, d2, j2);
              const int row = DG_BLOCK(k) + DG_MEMBER(d1, j1);
              const int column = DG_BLOCK(l) + DG_MEMBER(d2, j2);
              for (int v = 0; v < LAW_VARIABLES; ++v) {
                matrix[(v * DG_BASIS + row) * DG_UNKNOWNS + v * DG_BASIS + column] = entry;
              }
            }
          }
        }
      }
    }
  }
}

/* r -= matrix c, while the matrix is still T. */
QN_BODY void subtract_product(QN_PRIVATE const real* matrix, QN_PRIVATE const real* c, QN_PRIVATE real* r) {
  QN_ROLLED
  for (int row = 0; row < DG_UNKNOWNS; ++row) {
    const int v = row / DG_BASIS * DG_BASIS; /* T couples no variables */
    for (int n = v; n < v + DG_BASIS; ++n) r[row] = QN_FMA(-matrix[row * DG_UNKNOWNS + n], c[n], r[row]);
  }
}

/* Points a direction: those of the volume term, or enough where that is exact. */
#undef DG_NEWTON_POINTS
#ifdef LAW_DEGREE
#define DG_NEWTON_POINTS DG_POINTS
#else
#define DG_NEWTON_POINTS DG_VOLUME_POINTS
#endif

/* The integrals over the half step of s^k times the Jacobians of the fluxes at a point, for k up to 2 ORDER. */
QN_BODY void flux_jacobians(QN_PRIVATE const real* c, QN_PRIVATE const real* phi, QN_GLOBAL const element* law,
                            QN_PRIVATE real* f, QN_PRIVATE real* g) {
  real in_time[LAW_VARIABLES * DG_TIMES], u[LAW_VARIABLES], one[LAW_VARIABLES], none[LAW_VARIABLES];
  real column[LAW_VARIABLES];
  for (int n = 0; n < (2 * ORDER + 1) * LAW_VARIABLES * LAW_VARIABLES; ++n) f[n] = g[n] = (real)((element)0);
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    time_polynomial(c + v * DG_BASIS, phi, in_time + v * DG_TIMES);
    none[v] = (real)((element)0);
  }
  QN_ROLLED
  for (int t = 0; t < DG_VOLUME_POINTS; ++t) {
    const element s = gauss_node(DG_VOLUME_POINTS, t) - (element)1;
    for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * DG_TIMES, s);
    QN_ROLLED
    for (int w = 0; w < LAW_VARIABLES; ++w) {
      for (int v = 0; v < LAW_VARIABLES; ++v) one[v] = (real)((element)(v == w));
      for (int axis = 0; axis < 2; ++axis) { /* u_t of a slope of one in variable w is minus the Jacobian's column */
        element weight = -gauss_weight(DG_VOLUME_POINTS, t);
        law_rate(u, axis == 0 ? one : none, axis == 0 ? none : one, law, column);
        for (int k = 0; k <= 2 * ORDER; ++k) {
          for (int v = 0; v < LAW_VARIABLES; ++v) {
            const int place = (k * LAW_VARIABLES + v) * LAW_VARIABLES + w;
            if (axis == 0) f[place] = QN_FMA((real)(weight), column[v], f[place]);
            if (axis == 1) g[place] = QN_FMA((real)(weight), column[v], g[place]);
          }
          weight = weight * s;
        }
      }
    }
  }
}

/* matrix -= F'(c), by the Gauss points of every sub-quad. */
QN_BODY void subtract_jacobian(dgcvs_update_arguments a, qn_index e, real step, QN_PRIVATE const real* c,
                               QN_PRIVATE real* matrix) {
  real phi[DG_SPACE], along_x[DG_SPACE], along_y[DG_SPACE], x, y;
  real f[(2 * ORDER + 1) * LAW_VARIABLES * LAW_VARIABLES], g[(2 * ORDER + 1) * LAW_VARIABLES * LAW_VARIABLES];
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = sub_quad_of(a, e, slot);
    QN_ROLLED
    for (int point = 0; point < DG_NEWTON_POINTS * DG_NEWTON_POINTS; ++point) {
      const quad_row r = row_of(q, DG_NEWTON_POINTS, point / DG_NEWTON_POINTS);
      const real weight =
          step * quad_point(q, r, DG_NEWTON_POINTS, point / DG_NEWTON_POINTS, point % DG_NEWTON_POINTS, &x, &y);
      monomials(x, y, phi);
      monomial_gradients(phi, along_x, along_y);
      flux_jacobians(c, phi, a.law_parameters, f, g);
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        QN_ROLLED
        for (int w = 0; w < LAW_VARIABLES; ++w) {
          QN_ROLLED
          for (int k = 0; k < DG_TIMES; ++k) {
            QN_ROLLED
            for (int l = 0; l < DG_TIMES; ++l) {
              const real in_x = weight * f[((k + l) * LAW_VARIABLES + v) * LAW_VARIABLES + w];
              const real in_y = weight * g[((k + l) * LAW_VARIABLES + v) * LAW_VARIABLES + w];
              for (int m = 1; m < DG_SPACE_OF(k); ++m) {
                const real test = QN_FMA(along_x[m], in_x, along_y[m] * in_y);
                QN_PRIVATE real* row =
                    matrix + (v * DG_BASIS + DG_BLOCK(k) + m) * DG_UNKNOWNS + w * DG_BASIS + DG_BLOCK(l);
                for (int n = 0; n < DG_SPACE_OF(l); ++n) row[n] = QN_FMA(-test, phi[n], row[n]);
              }
            }
          }
        }
      }
    }
  }
}

/* r = matrix^-1 r; the matrix is lost. */
QN_BODY void eliminate(QN_PRIVATE real* matrix, QN_PRIVATE real* r) {
  QN_ROLLED
  for (int k = 0; k < DG_UNKNOWNS; ++k) {
    const real inverse = (real)((element)1) / matrix[k * DG_UNKNOWNS + k];
    for (int row = k + 1; row < DG_UNKNOWNS; ++row) {
      const real factor = matrix[row * DG_UNKNOWNS + k] * inverse;
      for (int n = k + 1; n < DG_UNKNOWNS; ++n) {
        matrix[row * DG_UNKNOWNS + n] = QN_FMA(-factor, matrix[k * DG_UNKNOWNS + n], matrix[row * DG_UNKNOWNS + n]);
      }
      r[row] = QN_FMA(-factor, r[k], r[row]);
    }
  }
  QN_ROLLED
  for (int k = DG_UNKNOWNS - 1; k >= 0; --k) {
    real sum = r[k];
    for (int n = k + 1; n < DG_UNKNOWNS; ++n) sum = QN_FMA(-matrix[k * DG_UNKNOWNS + n], r[n], sum);
    r[k] = sum / matrix[k * DG_UNKNOWNS + k];
  }
}

/* The right-hand side comes from an update without DG_SOLVE. */
QN_BODY void dgcvs_newton_point(dgcvs_update_arguments a, qn_index lane) {
  const qn_index e = entity_of(a, lane);
  real b[DG_UNKNOWNS], c[DG_UNKNOWNS], r[DG_UNKNOWNS], sums[LAW_VARIABLES * DG_SPACE];
  real matrix[DG_UNKNOWNS * DG_UNKNOWNS];
  const real step = (real)(a.tau) * QN_LOAD(a.inverse_length, e);
  start_integrals(a, e, 0, b, sums);
  start_polynomials(a, e, sums, c);
  for (qn_index iteration = 0; iteration < a.sweeps; ++iteration) {
    for (int n = 0; n < DG_UNKNOWNS; ++n) r[n] = b[n];
    add_volume(a, e, step, c, r);
    start_matrix(a, e, matrix);
    subtract_product(matrix, c, r);
    subtract_jacobian(a, e, step, c, matrix);
    eliminate(matrix, r);
    for (int n = 0; n < DG_UNKNOWNS; ++n) c[n] = c[n] + r[n];
  }
  for (int n = 0; n < DG_UNKNOWNS; ++n) QN_STORE(a.own, n * a.own_pitch + e, c[n]);
}

#endif
