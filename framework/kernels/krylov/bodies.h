/* Updates of vectors, each by one fma, and the numbers of their recurrences. */

QN_BODY real krylov_product_point(krylov_product_arguments a, qn_index i, qn_index j) {
  return QN_LOAD(QN_AT(a.u, i, j), 0) * QN_LOAD(QN_AT(a.v, i, j), 0);
}

QN_BODY real krylov_residual_point(krylov_residual_arguments a, qn_index i, qn_index j) {
  const real r = QN_LOAD(QN_AT(a.b, i, j), 0) - QN_LOAD(QN_AT(a.y, i, j), 0);
  QN_STORE(QN_AT(a.r, i, j), 0, r);
  return r * r;
}

#define QN_DIAGONAL(a, i, j) ((a).varies != 0 ? QN_LOAD(QN_AT((a).d, i, j), 0) : (real)(a).same)

QN_BODY real krylov_scale_point(krylov_scale_arguments a, qn_index i, qn_index j) {
  const real r = QN_LOAD(QN_AT(a.r, i, j), 0);
  const real z = QN_DIAGONAL(a, i, j) * r;
  QN_STORE(QN_AT(a.z, i, j), 0, z);
  return r * z;
}

QN_BODY real cg_residual_point(cg_residual_arguments a, qn_index i, qn_index j) {
  const real r = QN_FMA(-(real)a.alpha[0], QN_LOAD(QN_AT(a.w, i, j), 0), QN_LOAD(QN_AT(a.r, i, j), 0));
  const real z = QN_DIAGONAL(a, i, j) * r;
  QN_STORE(QN_AT(a.r, i, j), 0, r);
  return r * z;
}

QN_BODY real cg_advance_point(cg_advance_arguments a, qn_index i, qn_index j) {
  const real r = QN_LOAD(QN_AT(a.r, i, j), 0);
  const real p = QN_LOAD(QN_AT(a.p, i, j), 0);
  const real z = QN_DIAGONAL(a, i, j) * r;
  QN_STORE(QN_AT(a.x, i, j), 0, QN_FMA((real)a.alpha[0], p, QN_LOAD(QN_AT(a.x, i, j), 0)));
  QN_STORE(QN_AT(a.p, i, j), 0, QN_FMA((real)a.beta[0], p, z));
  return r * r;
}

#undef QN_DIAGONAL

QN_BODY void krylov_direction_point(krylov_direction_arguments a, qn_index i, qn_index j) {
  const real p = QN_LOAD(QN_AT(a.p, i, j), 0);
  QN_STORE(QN_AT(a.p, i, j), 0, QN_FMA((real)a.beta[0], p, QN_LOAD(QN_AT(a.z, i, j), 0)));
}

QN_BODY real krylov_step_point(krylov_step_arguments a, qn_index i, qn_index j) {
  const real alpha = (real)a.alpha[0];
  QN_STORE(QN_AT(a.x, i, j), 0, QN_FMA(alpha, QN_LOAD(QN_AT(a.p, i, j), 0), QN_LOAD(QN_AT(a.x, i, j), 0)));
  const real r = QN_FMA(-alpha, QN_LOAD(QN_AT(a.w, i, j), 0), QN_LOAD(QN_AT(a.r, i, j), 0));
  QN_STORE(QN_AT(a.r, i, j), 0, r);
  return r * r;
}

QN_BODY int cg_alpha_stopped(cg_alpha_arguments a) { return stopped_before(a.control, a.iteration, 2); }

QN_BODY void cg_alpha_point(cg_alpha_arguments a, qn_index row, element sum) {
  *QN_AT(a.curvature, row, 0) = sum;
  *QN_AT(a.alpha, row, 0) = *QN_AT(a.rho, row, 0) / sum;
  /* sum - sum is zero unless sum is infinite or not a number. */
  if (!(sum > 0) || !(sum - sum == 0)) {
    QN_LOWER(a.control, a.iteration);
    a.control[1] = 2;
  }
}

QN_BODY int cg_beta_stopped(cg_beta_arguments a) { return a.control[0] != 0; }

QN_BODY void cg_beta_point(cg_beta_arguments a, qn_index row, element sum) {
  *QN_AT(a.beta, row, 0) = sum / *QN_AT(a.rho, row, 0);
  *QN_AT(a.rho, row, 0) = sum;
}
