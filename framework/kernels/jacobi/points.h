/* Jacobi, one node at a time. The operations and their order are those of the definition
 *     Au = fma(D, u, -fma(b, down + up, a * (left + right))),  r = f - Au,  u' = fma(r, w, u),
 * with a = 1/dx^2, b = 1/dy^2, D = 2a + 2b. Pointers point at the node; rows lie `pitch` elements apart. */

/* `beside` is left + right, `upright` down + up. */
QN_BODY real five_point(real centre, real beside, real upright, real a, real b, real diagonal) {
  return QN_FMA(diagonal, centre, -QN_FMA(b, upright, a * beside));
}

QN_BODY real jacobi_operator(QN_GLOBAL const element* u, QN_GLOBAL const element* below, QN_GLOBAL const element* above,
                             real centre, real a, real b, real diagonal) {
  return five_point(centre, QN_LOAD(u, -1) + QN_LOAD(u, 1), QN_LOAD(below, 0) + QN_LOAD(above, 0), a, b, diagonal);
}

QN_BODY void jacobi_laplacian_point(QN_GLOBAL const element* u, qn_index pitch, QN_GLOBAL element* au, real a, real b,
                                    real diagonal) {
  QN_STORE(au, 0, jacobi_operator(u, u - pitch, u + pitch, QN_LOAD(u, 0), a, b, diagonal));
}

QN_BODY void jacobi_update_point(QN_GLOBAL element* u, real f, QN_GLOBAL const element* au, QN_GLOBAL element* r,
                                 real weight) {
  const real residual = f - QN_LOAD(au, 0);
  QN_STORE(r, 0, residual);
  QN_STORE(u, 0, QN_FMA(residual, weight, QN_LOAD(u, 0)));
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

QN_BODY real square_point(QN_GLOBAL const element* r) {
  const real value = QN_LOAD(r, 0);
  return value * value;
}

/* The k-th node next to the sides of an nx by ny box: bottom row, top row, then left and right of each
 * row between. Gives its column; *row is its row. */
QN_BODY qn_index rim_node(qn_index k, qn_index nx, qn_index ny, QN_PRIVATE qn_index* row) {
  const qn_index flat = ny > 1 ? 2 * nx : nx;
  const qn_index sides = nx > 1 ? 2 : 1;
  if (k < flat) {
    *row = k < nx ? 0 : ny - 1;
    return k < nx ? k : k - nx;
  }
  *row = 1 + (k - flat) / sides;
  return (k - flat) % sides == 0 ? 0 : nx - 1;
}
