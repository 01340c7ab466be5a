/* The volume term over a bed. The pressure and the bed's slope are together depth times the slope of the surface: over
 * the volume that is added, and on the lateral faces, which have let out the old pressure, the entity's own is taken
 * off. Both sides of a face take the bed at the same points and times; a level surface is then balanced whatever the
 * bed, to rounding and by any quadrature. Where the bed is flat both together are the pressure, and momentum is
 * conserved. */

/* The deepest water at the points of a sub-quad at s = 0. */
QN_BODY real deepest_in(sub_quad q, QN_GLOBAL const element* bed, qn_index bed_stride, QN_PRIVATE const real* c) {
  real deepest = (real)((element)-1);
  QN_ROLLED
  for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
    real x, y, phi[DG_SPACE];
    (void)bottom_point(q, point, &x, &y);
    monomials(x, y, phi);
    const real depth = spatial_value(c, phi) - BED_AT(bed, point * bed_stride);
    deepest = QN_CHOOSE(depth - deepest, depth, deepest);
  }
  return deepest;
}

/* The slope in time of a polynomial at a point with these slopes of the monomials. */
QN_BODY void slope_in_time(QN_PRIVATE const real* c, QN_PRIVATE const real* along, real scale,
                           QN_PRIVATE real* in_time) {
  for (int k = 0; k < DG_TIMES; ++k) {
    real sum = (real)((element)0);
    for (int m = 1; m < DG_SPACE_OF(k); ++m) sum = QN_FMA(c[DG_BLOCK(k) + m], along[m], sum);
    in_time[k] = scale * sum;
  }
}

QN_BODY void add_bed_quad(dgcvs_update_arguments a, qn_index e, qn_index slot, real step, QN_PRIVATE const real* c,
                          QN_PRIVATE real* b) {
  const sub_quad q = sub_quad_of(a, e, slot);
  QN_GLOBAL const element* bed = bed_of(a, e, slot);
  const real inverse = QN_LOAD(a.inverse_length, e);
  QN_ROLLED
  for (int point = 0; point < DG_POINTS * DG_POINTS; ++point) {
    real x, y, phi[DG_SPACE], along_x[DG_SPACE], along_y[DG_SPACE];
    real in_time[LAW_VARIABLES * DG_TIMES], rise_x[DG_TIMES], rise_y[DG_TIMES];
    real moment_x[LAW_VARIABLES * DG_TIMES], moment_y[LAW_VARIABLES * DG_TIMES], source[LAW_VARIABLES * DG_TIMES];
    const real weight = bottom_point(q, point, &x, &y);
    monomials(x, y, phi);
    monomial_gradients(phi, along_x, along_y);
    for (int v = 0; v < LAW_VARIABLES; ++v) time_polynomial(c + v * DG_BASIS, phi, in_time + v * DG_TIMES);
    slope_in_time(c, along_x, inverse, rise_x);
    slope_in_time(c, along_y, inverse, rise_y);
    for (int k = 0; k < LAW_VARIABLES * DG_TIMES; ++k) moment_x[k] = moment_y[k] = source[k] = (real)((element)0);
    for (int t = 0; t < DG_POINTS; ++t) {
      const element s = gauss_node(DG_POINTS, t) - (element)1;
      real u[LAW_VALUES], f[LAW_VARIABLES], g[LAW_VARIABLES], gain[LAW_VARIABLES];
      for (int v = 0; v < LAW_VARIABLES; ++v) u[v] = at_time(in_time + v * DG_TIMES, s);
      PUT_BED(u, BED_AT(bed, point * a.bed_pitch), DG_SHORE(c));
      flux_by(water_of(u, a.law_parameters), u[LAW_VARIABLES + 1], (real)((element)0), f, g);
      law_source(u, at_time(rise_x, s), at_time(rise_y, s), a.law_parameters, gain);
      for (int k = 0; k < DG_TIMES; ++k) {
        const real power = (real)(time_weight(DG_POINTS, t, k)) * weight;
        const real by_step = power * step;
        const real by_time = power * (real)(a.tau);
        for (int v = 0; v < LAW_VARIABLES; ++v) {
          const int n = v * DG_TIMES + k;
          moment_x[n] = QN_FMA(f[v], by_step, moment_x[n]);
          moment_y[n] = QN_FMA(g[v], by_step, moment_y[n]);
          source[n] = QN_FMA(gain[v], by_time, source[n]);
        }
      }
    }
    for (int v = 0; v < LAW_VARIABLES; ++v) {
      for (int k = 0; k < DG_TIMES; ++k) {
        QN_PRIVATE real* own = b + v * DG_BASIS + DG_BLOCK(k);
        for (int m = 1; m < DG_SPACE_OF(k); ++m) {
          const real sum = QN_FMA(along_x[m], moment_x[v * DG_TIMES + k], own[m]);
          own[m] = QN_FMA(along_y[m], moment_y[v * DG_TIMES + k], sum);
        }
      }
      add_moments(phi, source + v * DG_TIMES, b + v * DG_BASIS);
    }
  }
}

