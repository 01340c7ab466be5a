/* The limiter for shocks: a weighted average of the planes through an entity's mean and those of two neighbours each
 * (design: dg-cvs, section 15). It replaces the polynomials that miss the old ones at the bottom by more than a
 * threshold; the mean stays, so that conservation does. */
#include "kernels/dgcvs/newton.h"

QN_BODY real magnitude(real x) { return QN_CHOOSE(x, x, -x); }
QN_BODY real larger(real x, real y) { return QN_CHOOSE(x - y, x, y); }

/* The centroid of a region in the frame of entity e, and the means over it at that entity's time. */
typedef struct {
  real x, y, mean[LAW_VARIABLES];
} region_mean;

QN_BODY region_mean own_mean(dgcvs_limit_arguments a, qn_index e) {
  region_mean r;
  const real area = QN_LOAD(a.moments, e);
  r.x = QN_LOAD(a.moments, DG_MEMBER(1, 0) * a.own_pitch + e) / area;
  r.y = QN_LOAD(a.moments, DG_MEMBER(1, 1) * a.own_pitch + e) / area;
  QN_UNROLL
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    QN_GLOBAL const element* c = a.own + v * DG_BASIS * a.own_pitch + e;
    real sum = (real)((element)0);
    for (int m = 0; m < DG_SPACE; ++m) {
      sum = QN_FMA(QN_LOAD(c, m * a.own_pitch), QN_LOAD(a.moments, m * a.own_pitch + e), sum);
    }
    r.mean[v] = sum / area;
  }
  return r;
}

/* That of a slot's old entity at s = 1, which is the new time. An unused slot has the one in `unused`. */
QN_BODY region_mean old_mean(dgcvs_limit_arguments a, qn_index e, qn_index slot, region_mean own, region_mean unused) {
  region_mean r;
  const lanes index = QN_LOAD_INDEX(a.neighbour, slot * a.own_pitch + e);
  QN_GLOBAL const element* geometry = a.geometry + slot * DG_GEOMETRY * a.own_pitch + e;
  const real ratio = QN_LOAD(geometry, 6 * a.own_pitch);
  const real area = QN_GATHER(a.old_moments, index);
  const real scale = area * ratio;
  r.x = QN_LOAD(geometry, 2 * a.own_pitch) + QN_GATHER(a.old_moments + DG_MEMBER(1, 0) * a.old_pitch, index) / scale;
  r.y = QN_LOAD(geometry, 3 * a.own_pitch) + QN_GATHER(a.old_moments + DG_MEMBER(1, 1) * a.old_pitch, index) / scale;
  r.x = QN_CHOOSE(-ratio, unused.x, r.x);
  r.y = QN_CHOOSE(-ratio, unused.y, r.y);
  QN_UNROLL
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    QN_GLOBAL const element* c = a.old + v * DG_BASIS * a.old_pitch;
    real sum = (real)((element)0);
    for (int k = 0; k < DG_TIMES; ++k) {
      for (int m = 0; m < DG_SPACE_OF(k); ++m) {
        sum = QN_FMA(QN_GATHER(c + (DG_BLOCK(k) + m) * a.old_pitch, index),
                     QN_GATHER(a.old_moments + m * a.old_pitch, index), sum);
      }
    }
    r.mean[v] = QN_CHOOSE(-ratio, unused.mean[v], sum / area);
  }
#ifdef LAW_BED /* at a shore an entity has velocity, and where it is dry no surface */
  QN_GLOBAL const element* behind = a.old + LAW_VARIABLES * DG_BASIS * a.old_pitch;
  const real shore = QN_CHOOSE(-ratio, (real)((element)-1), QN_GATHER(behind, index));
  const real depth = QN_GATHER(behind + a.old_pitch, index);
  const real surface = QN_CHOOSE(-depth, own.mean[0], r.mean[0]);
  r.mean[0] = QN_CHOOSE(shore, surface, r.mean[0]);
  for (int v = 1; v < LAW_VARIABLES; ++v) r.mean[v] = QN_CHOOSE(shore, depth * r.mean[v], r.mean[v]);
#else
  (void)own;
#endif
  return r;
}

/* The gradients of the planes through an entity and two of its neighbours, counter-clockwise; zeros, and no weight,
 * where these span no angle, or one beyond 180 degrees, as the last and the first do at a boundary. */
typedef struct {
  real x[LAW_VARIABLES], y[LAW_VARIABLES], spanned;
} plane;

QN_BODY plane plane_through(region_mean own, region_mean first, region_mean second) {
  plane p;
  const real x1 = first.x - own.x;
  const real y1 = first.y - own.y;
  const real x2 = second.x - own.x;
  const real y2 = second.y - own.y;
  const real area = QN_FMA(x1, y2, -(x2 * y1));
  p.spanned = area - (real)((element)1e-6); /* of lengths that are about 1 */
  QN_UNROLL
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    const real rise1 = first.mean[v] - own.mean[v];
    const real rise2 = second.mean[v] - own.mean[v];
    p.x[v] = QN_CHOOSE(p.spanned, QN_FMA(rise1, y2, -(rise2 * y1)) / area, (real)((element)0));
    p.y[v] = QN_CHOOSE(p.spanned, QN_FMA(x1, rise2, -(x2 * rise1)) / area, (real)((element)0));
  }
  return p;
}

