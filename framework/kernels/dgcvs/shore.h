/* Where water over a bed ends, or nearly does: an entity of which some place has less than a quarter of the mean depth
 * over its old water, or would have under a level surface, where friction is stiff, or where the sweeps come to a speed
 * that the old water has not, as they do where fast and thin water meets a wall. There the surface is a plane
 * with the slope of the old water, as high as the new water fills the ground, and one velocity goes with it; the sweeps
 * give it the forces at its faces. Everywhere else keep_water() sees to it that no place falls below a quarter of the
 * mean depth in the next half step, and that no sub-quad gives away more than it has: what the next entities are made
 * of, so that their mean depth is not below 0. */

#include "kernels/dgcvs/keep.h"

typedef struct {
  real water, fastest;                        /* the old one's integral, and what speed it may come to */
  real tilt_x, tilt_y;                        /* of its surface */
  real area, volume, highest;                 /* of the ground, up to height 0, and its points at the bottom */
  real tilted_volume, lowest, tilted_highest; /* where heights are those above the tilted surface */
  real shore;                                 /* >= 0: the entity is at a shore */
} ground;

/* By least squares, each place by its depth. A strip of water has no slope across. */
QN_BODY void fit_plane(QN_PRIVATE const real* fit, QN_PRIVATE ground* own) {
  const real one = (real)((element)1);
  const real some = fit[0] - (real)((element)1e-30);
  const real inverse = QN_CHOOSE(some, one / QN_CHOOSE(some, fit[0], one), (real)((element)0));
  const real x = inverse * fit[1];
  const real y = inverse * fit[2];
  const real strip = (real)((element)1e-3); /* of lengths that are about 1 */
  const real xx = QN_FMA(inverse, fit[3], QN_FMA(-x, x, strip));
  const real xy = QN_FMA(inverse, fit[4], -(x * y));
  const real yy = QN_FMA(inverse, fit[5], QN_FMA(-y, y, strip));
  const real whole = one / QN_FMA(xx, yy, -(xy * xy));
  const real mean = inverse * fit[6];
  const real along_x = QN_FMA(inverse, fit[7], -(mean * x));
  const real along_y = QN_FMA(inverse, fit[8], -(mean * y));
  own->tilt_x = whole * QN_FMA(along_x, yy, -(along_y * xy));
  own->tilt_y = whole * QN_FMA(along_y, xx, -(along_x * xy));
  own->water = fit[0];
}

QN_BODY real height_in(ground own, real height, real x, real y) {
  return QN_FMA(-own.tilt_x, x, QN_FMA(-own.tilt_y, y, height));
}

/* The share of momentum that friction takes in half a step at such a speed and depth. */
QN_BODY real drag_of(dgcvs_update_arguments a, real speed, real depth) {
  const real coefficient = (real)(a.tau * a.law_parameters[0] * a.law_parameters[2]);
  return coefficient * speed * friction_at(depth, a.law_parameters) / depth;
}

/* With the right-hand side, whose first row is the integral of the new surface. */
QN_BODY ground ground_under(dgcvs_update_arguments a, qn_index e, QN_PRIVATE const real* b,
                            QN_PRIVATE const real* sums) {
  ground own;
  fit_plane(sums + DG_LEAST + 2, &own);
  own.fastest = sums[DG_LEAST + 1];
  own.area = own.volume = own.tilted_volume = (real)((element)0);
  own.lowest = (real)((element)1e30);
  own.highest = own.tilted_highest = (real)((element)-1e30);
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = sub_quad_of(a, e, slot);
    QN_GLOBAL const element* bed = bed_of(a, e, slot);
    QN_ROLLED
    for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
      real x, y;
      const real weight = bottom_point(q, point, &x, &y);
      const real ground_height = BED_AT(bed, point * a.bed_pitch);
      const real height = height_in(own, ground_height, x, y);
      own.area = own.area + weight;
      own.volume = QN_FMA(weight, ground_height, own.volume);
      own.tilted_volume = QN_FMA(weight, height, own.tilted_volume);
      own.lowest = QN_CHOOSE(-q.ratio, own.lowest, lesser(own.lowest, height));
      own.highest = QN_CHOOSE(-q.ratio, own.highest, -lesser(-own.highest, -ground_height));
      own.tilted_highest = QN_CHOOSE(-q.ratio, own.tilted_highest, -lesser(-own.tilted_highest, -height));
    }
  }
  const real depth = (b[0] - own.volume) / own.area;
  const real least = lesser(sums[DG_LEAST], b[0] / own.area - own.highest);
  own.shore = QN_FMA((real)((element)0.25), depth, -least);
  if (a.law_parameters[2] != (element)0) { /* friction that would stop the water within the half step */
    const real thin = (real)(a.law_parameters[1]);
    const real deep = QN_CHOOSE(depth - thin, depth, thin);
    const real drag = drag_of(a, own.fastest, deep) - (real)((element)0.5);
    own.shore = QN_CHOOSE(drag, drag, own.shore);
  }
  return own;
}

