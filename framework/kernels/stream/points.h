/* The yardstick of memory bandwidth. */

QN_BODY void stream_triad_point(QN_GLOBAL const element* x, QN_GLOBAL const element* y, QN_GLOBAL element* z,
                                real scale) {
  QN_STORE(z, 0, QN_FMA(scale, QN_LOAD(y, 0), QN_LOAD(x, 0)));
}