QN_BODY real square_of(real x, real y) { return QN_FMA(x, x, y * y); }

/* What a plane with this gradient, and that angle spanned, adds to the sums of its variable: its weight, one over its
 * square relative to the `largest`, and its weighted gradient. */
QN_BODY void add_plane(real spanned, real x, real y, real largest, QN_PRIVATE real* sums) {
  const real least = QN_FMA((real)((element)1e-10), largest, (real)((element)1e-30));
  const real weight = QN_CHOOSE(spanned, (real)((element)1) / (square_of(x, y) + least), (real)((element)0));
  sums[0] = sums[0] + weight;
  sums[1] = QN_FMA(weight, x, sums[1]);
  sums[2] = QN_FMA(weight, y, sums[2]);
}

/* First finds the `largest` square of the planes' gradients, then, when `weighing`, each variable's sums. The means of
 * as many slots as most entities have are kept from the first time. */
#define LIMIT_KEPT 6
QN_BODY void visit_planes(dgcvs_limit_arguments a, qn_index e, region_mean own, int weighing,
                          QN_PRIVATE region_mean* kept, QN_PRIVATE real* largest, QN_PRIVATE real* sums) {
  if (!weighing) kept[0] = old_mean(a, e, 0, own, own);
  region_mean at = kept[0];
  for (qn_index slot = 1; slot <= a.slots; ++slot) {
    region_mean next;
    if (slot == a.slots) {
      next = kept[0];
    } else if (weighing && slot < LIMIT_KEPT) {
      next = kept[slot];
    } else {
      next = old_mean(a, e, slot, own, kept[0]);
    }
    if (!weighing && slot < LIMIT_KEPT) kept[slot] = next;
    const plane p = plane_through(own, at, next);
    for (int v = 0; v < LAW_VARIABLES; ++v) {
      if (weighing)
        add_plane(p.spanned, p.x[v], p.y[v], largest[v], sums + 3 * v);
      else
        largest[v] = larger(square_of(p.x[v], p.y[v]), largest[v]);
    }
    at = next;
  }
}

/* Coefficient m of the first variable at the bottom. */
QN_BODY real at_bottom(dgcvs_limit_arguments a, qn_index e, int m) {
  real sum = QN_LOAD(a.own, m * a.own_pitch + e);
  for (int k = 1; k < DG_TIMES; ++k) {
    if (m < DG_SPACE_OF(k)) {
      const real c = QN_LOAD(a.own, (DG_BLOCK(k) + m) * a.own_pitch + e);
      sum = k % 2 == 0 ? sum + c : sum - c;
    }
  }
  return sum;
}

/* By how much the polynomials there, `is` now and `was` before, miss each other at a point of a slot, whose area is
 * `weight`, and the larger of their values. */
typedef struct {
  real weight, jump, largest;
} bottom_jump;

QN_BODY bottom_jump jump_at(dgcvs_limit_arguments a, qn_index e, qn_index slot, sub_quad q, quad_row r, int row,
                            int column, QN_PRIVATE const real* is_below, QN_PRIVATE const real* was_below) {
  real phi[DG_SPACE], x, y;
  bottom_jump at;
  at.weight = quad_point(q, r, DG_POINTS, row, column, &x, &y);
  monomials(x, y, phi);
  const real is = spatial_value(is_below, phi);
  monomials(q.ratio * (x - q.bx), q.ratio * (y - q.by), phi);
  const real was = spatial_value(was_below, phi);
  at.jump = magnitude(is - was);
#ifdef LAW_BED /* surfaces may be at any height */
  const real height = BED_AT(a.bed + e, (slot * DG_BED + row * DG_POINTS + column) * a.own_pitch);
  at.largest = larger(is - height, was - height);
#else
  (void)a, (void)e, (void)slot;
  at.largest = larger(magnitude(is), magnitude(was));
#endif
  return at;
}

/* Not below zero where the first variable jumps at the bottom: the mean of the difference between the new and the old
 * polynomials there, less the threshold times the largest value. */
QN_BODY real excess_jump(dgcvs_limit_arguments a, qn_index e) {
  real below[DG_SPACE], old[DG_SPACE];
  real jump = (real)((element)0);
  real area = (real)((element)0);
  real largest = (real)((element)0);
  for (int m = 0; m < DG_SPACE; ++m) below[m] = at_bottom(a, e, m);
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = load_sub_quad(a.geometry + slot * DG_GEOMETRY * a.own_pitch + e, a.own_pitch);
    const lanes index = QN_LOAD_INDEX(a.neighbour, slot * a.own_pitch + e);
    for (int m = 0; m < DG_SPACE; ++m) old[m] = QN_GATHER(a.old + m * a.old_pitch, index);
    for (int row = 0; row < DG_POINTS; ++row) {
      const quad_row r = row_of(q, DG_POINTS, row);
      for (int column = 0; column < DG_POINTS; ++column) {
        const bottom_jump at = jump_at(a, e, slot, q, r, row, column, below, old);
        jump = QN_FMA(at.weight, at.jump, jump);
        area = area + at.weight;
        largest = larger(at.largest, largest);
      }
    }
  }
  return QN_FMA(-QN_LOAD(a.threshold, e) * area, largest, jump);
}

