/* Of one variable of an entity at its own time: the integral over the region, and the sum of the squared spatial
 * coefficients times the area. `length` is one over the entity's length; moments are those of its scaled frame. */
QN_BODY void dgcvs_observe_point(QN_GLOBAL const element* own, QN_GLOBAL const element* moments,
                                 QN_GLOBAL const element* length, QN_GLOBAL element* mass, QN_GLOBAL element* square,
                                 qn_index stride, qn_index space) {
  const real inverse = QN_LOAD(length, 0);
  const real scale = (real)((element)1) / (inverse * inverse);
  const real first = QN_LOAD(own, 0);
  real sum = first * QN_LOAD(moments, 0);
  real squares = first * first;
  for (qn_index m = 1; m < space; ++m) {
    const real c = QN_LOAD(own, m * stride);
    sum = QN_FMA(c, QN_LOAD(moments, m * stride), sum);
    squares = QN_FMA(c, c, squares);
  }
  QN_STORE(mass, 0, scale * sum);
  QN_STORE(square, 0, scale * (QN_LOAD(moments, 0) * squares));
}
