/* Jacobi, one node at a time. The operations and their order are those of the definition
 *     Au = fma(D, u, -fma(b, down + up, a * (left + right))),  r = f - Au,  u' = fma(r, w, u),
 * with a = 1/dx^2, b = 1/dy^2, D = 2a + 2b. Pointers point at the node; rows lie `pitch` elements apart. */

/* `horizontal_sum` is left + right, `vertical_sum` down + up. */
QN_BODY real five_point(real centre, real horizontal_sum, real vertical_sum, real a, real b, real diagonal) {
  return QN_FMA(diagonal, centre, -QN_FMA(b, vertical_sum, a * horizontal_sum));
}

QN_BODY real jacobi_operator(QN_GLOBAL const element* u, QN_GLOBAL const element* below, QN_GLOBAL const element* above,
                             real centre, real a, real b, real diagonal) {
  return five_point(centre, QN_LOAD(u, -1) + QN_LOAD(u, 1), QN_LOAD(below, 0) + QN_LOAD(above, 0), a, b, diagonal);
}

QN_BODY void jacobi_laplacian_at(QN_GLOBAL const element* u, qn_index pitch, QN_GLOBAL element* au, real a, real b,
                                 real diagonal) {
  QN_STORE(au, 0, jacobi_operator(u, u - pitch, u + pitch, QN_LOAD(u, 0), a, b, diagonal));
}

QN_BODY void jacobi_laplacian_point(jacobi_laplacian_arguments a, qn_index i, qn_index j) {
  jacobi_laplacian_at(QN_AT(a.u, i, j), a.u_pitch, QN_AT(a.au, i, j), (real)a.a, (real)a.b, (real)a.diagonal);
}

QN_BODY void jacobi_boundary_point(jacobi_boundary_arguments a, qn_index i, qn_index j) {
  jacobi_laplacian_at(QN_AT(a.u, i, j), a.u_pitch, QN_AT(a.au, i, j), (real)a.a, (real)a.b, (real)a.diagonal);
}

QN_BODY void jacobi_update_point(jacobi_update_arguments a, qn_index i, qn_index j) {
  const real residual = QN_LOAD(QN_AT(a.f, i, j), 0) - QN_LOAD(QN_AT(a.au, i, j), 0);
  QN_STORE(QN_AT(a.r, i, j), 0, residual);
  QN_STORE(QN_AT(a.u, i, j), 0, QN_FMA(residual, (real)a.weight, QN_LOAD(QN_AT(a.u, i, j), 0)));
}

/* `below` and `above` are the nodes beside it in the neighbouring rows, which may lie anywhere. Returns the square of
 * the residual, for the block sums. */
QN_BODY real jacobi_sweep_point(QN_GLOBAL const element* u, QN_GLOBAL const element* below,
                                QN_GLOBAL const element* above, real f, QN_GLOBAL element* u_new, real a, real b,
                                real diagonal, real weight) {
  const real centre = QN_LOAD(u, 0);
  const real residual = f - jacobi_operator(u, below, above, centre, a, b, diagonal);
  QN_STORE(u_new, 0, QN_FMA(residual, weight, centre));
  return residual * residual;
}

QN_BODY real jacobi_norm_point(jacobi_norm_arguments a, qn_index i, qn_index j) {
  const real value = QN_LOAD(QN_AT(a.r, i, j), 0);
  return value * value;
}

#include "kernels/jacobi/transfers.h"