/* Plus the pressure of c on the lateral face from (x0, y0) to (x1, y1). */
QN_BODY void add_own_pressure(dgcvs_update_arguments a, real x0, real y0, real x1, real y1, real step,
                              QN_GLOBAL const element* bed, real deepest, QN_PRIVATE const real* c,
                              QN_PRIVATE real* b) {
  QN_ROLLED
  for (int i = 0; i < DG_POINTS; ++i) {
    const real along = (real)(gauss_node(DG_POINTS, i));
    const real weight = (real)(gauss_weight(DG_POINTS, i));
    real phi[DG_SPACE], in_time[DG_TIMES], moment[DG_TIMES], through_x[DG_TIMES], through_y[DG_TIMES];
    real u[LAW_VALUES];
    monomials(QN_FMA(along, x1 - x0, x0), QN_FMA(along, y1 - y0, y0), phi);
    time_polynomial(c, phi, in_time);
    for (int k = 0; k < DG_TIMES; ++k) moment[k] = (real)((element)0);
    u[1] = u[2] = (real)((element)0);
    PUT_BED(u, BED_AT(bed, i * a.bed_pitch), DG_SHORE(c));
    for (int t = 0; t < DG_POINTS; ++t) {
      u[0] = at_time(in_time, gauss_node(DG_POINTS, t) - (element)1);
      const real pressure = QN_CHOOSE(-deepest, (real)((element)0), law_pressure(u, a.law_parameters));
      for (int k = 0; k < DG_TIMES; ++k) moment[k] = QN_FMA((real)(time_weight(DG_POINTS, t, k)), pressure, moment[k]);
    }
    for (int k = 0; k < DG_TIMES; ++k) {
      through_x[k] = weight * (step * (y1 - y0)) * moment[k];
      through_y[k] = weight * (step * (x0 - x1)) * moment[k];
    }
    add_moments(phi, through_x, b + DG_BASIS);
    add_moments(phi, through_y, b + 2 * DG_BASIS);
  }
}

QN_BODY void prefetch_volume(dgcvs_update_arguments a, qn_index e, qn_index first, qn_index every) {
  prefetch_rows(a.bed + e, a.bed_pitch, a.slots * DG_BED, first, every);
}

QN_BODY void add_volume(dgcvs_update_arguments a, qn_index e, real step, QN_PRIVATE const real* c, QN_PRIVATE real* b) {
  for (qn_index slot = 0; slot < a.slots; ++slot) {
    const sub_quad q = sub_quad_of(a, e, slot);
    const real deepest = QN_CHOOSE(DG_SHORE(c), deepest_in(q, bed_of(a, e, slot), a.bed_pitch, c), (real)((element)1));
    add_bed_quad(a, e, slot, step, c, b);
    for (int side = 0; side < 2; ++side) {
      add_own_pressure(a, side == 0 ? q.ax : q.bx, side == 0 ? q.ay : q.by, side == 0 ? q.bx : q.cx,
                       side == 0 ? q.by : q.cy, step, bed_of(a, e, slot) + (DG_POINTS + side) * DG_POINTS * a.bed_pitch,
                       deepest, c, b);
    }
  }
}