/* The height up to which so much water fills an entity: Newton's method from above, on a function that is convex and
 * straight between the heights of the points. A point that the water leaves stays dry. The area that is not comes
 * with it. */
QN_BODY real fill(dgcvs_update_arguments a, qn_index e, ground own, real water, QN_PRIVATE real* wetted) {
  real level = (own.tilted_volume + water) / own.area;
  level = -lesser(-level, -own.tilted_highest);
  for (qn_index pass = 0; pass <= a.slots * DG_POINTS * DG_POINTS; ++pass) {
    real area = (real)((element)0);
    real sum = water;
    for (qn_index slot = 0; slot < a.slots; ++slot) {
      const sub_quad q = sub_quad_of(a, e, slot);
      QN_GLOBAL const element* bed = bed_of(a, e, slot);
      QN_ROLLED
      for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
        real x, y;
        const real weight = bottom_point(q, point, &x, &y);
        const real height = height_in(own, BED_AT(bed, point * a.bed_pitch), x, y);
        const real wet = QN_CHOOSE(level - height, weight, (real)((element)0));
        area = area + wet;
        sum = QN_FMA(wet, height, sum);
      }
    }
    const real next = QN_CHOOSE(-area, level, sum / area);
    *wetted = area;
    const real falls = QN_CHOOSE(next - level, (real)((element)-1), (real)((element)1));
    level = lesser(level, next);
    if (!QN_ANY(falls)) break;
  }
  return -lesser(-level, -own.lowest);
}

QN_BODY real within(real bound, real x) { return -lesser(bound, -lesser(bound, x)); }

/* The polynomials of an entity at a shore, from the integrals of surface and momentum: those of momentum are of
 * velocity there. Friction slows it by what it does at the end of the half step. The surface goes on to change at its
 * mean rate. */
QN_BODY void settle(dgcvs_update_arguments a, qn_index e, ground own, QN_PRIVATE const real* whole,
                    QN_PRIVATE real* c) {
  if (!QN_ANY(own.shore)) return;
  const real none = (real)((element)0);
  const real one = (real)((element)1);
  const real thin = (real)(a.law_parameters[1]);
  /* what rounding leaves is no water, and where there is none no place of a face or of a picture has any */
  const real left = whole[0] - own.volume;
  const real size = QN_CHOOSE(own.volume, own.volume, -own.volume) + left;
  const real some = QN_FMA((real)((element)-1e-14), size, left);
  const real water = QN_CHOOSE(some, QN_CHOOSE(left, left, none), none);
  real wetted = own.area;
  const real full = fill(a, e, own, water, &wetted);
  const real dry = QN_CHOOSE(thin - water / own.area, one, -one);
  const real share = QN_CHOOSE(dry, none, one / QN_CHOOSE(dry, one, water)); /* of momentum, to make velocity */
  const real deep = QN_CHOOSE(dry, one, water / wetted);
  const real made = share * QN_SQRT(QN_FMA(whole[1], whole[1], whole[2] * whole[2]));
  const real speed = lesser(made, own.fastest);
  const real drag = drag_of(a, speed, deep);
  const real slowed = (one + one) / (one + QN_SQRT(QN_FMA((real)((element)4), drag, one)));
  const real slower = slowed * QN_CHOOSE(own.fastest - made, share, share * (own.fastest / made));
  const real gain = QN_CHOOSE(dry, none, within((real)((element)0.25) * deep, (water - own.water) / wetted));
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) {
    real kept = none;
    if (n == 0) kept = QN_CHOOSE(-water, own.lowest - (real)((element)1e6), full);
    if (DG_TIMES > 1) {
      if (n == DG_MEMBER(1, 0)) kept = QN_CHOOSE(-water, none, own.tilt_x);
      if (n == DG_MEMBER(1, 1)) kept = QN_CHOOSE(-water, none, own.tilt_y);
      if (n == DG_BLOCK(1)) kept = gain;
    }
    if (n == DG_BASIS) kept = slower * whole[1];
    if (n == 2 * DG_BASIS) kept = slower * whole[2];
    c[n] = QN_CHOOSE(own.shore, kept, c[n]);
  }
  DG_SHORE(c) = QN_CHOOSE(own.shore, one, -one);
}

