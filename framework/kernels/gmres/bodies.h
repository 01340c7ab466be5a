/* The orthogonal basis of GMRES, and its small least-squares problem by Givens rotations. */

QN_BODY int gmres_dots_stopped(gmres_dots_arguments a) { return a.control[0] != 0; }

QN_BODY void gmres_dots_point(gmres_dots_arguments a, qn_index row, element sum) {
  *QN_AT(a.dots, row, 0) = sum;
  *QN_AT(a.h, row, 0) = a.pass == 0 ? sum : *QN_AT(a.h, row, 0) + sum;
}

QN_BODY real gmres_subtract_point(gmres_subtract_arguments a, qn_index i, qn_index j) {
  real w = QN_LOAD(QN_AT(a.w, i, j), 0);
  for (qn_index k = 0; k < a.count; ++k) w = QN_FMA((real)-a.dots[k], QN_LOAD(QN_AT(a.basis, i, j + k * a.rows), 0), w);
  QN_STORE(QN_AT(a.w, i, j), 0, w);
  return w * w;
}

QN_BODY int gmres_rotate_stopped(gmres_rotate_arguments a) { return a.control[0] != 0; }

QN_BODY void gmres_rotate_point(gmres_rotate_arguments a, qn_index row, element sum) {
  const qn_index last = a.column;
  if (row != 0) return;
  const element norm = QN_SQRT(sum);
  element upper = a.h[0];
  for (qn_index k = 0; k < last; ++k) {
    const element lower = a.h[k + 1];
    a.h[k] = QN_FMA(a.sines[k], lower, a.cosines[k] * upper);
    upper = QN_FMA(a.cosines[k], lower, -(a.sines[k] * upper));
  }
  const element length = QN_SQRT(upper * upper + norm * norm);
  const element cosine = upper / length;
  const element sine = norm / length;
  const element residual = -(sine * a.g[last]);
  const element size = residual < 0 ? -residual : residual;
  a.h[last] = length;
  a.cosines[last] = cosine;
  a.sines[last] = sine;
  a.g[last] = cosine * a.g[last];
  a.g[last + 1] = residual;
  a.inverse[0] = 1 / norm;
  *QN_AT(a.norms, a.slot, 0) = size;
  /* size - size is zero unless size is infinite or not a number. */
  if (length == 0 || size <= a.tolerance || !(size - size == 0)) {
    a.control[0] = a.iteration;
    a.control[1] = length == 0 ? 2 : 1;
  }
}

QN_BODY void gmres_extend_point(gmres_extend_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.v, i, j), 0, (real)a.inverse[0] * QN_LOAD(QN_AT(a.w, i, j), 0));
}

/* By back substitution; each row is one chain. */
QN_BODY void gmres_solve_point(gmres_solve_arguments a, qn_index i, qn_index j) {
  if (i != a.box.i0 || j != a.box.j0) return;
  for (qn_index k = a.count - 1; k >= 0; --k) {
    element sum = a.g[k];
    for (qn_index l = k + 1; l < a.count; ++l) sum = QN_FMA(-a.h[l * a.pitch + k], a.y[l], sum);
    a.y[k] = sum / a.h[k * a.pitch + k];
  }
}

QN_BODY void gmres_combine_point(gmres_combine_arguments a, qn_index i, qn_index j) {
  real u = (real)(element)0;
  for (qn_index k = 0; k < a.count; ++k) u = QN_FMA((real)a.y[k], QN_LOAD(QN_AT(a.basis, i, j + k * a.rows), 0), u);
  QN_STORE(QN_AT(a.u, i, j), 0, u);
}

QN_BODY void gmres_correct_point(gmres_correct_arguments a, qn_index i, qn_index j) {
  const real z = QN_LOAD(QN_AT(a.z, i, j), 0);
  QN_STORE(QN_AT(a.corrected, i, j), 0, QN_LOAD(QN_AT(a.x, i, j), 0) + z);
}
