/* The numbers of BiCGSTAB and its search direction. */

/* Stops the run where something is to be divided by a value that is zero or not finite, which value - value shows. */
QN_BODY void bicgstab_guard(QN_GLOBAL qn_index* control, qn_index iteration, qn_index code, element value) {
  if (value == 0 || !(value - value == 0)) {
    QN_LOWER(control, iteration);
    control[1] = code;
  }
}

QN_BODY int bicgstab_beta_stopped(bicgstab_beta_arguments a) { return stopped_before(a.control, a.iteration, 2); }

QN_BODY void bicgstab_beta_point(bicgstab_beta_arguments a, qn_index row, element sum) {
  const element ratio = sum / *QN_AT(a.rho, row, 0);
  *QN_AT(a.beta, row, 0) = ratio * (*QN_AT(a.alpha, row, 0) / *QN_AT(a.omega, row, 0));
  *QN_AT(a.rho, row, 0) = sum;
  bicgstab_guard(a.control, a.iteration, 2, sum);
}

QN_BODY void bicgstab_direction_point(bicgstab_direction_arguments a, qn_index i, qn_index j) {
  const real p = QN_LOAD(QN_AT(a.p, i, j), 0);
  const real rest = QN_FMA((real)-a.omega[0], QN_LOAD(QN_AT(a.v, i, j), 0), p);
  QN_STORE(QN_AT(a.p, i, j), 0, QN_FMA((real)a.beta[0], rest, QN_LOAD(QN_AT(a.r, i, j), 0)));
}

QN_BODY int bicgstab_alpha_stopped(bicgstab_alpha_arguments a) { return stopped_before(a.control, a.iteration, 3); }

QN_BODY void bicgstab_alpha_point(bicgstab_alpha_arguments a, qn_index row, element sum) {
  *QN_AT(a.alpha, row, 0) = *QN_AT(a.rho, row, 0) / sum;
  bicgstab_guard(a.control, a.iteration, 3, sum);
}

QN_BODY int bicgstab_omega_stopped(bicgstab_omega_arguments a) { return stopped_before(a.control, a.iteration, 4); }

QN_BODY void bicgstab_omega_point(bicgstab_omega_arguments a, qn_index row, element sum) {
  const element omega = *QN_AT(a.ts, row, 0) / sum;
  *QN_AT(a.omega, row, 0) = omega;
  bicgstab_guard(a.control, a.iteration, 4, omega);
}