/* Whether (>= 0) an entity is at a shore, or has some place at the end of the half step that is faster than the old
 * water can come to be. */
QN_BODY real at_shore(dgcvs_update_arguments a, qn_index e, ground own, QN_PRIVATE const real* c) {
  const real thin = (real)(a.law_parameters[1]);
  real shore = own.shore;
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = sub_quad_of(a, e, slot);
    QN_GLOBAL const element* bed = bed_of(a, e, slot);
    real most = (real)((element)-1);
    QN_ROLLED
    for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
      real x, y, phi[DG_SPACE];
      (void)bottom_point(q, point, &x, &y);
      monomials(x, y, phi);
      const real depth = spatial_value(c, phi) - BED_AT(bed, point * a.bed_pitch);
      const real along_x = spatial_value(c + DG_BASIS, phi);
      const real along_y = spatial_value(c + 2 * DG_BASIS, phi);
      const real bound = own.fastest * QN_CHOOSE(depth - thin, depth, thin);
      const real spare = QN_FMA(bound, bound, -QN_FMA(along_x, along_x, along_y * along_y));
      most = QN_CHOOSE(spare, most, (real)((element)1)); /* or it is not a number */
    }
    shore = QN_CHOOSE(-q.ratio, shore, QN_CHOOSE(most, most, shore));
  }
  return shore;
}

/* Polynomials without momentum at a shore, so that friction comes once. */
QN_BODY void hold_still(ground own, QN_PRIVATE const real* c, QN_PRIVATE real* still) {
  for (int n = 0; n < DG_HELD; ++n) {
    const int moves = n >= DG_BASIS && n < LAW_VARIABLES * DG_BASIS;
    still[n] = moves ? QN_CHOOSE(own.shore, (real)((element)0), c[n]) : c[n];
  }
}

/* Keeps water, and leaves behind the polynomials what an entity has there. */
QN_BODY void finish(dgcvs_update_arguments a, qn_index e, ground own, real step, QN_PRIVATE real* c) {
  QN_GLOBAL const element* moments = a.moments + shape_lane(a, e);
  QN_GLOBAL element* behind = a.own + LAW_VARIABLES * DG_BASIS * a.own_pitch + e;
  water_place at;
  real mean[LAW_VARIABLES];
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    real sum = (real)((element)0);
    for (int m = 0; m < DG_SPACE; ++m) sum = QN_FMA(QN_LOAD(moments, m * a.moments_pitch), c[v * DG_BASIS + m], sum);
    mean[v] = sum / own.area;
  }
  at.geometry = a.geometry + shape_lane(a, e);
  at.bed = a.bed + e;
  at.slots = a.slots;
  at.geometry_stride = a.geometry_pitch;
  at.bed_stride = a.bed_pitch;
  at.step = step;
  const real water = keep_water(at, mean, mean[0] - own.volume / own.area, a.law_parameters, c);
  QN_STORE(behind, 0, DG_SHORE(c));
  QN_STORE(behind, a.own_pitch, water / own.area);
}
