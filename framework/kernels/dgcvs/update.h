/* One half step of DG-CVS for one entity: the right-hand side from the old entities around it, then a fixed
 * number of sweeps of the local space-time system (design: dg-cvs, sections 5 to 7).
 *
 * kernels/bodies.h tells what the includer defines; besides:
 *   ORDER           the polynomial degree, 0 to 4
 *   lanes, QN_LOAD_INDEX(p, k), QN_GATHER(p, index)   the indices of `real` values anywhere in an array
 *   QN_PREFETCH(p), QN_PREFETCH_AT(p, index)   where cores work on one `real` at a time: ask for what follows it
 *   QN_CHOOSE(x, a, b)   a where x >= 0, else b
 *   QN_ANY(x), QN_MIXED(x)   whether x >= 0 anywhere; whether that and not everywhere
 *   QN_LOAD_SIGN(p, k)   1 where the integers of a `real` are >= 0, else -1
 *   QN_IN_SEQUENCE(list, k)   entry k of a list of entities; in packs k itself: entities do not depend on each other,
 * so that their order is a hint, and gathering them from all over an array would only cost
 *   QN_UNROLL       in front of a loop over arrays that should live in registers
 *   QN_ROLLED       in front of one over arrays that cannot, which unrolled would only take long to compile
 *   dgcvs_update_arguments and a law, that is LAW_VARIABLES, law_flux, law_boundary and, where the flux is a multiple
 * of u^LAW_DEGREE, law_slope_x and law_slope_y */
#include "kernels/dgcvs/volume.h"

/* c = T^-1 b for one variable; both may be the same. `factor` is the inverse of the Cholesky factor of the spatial Gram
 * matrix, rows of its lower triangle: it makes the spatial basis orthonormal on the entity, where T falls apart into
 * one small universal matrix in time for each spatial member. */
QN_BODY void solve_local(QN_GLOBAL const element* factor, qn_index stride, QN_PRIVATE const real* b,
                         QN_PRIVATE real* c) {
  real orthonormal[DG_BASIS];
  QN_UNROLL
  for (int k = 0; k < DG_TIMES; ++k) {
    const int n = DG_BLOCK(k);
    QN_UNROLL
    for (int row = 0; row < DG_SPACE_OF(k); ++row) {
      const int at = row * (row + 1) / 2;
      real sum = QN_LOAD(factor, at * stride) * b[n];
      QN_UNROLL
      for (int m = 1; m <= row; ++m) sum = QN_FMA(QN_LOAD(factor, (at + m) * stride), b[n + m], sum);
      orthonormal[n + row] = sum;
    }
  }
  QN_UNROLL
  for (int k = 0; k < DG_TIMES; ++k) {
    const int n = DG_BLOCK(k);
    QN_UNROLL
    for (int degree = 0; degree <= ORDER - k; ++degree) {
      QN_UNROLL
      for (int j = 0; j <= degree; ++j) {
        const int m = degree * (degree + 1) / 2 + j;
        real sum = (real)(time_inverse(ORDER - degree + 1, k, 0)) * orthonormal[m];
        QN_UNROLL
        for (int l = 1; l <= ORDER - degree; ++l) {
          sum = QN_FMA((real)(time_inverse(ORDER - degree + 1, k, l)), orthonormal[DG_BLOCK(l) + m], sum);
        }
        c[n + m] = sum;
      }
    }
  }
  QN_UNROLL
  for (int k = 0; k < DG_TIMES; ++k) {
    const int n = DG_BLOCK(k);
    QN_UNROLL
    for (int m = 0; m < DG_SPACE_OF(k); ++m) {
      real sum = QN_LOAD(factor, (m * (m + 1) / 2 + m) * stride) * c[n + m];
      QN_UNROLL
      for (int row = m + 1; row < DG_SPACE_OF(k); ++row) {
        sum = QN_FMA(QN_LOAD(factor, (row * (row + 1) / 2 + m) * stride), c[n + row], sum);
      }
      c[n + m] = sum;
    }
  }
}

/* The polynomials of an old entity in the frame of entity e, whose side of it is at (x, y). */
QN_BODY void load_old(dgcvs_update_arguments a, lanes index, real ratio, real x, real y, QN_PRIVATE real* c) {
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) {
    QN_PREFETCH_AT(a.old + n * a.old_pitch, index);
    c[n] = QN_GATHER(a.old + n * a.old_pitch, index);
  }
