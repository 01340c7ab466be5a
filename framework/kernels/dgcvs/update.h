/* One half step of DG-CVS for one entity: the right-hand side from the old entities around it, then a fixed
 * number of sweeps of the local space-time system (design: dg-cvs, sections 5 and 6).
 *
 * An entity is made of sub-quads, one a slot. In the entity's own scaled frame a sub-quad has its corners,
 * counter-clockwise, at the entity's centre (0, 0) and at A, B, C; B is the centre of the old entity of that
 * slot, and the lateral faces are A->B and B->C. `geometry` holds A, B, C and the ratio of the entity's length
 * to that of the old one: DG_GEOMETRY numbers a slot. An unused slot is all zeros and adds nothing.
 * Arrays hold one entity a lane: value k of entity e lies at [k * stride + e]. */

#define DG_GEOMETRY 7

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

/* The bilinear map at (a, b): position, and weight of the point with the Jacobian in it. */
QN_BODY real sub_quad_point(sub_quad q, int i, int j, QN_PRIVATE real* x, QN_PRIVATE real* y) {
  const real a = (real)(gauss_node(i));
  const real b = (real)(gauss_node(j));
  const real one = (real)((element)1);
  const real ab = a * b;
  const real only_a = a * (one - b);
  const real only_b = (one - a) * b;
  *x = QN_FMA(only_a, q.ax, QN_FMA(ab, q.bx, only_b * q.cx));
  *y = QN_FMA(only_a, q.ay, QN_FMA(ab, q.by, only_b * q.cy));
  const real xa = QN_FMA(one - b, q.ax, b * (q.bx - q.cx));
  const real ya = QN_FMA(one - b, q.ay, b * (q.by - q.cy));
  const real xb = QN_FMA(a, q.bx - q.ax, (one - a) * q.cx);
  const real yb = QN_FMA(a, q.by - q.ay, (one - a) * q.cy);
  return (real)(gauss_weight(i) * gauss_weight(j)) * (xa * yb - xb * ya);
}

/* b(m, k) += phi(m) * moment(k) for every member of the basis. */
QN_BODY void add_moments(QN_PRIVATE const real* phi, QN_PRIVATE const real* moment, QN_PRIVATE real* b) {
  int n = 0;
  for (int k = 0; k <= ORDER; ++k) {
    for (int m = 0; m < dg_space(k); ++m) b[n + m] = QN_FMA(phi[m], moment[k], b[n + m]);
    n += dg_space(k);
  }
}

/* The integral over the bottom face: test functions at s = -1 against the old solution at s = 0. */
QN_BODY void add_bottom(sub_quad q, QN_PRIVATE const real* old, QN_PRIVATE real* b) {
  for (int i = 0; i < DG_POINTS; ++i) {
    for (int j = 0; j < DG_POINTS; ++j) {
      real x, y, phi[DG_SPACE], phi_old[DG_SPACE], moment[ORDER + 1];
      const real weight = sub_quad_point(q, i, j, &x, &y);
      monomials(x, y, phi);
      monomials(q.ratio * (x - q.bx), q.ratio * (y - q.by), phi_old);
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        QN_PRIVATE const real* c = old + v * DG_BASIS;
        real value = c[0];
        for (int m = 1; m < DG_SPACE; ++m) value = QN_FMA(c[m], phi_old[m], value);
        moment[0] = weight * value;
        for (int k = 1; k <= ORDER; ++k) moment[k] = -moment[k - 1];
        add_moments(phi, moment, b + v * DG_BASIS);
      }
    }
  }
}

