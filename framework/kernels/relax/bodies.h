/* Steps of smoothers and of triangular solves. */

QN_BODY void relax_start_point(relax_start_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.z, i, j), 0, QN_LOAD(QN_AT(a.d, i, j), 0) * QN_LOAD(QN_AT(a.r, i, j), 0));
}

QN_BODY void relax_sweep_point(relax_sweep_arguments a, qn_index i, qn_index j) {
  const real defect = QN_LOAD(QN_AT(a.r, i, j), 0) - QN_LOAD(QN_AT(a.w, i, j), 0);
  QN_STORE(QN_AT(a.z, i, j), 0, QN_FMA(QN_LOAD(QN_AT(a.d, i, j), 0), defect, QN_LOAD(QN_AT(a.z, i, j), 0)));
}

QN_BODY void relax_defect_point(relax_defect_arguments a, qn_index i, qn_index j) {
  const real w = QN_LOAD(QN_AT(a.w, i, j), 0);
  QN_STORE(QN_AT(a.w, i, j), 0, QN_LOAD(QN_AT(a.r, i, j), 0) - w);
}

QN_BODY void relax_correct_point(relax_correct_arguments a, qn_index i, qn_index j) {
  const real z = QN_LOAD(QN_AT(a.z, i, j), 0);
  QN_STORE(QN_AT(a.z, i, j), 0, z + QN_LOAD(QN_AT(a.w, i, j), 0));
}
