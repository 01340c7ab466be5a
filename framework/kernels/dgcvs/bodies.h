QN_BODY real observed_moment(dgcvs_observe_arguments a, qn_index e, qn_index m) {
  QN_GLOBAL const element* moments = a.moments + m * a.moments_pitch;
  return a.shared != 0 ? (real)(moments[0]) : QN_LOAD(moments, e);
}

/* Of one variable of an entity at its own time: the integral over the region, and the sum of the squared spatial
 * coefficients times the area. `inverse_length` is one over the entity's length; moments are those of its scaled frame.
 */
QN_BODY void dgcvs_observe_point(dgcvs_observe_arguments a, qn_index e, qn_index row) {
  QN_GLOBAL const element* own = QN_AT(a.own, e, row);
  const real inverse = QN_LOAD(QN_AT(a.inverse_length, e, row), 0);
  const real scale = (real)((element)1) / (inverse * inverse);
  const real first = QN_LOAD(own, 0);
  const real area = observed_moment(a, e, 0);
  real sum = first * area;
  real squares = first * first;
  for (qn_index m = 1; m < a.space; ++m) {
    const real c = QN_LOAD(own, m * a.own_pitch);
    sum = QN_FMA(c, observed_moment(a, e, m), sum);
    squares = QN_FMA(c, c, squares);
  }
  QN_STORE(QN_AT(a.mass, e, row), 0, scale * sum);
  QN_STORE(QN_AT(a.square, e, row), 0, scale * (area * squares));
}