/* Minus the flux of the old solution through the lateral face from (x0, y0) to (x1, y1). */
QN_BODY void add_lateral(sub_quad q, real x0, real y0, real x1, real y1, real step, QN_PRIVATE const real* old,
                         QN_GLOBAL const element* law, QN_PRIVATE real* b) {
  const real normal_x = y1 - y0;
  const real normal_y = x0 - x1;
  for (int i = 0; i < DG_POINTS; ++i) {
    const real along = (real)(gauss_node(i));
    const real x = QN_FMA(along, x1 - x0, x0);
    const real y = QN_FMA(along, y1 - y0, y0);
    real phi[DG_SPACE], phi_old[DG_SPACE], in_time[LAW_VARIABLES * (ORDER + 1)], moment[LAW_VARIABLES * (ORDER + 1)];
    monomials(x, y, phi);
    monomials(q.ratio * (x - q.bx), q.ratio * (y - q.by), phi_old);
    for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(old + v * DG_BASIS, phi_old, in_time + v * (ORDER + 1));
    for (int k = 0; k < LAW_VARIABLES * (ORDER + 1); ++k) moment[k] = (real)((element)0);
    for (int t = 0; t < DG_POINTS; ++t) {
      const element s = gauss_node(t);
      const real weight = (real)(gauss_weight(i) * gauss_weight(t)) * step;
      real u[LAW_VARIABLES], f[LAW_VARIABLES], g[LAW_VARIABLES];
      for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * (ORDER + 1), s);
      law_flux(u, law, f, g);
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        real power = -(weight * QN_FMA(f[v], normal_x, g[v] * normal_y));
        for (int k = 0; k <= ORDER; ++k) {
          moment[v * (ORDER + 1) + k] = moment[v * (ORDER + 1) + k] + power;
          power = power * (real)(s - (element)1);
        }
      }
    }
    for (int v = 0; v < LAW_VARIABLES; ++v) add_moments(phi, moment + v * (ORDER + 1), b + v * DG_BASIS);
  }
}

/* The volume term: derivatives of the test functions against the fluxes of the iterate c. */
QN_BODY void add_volume(sub_quad q, real step, QN_PRIVATE const real* c, QN_GLOBAL const element* law,
                        QN_PRIVATE real* b) {
  for (int i = 0; i < DG_POINTS; ++i) {
    for (int j = 0; j < DG_POINTS; ++j) {
      real x, y, phi[DG_SPACE], along_x[DG_SPACE], along_y[DG_SPACE];
      real in_time[LAW_VARIABLES * (ORDER + 1)], moment_x[LAW_VARIABLES * (ORDER + 1)],
          moment_y[LAW_VARIABLES * (ORDER + 1)];
      const real weight = step * sub_quad_point(q, i, j, &x, &y);
      monomials(x, y, phi);
      monomial_gradients(phi, along_x, along_y);
      for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(c + v * DG_BASIS, phi, in_time + v * (ORDER + 1));
      for (int k = 0; k < LAW_VARIABLES * (ORDER + 1); ++k) moment_x[k] = moment_y[k] = (real)((element)0);
      for (int t = 0; t < DG_POINTS; ++t) {
        const element s = gauss_node(t) - (element)1;
        real u[LAW_VARIABLES], f[LAW_VARIABLES], g[LAW_VARIABLES];
        for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * (ORDER + 1), s);
        law_flux(u, law, f, g);
        real power = (real)(gauss_weight(t)) * weight;
        for (int k = 0; k <= ORDER; ++k) {
          for (int v = 0; v < LAW_VARIABLES; ++v) {
            moment_x[v * (ORDER + 1) + k] = QN_FMA(f[v], power, moment_x[v * (ORDER + 1) + k]);
            moment_y[v * (ORDER + 1) + k] = QN_FMA(g[v], power, moment_y[v * (ORDER + 1) + k]);
          }
          power = power * (real)(s);
        }
      }
      for (int v = 0; v < LAW_VARIABLES; ++v) {
        add_moments(along_x, moment_x + v * (ORDER + 1), b + v * DG_BASIS);
        add_moments(along_y, moment_y + v * (ORDER + 1), b + v * DG_BASIS);
      }
    }
  }
}

/* c = T^-1 b for one variable. `inverse_factor` is the inverse of the Cholesky factor of the spatial Gram
 * matrix, rows of its lower triangle: it makes the spatial basis orthonormal on the entity, where T falls apart
 * into one small universal matrix in time for each spatial member. */
