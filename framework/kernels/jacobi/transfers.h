/* Between a grid and a coarser one of multigrid, both of evenly spaced nodes on the same rectangle: linear
 * interpolation in each direction and its transpose. Tables say which nodes are meant, so nothing is divided here. */

QN_BODY real jacobi_residual(QN_GLOBAL const element* u, qn_index pitch, real f, real a, real b, real diagonal) {
  return f - jacobi_operator(u, u - pitch, u + pitch, QN_LOAD(u, 0), a, b, diagonal);
}

/* The weighted mean of the residuals around a coarse node: first down the rows of each column, then across the columns,
 * so that a backend may go row by row to the same bits. u, f point at the first node of the finer grid that counts,
 * the weights at their first value for this coarse node; without `rhs_array` f is the number f_constant. The coarse
 * iterate is what one sweep of that weight makes of zero. */
QN_BODY void jacobi_restrict_point(QN_GLOBAL const element* u, qn_index u_pitch, QN_GLOBAL const element* f,
                                   qn_index f_pitch, real f_constant, int rhs_array, real a, real b, real diagonal,
                                   QN_GLOBAL const element* across, qn_index across_pitch, qn_index columns,
                                   QN_GLOBAL const element* down, qn_index down_pitch, qn_index rows, real weight,
                                   QN_GLOBAL element* f_coarse, QN_GLOBAL element* u_coarse) {
  real mean = 0;
  for (qn_index s = 0; s < columns; ++s) {
    real column = 0;
    for (qn_index t = 0; t < rows; ++t) {
      const real rhs = rhs_array ? QN_LOAD(f, t * f_pitch + s) : f_constant;
      const real residual = jacobi_residual(u + t * u_pitch + s, u_pitch, rhs, a, b, diagonal);
      column = QN_FMA(QN_LOAD(down, t * down_pitch), residual, column);
    }
    mean = QN_FMA(QN_LOAD(across, s * across_pitch), column, mean);
  }
  QN_STORE(f_coarse, 0, mean);
  QN_STORE(u_coarse, 0, weight * mean);
}

/* The value a share t of the way from p to q. */
QN_BODY real between(real p, real q, real t) { return QN_FMA(t, q - p, p); }

/* Adds what lies at the shares (x, y) of the way from a coarse node to the next ones, between rows first. */
QN_BODY void jacobi_prolong_point(jacobi_prolong_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* coarse = QN_AT(a.coarse_u, a.columns[i], a.rows[j]);
  QN_GLOBAL element* u = QN_AT(a.u, i, j);
  const real y = QN_LOAD(a.down, j);
  const real left = between(QN_LOAD(coarse, 0), QN_LOAD(coarse, a.coarse_u_pitch), y);
  const real right = between(QN_LOAD(coarse, 1), QN_LOAD(coarse, a.coarse_u_pitch + 1), y);
  QN_STORE(u, 0, QN_LOAD(u, 0) + between(left, right, QN_LOAD(a.across, i)));
}