#ifdef LAW_BED
  DG_SHORE(c) = QN_GATHER(a.old + LAW_VARIABLES * DG_BASIS * a.old_pitch, index);
#endif
  for (int v = 0; v < LAW_VARIABLES; ++v) into_frame(ratio, x, y, c + v * DG_BASIS);
}

/* Zeros for the parts that are to be done; for the others, what an earlier launch has left: without one there is no
 * array of it, and no address into it. */
QN_BODY void start_integrals(dgcvs_update_arguments a, qn_index e, qn_index parts, QN_PRIVATE real* b,
                             QN_PRIVATE real* sums) {
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) {
    b[n] = (parts & DG_LATERAL) != 0 ? (real)((element)0) : QN_LOAD(a.rhs, n * a.own_pitch + e);
  }
  for (int n = 0; n < DG_SUMS; ++n) {
    sums[n] = (parts & DG_BOTTOM) != 0 ? (real)((element)(n != LAW_VARIABLES * DG_SPACE ? 0 : 1e30))
                                       : QN_LOAD(a.rhs, (LAW_VARIABLES * DG_BASIS + n) * a.own_pitch + e);
  }
}

/* Adds the lateral fluxes of the old solution to b and its integrals over the bottom to `sums`. */
QN_BODY void add_integrals(dgcvs_update_arguments a, qn_index e, real step, QN_PRIVATE real* b, QN_PRIVATE real* sums) {
  real c[DG_HELD];
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = sub_quad_of(a, e, slot);
    QN_GLOBAL const element* bed = bed_of(a, e, slot);
    load_old(a, QN_LOAD_INDEX(a.neighbour, slot * a.own_pitch + e), q.ratio, q.bx, q.by, c);
    if ((a.parts & DG_BOTTOM) != 0) add_bottom(q, bed, a.bed_pitch, c, a.law_parameters, sums);
    if ((a.parts & DG_LATERAL) == 0) continue;
#ifdef LAW_BED
    const real deepest = deepest_in(q, bed, a.bed_pitch, c);
#else
    const real deepest = (real)((element)0);
#endif
    for (int side = 0; side < 2; ++side) {
      add_lateral(side == 0 ? q.ax : q.bx, side == 0 ? q.ay : q.by, side == 0 ? q.bx : q.cx, side == 0 ? q.by : q.cy,
                  step, bed + (DG_POINTS + side) * DG_POINTS * a.bed_pitch, a.bed_pitch, deepest, c, a.law_parameters,
                  b);
    }
  }
}

/* Leaves both for a later launch. */
QN_BODY void store_integrals(dgcvs_update_arguments a, qn_index e, QN_PRIVATE const real* b,
                             QN_PRIVATE const real* sums) {
  QN_GLOBAL element* rhs = a.rhs + e;
  if ((a.parts & (DG_LATERAL | DG_JOIN)) != 0) {
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(rhs, n * a.own_pitch, b[n]);
  }
  rhs += LAW_VARIABLES * DG_BASIS * a.own_pitch;
  if ((a.parts & DG_BOTTOM) != 0) {
    for (int n = 0; n < DG_SUMS; ++n) QN_STORE(rhs, n * a.own_pitch, sums[n]);
  }
}

/* Where a lane of a launch finds its entity. */
QN_BODY qn_index entity_of(dgcvs_update_arguments a, qn_index lane) {
  return (a.remapping & DG_BY_SEQUENCE) != 0 ? QN_IN_SEQUENCE(a.sequence, lane) : lane;
}

/* Where the arrays of faces have entity e, and, >= 0, whether it has any. */
QN_BODY qn_index face_lane_of(dgcvs_update_arguments a, qn_index e) {
  if ((a.remapping & DG_BY_FACE_LANE) == 0) return e - a.first_lane;
  return a.face_lane[e] < 0 ? -1 - a.face_lane[e] : a.face_lane[e];
}
QN_BODY real has_faces(dgcvs_update_arguments a, qn_index e) {
  return (a.remapping & DG_BY_FACE_LANE) == 0 ? (real)((element)1) : QN_LOAD_SIGN(a.face_lane, e);
}
/* A condition, not a number: where all lanes of a device agree it then costs them no registers. */
#define DG_IMPLICIT(a, faces) ((a).implicit != 0 && QN_ANY(faces))