QN_BODY void solve_local(QN_GLOBAL const element* inverse_factor, qn_index stride, QN_PRIVATE const real* b,
                         QN_PRIVATE real* c) {
  real orthonormal[DG_BASIS];
  int n = 0;
  for (int k = 0; k <= ORDER; ++k) {
    for (int row = 0, at = 0; row < dg_space(k); at += ++row) {
      real sum = QN_LOAD(inverse_factor, at * stride) * b[n];
      for (int m = 1; m <= row; ++m) sum = QN_FMA(QN_LOAD(inverse_factor, (at + m) * stride), b[n + m], sum);
      orthonormal[n + row] = sum;
    }
    n += dg_space(k);
  }
  n = 0;
  for (int k = 0; k <= ORDER; ++k) {
    for (int degree = 0, first = 0; degree <= ORDER - k; first += ++degree) {
      for (int m = first; m < first + degree + 1; ++m) {
        real sum = (real)((element)0);
        for (int l = 0, block = 0; l <= ORDER - degree; block += dg_space(l++)) {
          sum = QN_FMA((real)(time_inverse(ORDER - degree + 1, k, l)), orthonormal[block + m], sum);
        }
        c[n + m] = sum;
      }
    }
    n += dg_space(k);
  }
  n = 0;
  for (int k = 0; k <= ORDER; ++k) {
    for (int m = 0; m < dg_space(k); ++m) {
      real sum = (real)((element)0);
      for (int row = m; row < dg_space(k); ++row) {
        sum = QN_FMA(QN_LOAD(inverse_factor, (row * (row + 1) / 2 + m) * stride), c[n + row], sum);
      }
      c[n + m] = sum;
    }
    n += dg_space(k);
  }
}

/* The entity's own previous polynomial, one whole step later: s -> s + 2. */
QN_BODY void shift_in_time(QN_PRIVATE real* c) {
  for (int pass = 0; pass < ORDER; ++pass) {
    for (int k = ORDER - 1, n = DG_BASIS - 1 - dg_space(ORDER - 1); k >= pass; --k) {
      for (int m = 0; m < dg_space(k + 1); ++m) {
        c[n + m] = QN_FMA((real)((element)2), c[n + dg_space(k) + m], c[n + m]);
      }
      if (k > 0) n -= dg_space(k - 1);
    }
  }
}

/* The whole update. `own` holds the entity's previous polynomial and takes the new one. With start = 0 the
 * sweeps start from that polynomial shifted in time, else from the mean of the old solution. */
QN_BODY void dgcvs_update_point(QN_GLOBAL element* own, qn_index stride, QN_GLOBAL const element* old,
                                qn_index old_stride, QN_GLOBAL const qn_index* neighbour,
                                QN_GLOBAL const element* geometry, QN_GLOBAL const element* inverse_factor,
                                QN_GLOBAL const element* inverse_length, QN_GLOBAL const element* law, int slots,
                                int sweeps, int start, element tau) {
  real c[LAW_VARIABLES * DG_BASIS], b[LAW_VARIABLES * DG_BASIS], r[LAW_VARIABLES * DG_BASIS];
  const real step = (real)(tau)*QN_LOAD(inverse_length, 0);
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) b[n] = (real)((element)0);
  for (int slot = 0; slot < slots; ++slot) {
    const sub_quad q = load_sub_quad(geometry + slot * DG_GEOMETRY * stride, stride);
    const lanes index = QN_LOAD_INDEX(neighbour, slot * stride);
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) c[n] = QN_GATHER(old + n * old_stride, index);
    add_bottom(q, c, b);
    add_lateral(q, q.ax, q.ay, q.bx, q.by, step, c, law, b);
    add_lateral(q, q.bx, q.by, q.cx, q.cy, step, c, law, b);
  }
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    for (int n = 0; n < DG_BASIS; ++n) {
      c[v * DG_BASIS + n] = start == 0 ? QN_LOAD(own, (v * DG_BASIS + n) * stride) : (real)((element)0);
    }
    if (start == 0) {
      shift_in_time(c + v * DG_BASIS);
    } else { /* b[0] is the integral of u over the bottom, and the first entry squared one over the area */
      const real root = QN_LOAD(inverse_factor, 0);
      c[v * DG_BASIS] = root * root * b[v * DG_BASIS];
    }
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) r[n] = b[n];
    for (int slot = 0; slot < slots; ++slot) {
      add_volume(load_sub_quad(geometry + slot * DG_GEOMETRY * stride, stride), step, c, law, r);
    }
    for (int v = 0; v < LAW_VARIABLES; ++v) {
      solve_local(inverse_factor, stride, r + v * DG_BASIS, c + v * DG_BASIS);
    }
  }
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(own, n * stride, c[n]);
}
