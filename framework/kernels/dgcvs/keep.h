/* What an entity of water over a bed may leave to those that are made of it. */

QN_BODY real lesser(real x, real y) { return QN_CHOOSE(x - y, y, x); }

/* The share of a polynomial's deviations from its mean that leaves a place as deep as it has to be. */
QN_BODY real share_of(real mean, real surface, real bed, real quarter) {
  const real least = lesser(quarter, mean - bed);
  const real enough = surface - bed - least;
  const real one = (real)((element)1);
  return QN_CHOOSE(enough, one, (mean - bed - least) / QN_CHOOSE(enough, one, mean - surface));
}

/* Of the inner edges of a sub-quad, from C to the centre and from there to A, the one with that point, and the
 * monomials there. */
QN_BODY void inner_edge(sub_quad q, int point, QN_PRIVATE real* from, QN_PRIVATE real* to, QN_PRIVATE real* phi) {
  const int side = point / DG_POINTS;
  const real along = (real)(gauss_node(DG_POINTS, point % DG_POINTS));
  const real none = (real)((element)0);
  from[0] = side == 0 ? q.cx : none;
  from[1] = side == 0 ? q.cy : none;
  to[0] = side == 0 ? none : q.ax;
  to[1] = side == 0 ? none : q.ay;
  monomials(QN_FMA(along, to[0] - from[0], from[0]), QN_FMA(along, to[1] - from[1], from[1]), phi);
}

typedef struct {
  QN_GLOBAL const element* geometry;
  QN_GLOBAL const element* bed;
  qn_index slots, geometry_stride, bed_stride;
  real step; /* half a step over the entity's length */
} water_place;

QN_BODY real least_share(water_place at, QN_PRIVATE const real* c, real mean, real quarter) {
  real all = (real)((element)1);
  for (qn_index slot = 0; slot < at.slots; ++slot) {
    const sub_quad q = load_sub_quad(at.geometry + slot * DG_GEOMETRY * at.geometry_stride, at.geometry_stride);
    QN_GLOBAL const element* bed = at.bed + slot * DG_BED * at.bed_stride;
    real share = all;
    real phi[DG_SPACE], in_time[DG_TIMES];
    QN_ROLLED
    for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
      real x, y;
      (void)bottom_point(q, point, &x, &y);
      monomials(x, y, phi);
      share = lesser(share, share_of(mean, spatial_value(c, phi), BED_AT(bed, point * at.bed_stride), quarter));
    }
    QN_ROLLED
    for (int point = 0; point < 2 * DG_POINTS; ++point) {
      const real height = BED_AT(bed, (DG_POINTS * DG_POINTS + 2 * DG_POINTS + point) * at.bed_stride);
      real from[2], to[2];
      inner_edge(q, point, from, to, phi);
      time_polynomial(c, phi, in_time);
      for (int t = 0; t < DG_POINTS; ++t)
        share = lesser(share, share_of(mean, at_time(in_time, gauss_node(DG_POINTS, t)), height, quarter));
    }
    all = QN_CHOOSE(-q.ratio, all, share); /* an unused slot has no ground */
  }
  return all;
}

/* The share of the flow with which no sub-quad gives away more water in the next half step than it has, whatever
 * comes in: what would come through a wall does not. */
QN_BODY real least_supply(water_place at, QN_PRIVATE const real* c, QN_GLOBAL const element* law,
                          QN_PRIVATE real* water) {
  const real one = (real)((element)1);
  real share = one;
  *water = (real)((element)0);
  for (qn_index slot = 0; slot < at.slots; ++slot) {
    const sub_quad q = load_sub_quad(at.geometry + slot * DG_GEOMETRY * at.geometry_stride, at.geometry_stride);
    QN_GLOBAL const element* bed = at.bed + slot * DG_BED * at.bed_stride;
    real phi[DG_SPACE], in_time[LAW_VARIABLES * DG_TIMES], u[LAW_VALUES];
    real has = (real)((element)0);
    real out[2];
    out[0] = out[1] = (real)((element)0);
    QN_ROLLED
    for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
      real x, y;
      const real weight = bottom_point(q, point, &x, &y);
      monomials(x, y, phi);
      const real depth = spatial_value(c, phi) - BED_AT(bed, point * at.bed_stride);
      has = QN_FMA(weight, QN_CHOOSE(depth, depth, (real)((element)0)), has);
    }
    QN_ROLLED
    for (int point = 0; point < 2 * DG_POINTS; ++point) {
      const real weight = at.step * (real)(gauss_weight(DG_POINTS, point % DG_POINTS));
      real from[2], to[2];
      inner_edge(q, point, from, to, phi);
      for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(c + v * DG_BASIS, phi, in_time + v * DG_TIMES);
      for (int t = 0; t < DG_POINTS; ++t) {
        for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * DG_TIMES, gauss_node(DG_POINTS, t));
        PUT_BED(u, BED_AT(bed, (DG_POINTS * DG_POINTS + 2 * DG_POINTS + point) * at.bed_stride), DG_SHORE(c));
        (void)take_water(u, law);
        const real through = QN_FMA(u[1], to[1] - from[1], u[2] * (from[0] - to[0]));
        out[point / DG_POINTS] = QN_FMA(weight * (real)(gauss_weight(DG_POINTS, t)), through, out[point / DG_POINTS]);
      }
    }
    *water = *water + has;
    const real gives = -lesser(-out[0], (real)((element)0)) - lesser(-out[1], (real)((element)0));
    const real spare = has - gives;
    share = lesser(share, QN_CHOOSE(spare, one, has / QN_CHOOSE(spare, one, gives)));
  }
  return share;
}

/* Brings polynomials with these means, and this mean depth, to what the next half step may be made of. Returns the
 * integral of the depth at the points. */
QN_BODY real keep_water(water_place at, QN_PRIVATE const real* mean, real depth, QN_GLOBAL const element* law,
                        QN_PRIVATE real* c) {
  const real one = (real)((element)1);
  const real quarter = (real)((element)0.25) * depth;
  const real share = QN_CHOOSE(DG_SHORE(c), one, least_share(at, c, mean[0], quarter));
  const real rest = one - share;
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    for (int n = 0; n < DG_BASIS; ++n) {
      const real scaled = n == 0 ? QN_FMA(rest, mean[v], share * c[v * DG_BASIS]) : share * c[v * DG_BASIS + n];
      c[v * DG_BASIS + n] = QN_CHOOSE(-rest, c[v * DG_BASIS + n], scaled);
    }
  }
  real water;
  const real supply = -lesser(-least_supply(at, c, law, &water), (real)((element)-1e-30)); /* has a sign */
  DG_SHORE(c) = QN_CHOOSE(DG_SHORE(c), supply, -supply);
  return water;
}