/* The boundary fluxes of the polynomial c, or, where they are explicit, of the old ones behind the faces. A zero's sign
 * tells whether zero was added to it: where there are no faces, nothing may be. */
QN_BODY void add_faces(dgcvs_update_arguments a, qn_index e, real faces, real step, QN_PRIVATE const real* c,
                       QN_PRIVATE real* b) {
  real behind[DG_HELD], before[LAW_VARIABLES * DG_BASIS];
  const qn_index stride = a.face_pitch;
  const qn_index lane = face_lane_of(a, e);
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) before[n] = b[n];
  for (qn_index k = 0; k < a.faces; ++k) {
    QN_GLOBAL const element* face = a.face + k * DG_FACE * stride + lane;
    QN_GLOBAL const element* outside = a.outside + k * DG_POINTS * DG_POINTS * LAW_VARIABLES * stride + lane;
    if (a.implicit == 0) {
      load_old(a, QN_LOAD_INDEX(a.behind, k * stride + lane), QN_LOAD(face, 6 * stride), QN_LOAD(face, 4 * stride),
               QN_LOAD(face, 5 * stride), behind);
    }
#ifdef LAW_BED
    QN_GLOBAL const element* bed = a.face_bed + k * DG_POINTS * stride + lane;
#else
    QN_GLOBAL const element* bed = outside; /* never looked at */
#endif
    add_boundary(face, stride, outside, step, bed, a.implicit == 0 ? behind : c,
                 a.implicit == 0 ? (element)0 : -(element)1, a.law_parameters, b);
  }
  if (QN_MIXED(faces)) {
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) b[n] = QN_CHOOSE(faces, b[n], before[n]);
  }
}

/* The first sweep brings the integral of the new polynomial to its value, where it stays: conservation is exact. Then
 * the sweeps of an implicit boundary flux multiply errors by factors near [-1.6, 0] at the recommended time steps, so
 * that plain ones would stall or grow. These four weights, over and over, are Chebyshev's for that range: errors fall
 * by 0.28 to 0.43 a sweep for orders 1 to 4, at sides and corners. */
QN_BODY element boundary_relaxation(qn_index sweep) {
  const double weights[4] = {0.3938, 0.9426, 0.4748, 0.6694};
  return (element)weights[sweep % 4];
}

/* What becomes of the iterate c of an entity with an implicit boundary by what a sweep has given. Entities that have
 * none and go with it do their own sweeps and keep what they have. */
QN_BODY real relaxed(dgcvs_update_arguments a, real faces, qn_index sweep, real given, real c) {
  const real next = sweep > 0 ? QN_FMA((real)(boundary_relaxation(sweep)), given - c, c) : given;
  return QN_CHOOSE(faces, next, sweep < a.sweeps ? given : c);
}

/* Where the local solve starts: the previous polynomials a whole step later, or the old mean over the bottom. */
QN_BODY void start_polynomials(dgcvs_update_arguments a, qn_index e, QN_PRIVATE const real* sums, QN_PRIVATE real* c) {
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) {
    c[n] = a.from_mean == 0 ? QN_LOAD(a.own, n * a.own_pitch + e) : (real)((element)0);
  }
  for (int v = 0; v < LAW_VARIABLES; ++v) {
    if (a.from_mean == 0) {
      shift_in_time(c + v * DG_BASIS);
    } else { /* the factor's first entry squared is one over the area */
      const real root = QN_LOAD(a.factor, shape_lane(a, e));
      c[v * DG_BASIS] = root * root * sums[v * DG_SPACE];
    }
  }
#ifdef LAW_BED /* what was at a shore had velocities: from the mean then */
  const real one = (real)((element)1);
  const real shore = a.from_mean == 0 ? QN_LOAD(a.own, LAW_VARIABLES * DG_BASIS * a.own_pitch + e) : -one;
  const real root = QN_LOAD(a.factor, shape_lane(a, e));
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) {
    const real mean = n % DG_BASIS == 0 ? root * root * sums[n / DG_BASIS * DG_SPACE] : (real)((element)0);
    c[n] = QN_CHOOSE(shore, mean, c[n]);
  }
  DG_SHORE(c) = -one;