/* What a state with these slopes gains in half a step. */
QN_BODY void gain_of(dgcvs_limit_arguments a, qn_index e, region_mean own, QN_PRIVATE const real* slope_x,
                     QN_PRIVATE const real* slope_y, QN_PRIVATE real* gain) {
  const real inverse = QN_LOAD(a.inverse_length, e);
#ifdef LAW_BED
  real u[LAW_VALUES], along_x[LAW_VALUES], along_y[LAW_VALUES];
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    u[v] = own.mean[v];
    along_x[v] = inverse * slope_x[v];
    along_y[v] = inverse * slope_y[v];
  }
  PUT_BED(u, QN_LOAD(a.bed_slope, e), (real)((element)-1));
  PUT_BED(along_x, QN_LOAD(a.bed_slope, a.own_pitch + e), (real)((element)0));
  PUT_BED(along_y, QN_LOAD(a.bed_slope, 2 * a.own_pitch + e), (real)((element)0));
  law_rate(u, along_x, along_y, a.law_parameters, gain);
  for (int v = 0; v < LAW_VARIABLES; ++v) gain[v] = (real)(a.tau) * gain[v];
#else
  const real step = (real)(a.tau) * inverse;
  law_rate(own.mean, slope_x, slope_y, a.law_parameters, gain);
  for (int v = 0; v < LAW_VARIABLES; ++v) gain[v] = step * gain[v];
#endif
}

/* Coefficient n of the plane with this slope and `mean` at (x, y), which gains so much in half a step. */
QN_BODY real limited(real x, real y, real mean, real slope_x, real slope_y, real gain, int n) {
  if (n == 0) return QN_FMA(-slope_x, x, QN_FMA(-slope_y, y, mean));
  if (n == DG_MEMBER(1, 0)) return slope_x;
  if (n == DG_MEMBER(1, 1)) return slope_y;
  if (n == DG_BLOCK(1)) return gain;
  return (real)((element)0);
}

QN_BODY void dgcvs_limit_point(dgcvs_limit_arguments a, qn_index e) {
  real largest[LAW_VARIABLES], sums[3 * LAW_VARIABLES], slope_x[LAW_VARIABLES], slope_y[LAW_VARIABLES];
  real gain[LAW_VARIABLES]; /* in half a step */
  region_mean kept[LIMIT_KEPT];
  const region_mean own = own_mean(a, e);
#ifdef LAW_BED
  real c[DG_HELD];
  QN_GLOBAL element* behind = a.own + LAW_VARIABLES * DG_BASIS * a.own_pitch + e;
  DG_SHORE(c) = QN_LOAD(behind, 0);
  const real jumps = QN_CHOOSE(DG_SHORE(c), (real)((element)-1), excess_jump(a, e));
#else
  const real jumps = excess_jump(a, e);
#endif
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    largest[v] = (real)((element)0);
    for (int k = 0; k < 3; ++k) sums[3 * v + k] = (real)((element)0);
  }
  visit_planes(a, e, own, 0, kept, largest, sums);
  visit_planes(a, e, own, 1, kept, largest, sums);
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    slope_x[v] = QN_CHOOSE(-sums[3 * v], (real)((element)0), sums[3 * v + 1] / sums[3 * v]);
    slope_y[v] = QN_CHOOSE(-sums[3 * v], (real)((element)0), sums[3 * v + 2] / sums[3 * v]);
  }
  gain_of(a, e, own, slope_x, slope_y, gain);
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    for (int n = 0; n < DG_BASIS; ++n) {
      QN_GLOBAL element* place = a.own + (v * DG_BASIS + n) * a.own_pitch + e;
      const real next =
          QN_CHOOSE(jumps, limited(own.x, own.y, own.mean[v], slope_x[v], slope_y[v], gain[v], n), QN_LOAD(place, 0));
#ifdef LAW_BED
      c[v * DG_BASIS + n] = next;
#else
      QN_STORE(place, 0, next);
#endif
    }
  }
#ifdef LAW_BED
  water_place at;
  at.geometry = a.geometry + e;
  at.bed = a.bed + e;
  at.slots = a.slots;
  at.geometry_stride = at.bed_stride = a.own_pitch;
  at.step = (real)(a.tau) * QN_LOAD(a.inverse_length, e);
  const real water = keep_water(at, own.mean, own.mean[0] - QN_LOAD(a.bed_slope, e), a.law_parameters, c);
  QN_STORE(behind, 0, DG_SHORE(c));
  QN_STORE(behind, a.own_pitch, water / QN_LOAD(a.moments, e));
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(a.own, n * a.own_pitch + e, c[n]);
#endif
}
