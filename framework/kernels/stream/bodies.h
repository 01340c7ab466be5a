/* The yardsticks of a device: of its memory, and of its arithmetic. */

QN_BODY void stream_copy_point(stream_copy_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.y, i, j), 0, QN_LOAD(QN_AT(a.x, i, j), 0));
}

QN_BODY void stream_triad_point(stream_triad_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.z, i, j), 0, QN_FMA((real)a.scale, QN_LOAD(QN_AT(a.y, i, j), 0), QN_LOAD(QN_AT(a.x, i, j), 0)));
}

/* Eight chains, for each multiply-add waits for the one before it: the first starts at x, the next at x + 1, and so on;
 * y is their sum. A factor below one keeps them where they are. */
QN_BODY void stream_multiply_add_point(stream_multiply_add_arguments a, qn_index i, qn_index j) {
  real chain[8];
  chain[0] = QN_LOAD(QN_AT(a.x, i, j), 0);
  QN_UNROLL
  for (int k = 1; k < 8; ++k) chain[k] = chain[k - 1] + (real)((element)1);
  for (int round = 0; round < 64; ++round) {
    QN_UNROLL
    for (int k = 0; k < 8; ++k) { /* NOLINT(modernize-loop-convert): C99, too */
      chain[k] = QN_FMA(chain[k], (real)a.factor, (real)a.summand);
    }
  }
  real sum = chain[0];
  QN_UNROLL
  for (int k = 1; k < 8; ++k) sum = sum + chain[k];
  QN_STORE(QN_AT(a.y, i, j), 0, sum);
}
