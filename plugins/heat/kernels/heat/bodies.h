/* The order of operations is part of a kernel: every backend gives the same bits. `u` is at the node, rows lie `pitch`
 * elements apart. */
QN_BODY real heat_rate(QN_GLOBAL const element* u, qn_index pitch, real source, real a, real b, real diagonal,
                       real growth) {
  const real sideways = QN_LOAD(u, -1) + QN_LOAD(u, 1);
  const real upwards = QN_LOAD(u, -pitch) + QN_LOAD(u, pitch);
  const real neighbours = QN_FMA(b, upwards, a * sideways);
  return QN_FMA(growth, source, QN_FMA(-diagonal, QN_LOAD(u, 0), neighbours));
}

QN_BODY void heat_start_point(heat_start_arguments a, qn_index i, qn_index j) {
  const real rate = heat_rate(QN_AT(a.u, i, j), a.u_pitch, QN_LOAD(QN_AT(a.source, i, j), 0), (real)a.a, (real)a.b,
                              (real)a.diagonal, (real)a.growth);
  QN_STORE(QN_AT(a.rate, i, j), 0, rate);
  QN_STORE(QN_AT(a.next, i, j), 0, QN_FMA((real)a.step, rate, QN_LOAD(QN_AT(a.u, i, j), 0)));
}

QN_BODY void heat_stage_point(heat_stage_arguments a, qn_index i, qn_index j) {
  const real rate = heat_rate(QN_AT(a.latest, i, j), a.latest_pitch, QN_LOAD(QN_AT(a.source, i, j), 0), (real)a.a,
                              (real)a.b, (real)a.diagonal, (real)a.growth);
  const real start = (real)a.whole * QN_LOAD(QN_AT(a.u, i, j), 0);
  const real now = QN_FMA((real)a.now, QN_LOAD(QN_AT(a.latest, i, j), 0), start);
  const real last = QN_FMA((real)a.last, QN_LOAD(QN_AT(a.before, i, j), 0), now);
  const real first = QN_FMA((real)a.first, QN_LOAD(QN_AT(a.rate, i, j), 0), last);
  QN_STORE(QN_AT(a.next, i, j), 0, QN_FMA((real)a.step, rate, first));
}

QN_BODY real heat_energy_point(heat_energy_arguments a, qn_index i, qn_index j) {
  const real value = QN_LOAD(QN_AT(a.u, i, j), 0);
  return value * value;
}
