/* The yardsticks of memory bandwidth. */

QN_BODY void stream_copy_point(stream_copy_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.y, i, j), 0, QN_LOAD(QN_AT(a.x, i, j), 0));
}

QN_BODY void stream_triad_point(stream_triad_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.z, i, j), 0, QN_FMA((real)a.scale, QN_LOAD(QN_AT(a.y, i, j), 0), QN_LOAD(QN_AT(a.x, i, j), 0)));
}