#endif
}

/* A CPU cannot hide that an entity starts with hundreds of rows that no other one reads: each sweep asks for its share
 * of the next entity's. */
QN_BODY void prefetch_next(dgcvs_update_arguments a, qn_index e, qn_index sweep, qn_index sweeps) {
  prefetch_rows(a.own + e, a.own_pitch, LAW_VARIABLES * DG_BASIS, sweep, sweeps);
  if (a.shape_mask >= 0) return; /* those of a few entities stay in the cache */
  prefetch_rows(a.geometry + shape_lane(a, e), a.geometry_pitch, a.slots * DG_GEOMETRY, sweep, sweeps);
  prefetch_rows(a.factor + shape_lane(a, e), a.factor_pitch, DG_SPACE * (DG_SPACE + 1) / 2, sweep, sweeps);
  prefetch_volume(a, e, sweep, sweeps);
}

#ifdef LAW_BED
#include "kernels/dgcvs/shore.h"
#endif

QN_BODY void dgcvs_update_point(dgcvs_update_arguments a, qn_index lane) {
  const qn_index e = entity_of(a, lane);
  const real faces = has_faces(a, e);
  const qn_index sweeps = a.implicit == 0 ? a.sweeps : a.boundary_sweeps;
  real b[LAW_VARIABLES * DG_BASIS], c[DG_HELD], r[LAW_VARIABLES * DG_BASIS];
  real sums[DG_SUMS];
  const real step = (real)(a.tau) * QN_LOAD(a.inverse_length, e);
  start_integrals(a, e, a.parts, b, sums);
  if ((a.parts & (DG_LATERAL | DG_BOTTOM)) != 0) add_integrals(a, e, step, b, sums);
  if ((a.parts & DG_JOIN) != 0) {
    spread_bottom(sums, b);
    if (a.implicit == 0 && QN_ANY(faces)) add_faces(a, e, faces, step, b, b);
  }
  if ((a.parts & DG_SOLVE) == 0) {
    store_integrals(a, e, b, sums);
    return;
  }
  start_polynomials(a, e, sums, c);
#ifdef LAW_BED
  ground own = ground_under(a, e, b, sums);
  real still[DG_HELD], whole[LAW_VARIABLES];
  for (int v = 0; v < LAW_VARIABLES; ++v) whole[v] = b[v * DG_BASIS];
#endif
  for (qn_index sweep = 0;; ++sweep) {
#ifdef LAW_BED
    settle(a, e, own, whole, c);
#endif
    if (sweep >= sweeps || (sweep >= a.sweeps && !DG_IMPLICIT(a, faces))) break;
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) r[n] = b[n];
    prefetch_next(a, e, sweep, sweeps);
#ifdef LAW_BED
    hold_still(own, c, still);
    add_volume(a, e, step, still, r);
#else
    add_volume(a, e, step, c, r);
#endif
    if (DG_IMPLICIT(a, faces)) add_faces(a, e, faces, step, c, r);
#ifdef LAW_BED
    for (int v = 0; v < LAW_VARIABLES; ++v)
      whole[v] = sweep < a.sweeps ? r[v * DG_BASIS] : QN_CHOOSE(faces, r[v * DG_BASIS], whole[v]);
#endif
    for (int v = 0; v < LAW_VARIABLES; ++v)
      solve_local(a.factor + shape_lane(a, e), a.factor_pitch, r + v * DG_BASIS, r + v * DG_BASIS);
    for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n)
      c[n] = DG_IMPLICIT(a, faces) ? relaxed(a, faces, sweep, r[n], c[n]) : r[n];
#ifdef LAW_BED
    /* every second look costs half of them all, and comes in time */
    if (DG_TIMES == 1 || sweep % 2 == 1) own.shore = at_shore(a, e, own, c);
#endif
  }
#ifdef LAW_BED
  finish(a, e, own, step, c);
#endif
  for (int n = 0; n < LAW_VARIABLES * DG_BASIS; ++n) QN_STORE(a.own, n * a.own_pitch + e, c[n]);
}
