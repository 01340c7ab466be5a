QN_BODY void axpy_point(axpy_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.y, i, j), 0, QN_FMA((real)a.a, QN_LOAD(QN_AT(a.x, i, j), 0), QN_LOAD(QN_AT(a.y, i, j), 0)));
}

QN_BODY real dot_blocks_point(dot_blocks_arguments a, qn_index i, qn_index j) {
  return QN_LOAD(QN_AT(a.x, i, j), 0) * QN_LOAD(QN_AT(a.y, i, j), 0);
}

QN_BODY int mean_stopped(mean_arguments a) { return a.count < 1; }

QN_BODY void mean_point(mean_arguments a, qn_index row, element sum) { a.means[row] = sum / (element)a.count; }
