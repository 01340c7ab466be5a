/* Shallow water over a bed: the surface h + b, hu, hv; a state has the bed b behind them, and the share of its flow
 * that there is water for: below 0, but where an entity at a shore holds u and v in place of hu and hv. law[0] =
 * gravity, law[1] = a depth below which water comes to rest, law[2] = friction, Manning's coefficient squared or, below
 * 0, minus one over Chezy's squared, law[3] = rain, depth a unit of time. */
#undef LAW_VARIABLES
#undef LAW_DEGREE
#undef LAW_BED
#define LAW_VARIABLES 3
#define LAW_BED

typedef struct {
  real depth, velocity_x, velocity_y;
} water;

/* No water where the bed is higher than the surface. Velocities as they are, but in water so thin that they would be a
 * quotient of roundings. */
QN_BODY water water_of(QN_PRIVATE const real* u, QN_GLOBAL const element* law) {
  const real above = u[0] - u[3];
  const real none = (real)((element)0);
  const real thin = (real)(law[1]);
  water w;
  w.depth = QN_CHOOSE(above, above, none);
  const real bounded = QN_CHOOSE(w.depth - thin, w.depth, thin);
  const real quotient = (w.depth + w.depth) / QN_FMA(w.depth, w.depth, bounded * bounded);
  const real inverse = QN_CHOOSE(u[4], (real)((element)1), quotient);
  w.velocity_x = u[1] * inverse;
  w.velocity_y = u[2] * inverse;
  return w;
}

QN_BODY real pressure_of(real depth, QN_GLOBAL const element* law) {
  return (real)((element)0.5 * law[0]) * (depth * depth);
}
QN_BODY real law_pressure(QN_PRIVATE const real* u, QN_GLOBAL const element* law) {
  return pressure_of(water_of(u, law).depth, law);
}

/* What the water carries, with so much pressure, of such a share. */
QN_BODY void flux_by(water w, real share, real pressure, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  const real depth = QN_CHOOSE(share, share, -share) * w.depth;
  f[0] = depth * w.velocity_x;
  g[0] = depth * w.velocity_y;
  f[1] = QN_FMA(f[0], w.velocity_x, pressure);
  f[2] = f[0] * w.velocity_y;
  g[1] = f[2];
  g[2] = QN_FMA(g[0], w.velocity_y, pressure);
}
QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  const water w = water_of(u, law);
  flux_by(w, u[4], pressure_of(w.depth, law), f, g);
}
/* Of a sub-quad whose deepest water is this: without any it exerts no pressure, so that the lowest place of a face does
 * not push against ground that is dry. */
QN_BODY void law_flux_from(QN_PRIVATE const real* u, real deepest, QN_GLOBAL const element* law, QN_PRIVATE real* f,
                           QN_PRIVATE real* g) {
  const water w = water_of(u, law);
  flux_by(w, u[4], QN_CHOOSE(-deepest, (real)((element)0), pressure_of(w.depth, law)), f, g);
}

/* Makes a state that of its water: no surface is below the bed, and momentum is depth times velocity. */
QN_BODY water take_water(QN_PRIVATE real* u, QN_GLOBAL const element* law) {
  const water w = water_of(u, law);
  u[0] = QN_CHOOSE(u[0] - u[3], u[0], u[3]);
  u[1] = w.depth * w.velocity_x;
  u[2] = w.depth * w.velocity_y;
  u[4] = (real)((element)-1);
  return w;
}

/* One over the cube root of a depth that is not thin, by square roots, 1/4 + 1/16 + 1/64 + 1/256 being nearly 1/3, and
 * Newton's method. */
QN_BODY real inverse_cube_root(real depth) {
  real root = depth;
  real product = (real)((element)1);
  for (int k = 0; k < 4; ++k) {
    root = QN_SQRT(QN_SQRT(root));
    product = product * root;
  }
  real y = (real)((element)1) / product;
  for (int k = 0; k < 4; ++k) {
    const real miss = QN_FMA(-(depth * y), y * y, (real)((element)1));
    y = QN_FMA(y * miss, (real)((element)(1.0 / 3)), y);
  }
  return y;
}

/* What the coefficient of friction is multiplied with at a depth that is not thin: one over the cube root by Manning's
 * law. */
QN_BODY real friction_at(real depth, QN_GLOBAL const element* law) {
  if (law[2] < (element)0) return (real)((element)-1);
  return inverse_cube_root(depth);
}

/* What changes the state besides fluxes without pressure: rain, the slope of the surface, and friction. */
QN_BODY void law_source(QN_PRIVATE const real* u, real slope_x, real slope_y, QN_GLOBAL const element* law,
                        QN_PRIVATE real* source) {
  const water w = water_of(u, law);
  const real weight = (real)(law[0]) * w.depth;
  source[0] = (real)(law[3]);
  source[1] = -(weight * slope_x);
  source[2] = -(weight * slope_y);
  if (law[2] != (element)0) {
    const real thin = (real)(law[1]);
    const real speed = QN_SQRT(QN_FMA(w.velocity_x, w.velocity_x, w.velocity_y * w.velocity_y));
    const real friction = friction_at(QN_CHOOSE(w.depth - thin, w.depth, thin), law);
    const real drag = (real)(law[0] * law[2]) * (speed * friction);
    source[1] = QN_FMA(-drag, w.velocity_x, source[1]);
    source[2] = QN_FMA(-drag, w.velocity_y, source[2]);
  }
}

/* u_t of a state with these slopes, the bed's among them. */
QN_BODY void law_rate(QN_PRIVATE const real* u, QN_PRIVATE const real* along_x, QN_PRIVATE const real* along_y,
                      QN_GLOBAL const element* law, QN_PRIVATE real* rate) {
  const water w = water_of(u, law);
  const real depth_x = along_x[0] - along_x[3];
  const real depth_y = along_y[0] - along_y[3];
  const real velocity_x_x = QN_FMA(-w.velocity_x, depth_x, along_x[1]); /* depth times u_x, and so on */
  const real velocity_x_y = QN_FMA(-w.velocity_x, depth_y, along_y[1]);
  const real velocity_y_x = QN_FMA(-w.velocity_y, depth_x, along_x[2]);
  const real velocity_y_y = QN_FMA(-w.velocity_y, depth_y, along_y[2]);
  law_source(u, along_x[0], along_y[0], law, rate);
  rate[0] = rate[0] - (along_x[1] + along_y[2]);
  rate[1] = rate[1] - QN_FMA(w.velocity_x, along_x[1] + velocity_x_x,
                             QN_FMA(w.velocity_x, along_y[2], w.velocity_y * velocity_x_y));
  rate[2] = rate[2] - QN_FMA(w.velocity_y, along_y[2] + velocity_y_y,
                             QN_FMA(w.velocity_y, along_x[1], w.velocity_x * velocity_y_x));
}

/* Length of the normal times the largest wave speed across it. */
QN_BODY real speed_by(water w, real nx, real ny, QN_GLOBAL const element* law) {
  const real across = QN_FMA(w.velocity_x, nx, w.velocity_y * ny);
  const real wave = QN_SQRT((real)(law[0]) * w.depth * QN_FMA(nx, nx, ny * ny));
  return QN_CHOOSE(across, across, -across) + wave;
}

/* That of its front where it runs over dry ground, from rest or not. */
QN_BODY real speed_over_dry(water w, QN_GLOBAL const element* law) {
  const real speed = QN_SQRT(QN_FMA(w.velocity_x, w.velocity_x, w.velocity_y * w.velocity_y));
  const real wave = QN_SQRT((real)(law[0]) * w.depth);
  return speed + (wave + wave);
}

/* The depth at which such a discharge is as fast as its waves. */
QN_BODY real critical_depth(real discharge_x, real discharge_y, QN_GLOBAL const element* law) {
  const real square = QN_FMA(discharge_x, discharge_x, discharge_y * discharge_y) / (real)(law[0]);
  const real least = (real)((element)1e-30);
  const real cube = QN_CHOOSE(square - least, square, least);
  const real root = inverse_cube_root(cube);
  return cube * root * root;
}

/* Rusanov's flux between both states, which have the bed of the face. A side with a given stage has the discharge from
 * inside, or, where that is deeper, its velocity. One with a given discharge has the surface from inside, and lets in
 * just what is given: onto ground that is dry as well, no faster than its waves. At a wall the pressure alone. */
QN_BODY void law_boundary(QN_PRIVATE const real* state, QN_PRIVATE const real* outside, real kind, real nx, real ny,
                          QN_GLOBAL const element* law, QN_PRIVATE real* flux) {
  real u[5], beyond[5], f[3], g[3], f_beyond[3], g_beyond[3], wall[3];
  for (int v = 0; v < 5; ++v) u[v] = state[v];
  const water w = take_water(u, law);
  const real own = kind - (real)((element)DG_OPEN);
  const real all_given = kind - (real)((element)(DG_STAGE + 0.5));
  const real stage_given = kind - (real)((element)(DG_DISCHARGE + 0.5)); /* if not more */
  real surface = u[0];                                                   /* with which a discharge comes in */
  if (QN_ANY(-stage_given)) {
    const real outwards = QN_FMA(outside[1], nx, outside[2] * ny);
    const real lowest = QN_CHOOSE(outwards, u[3], u[3] + critical_depth(outside[1], outside[2], law));
    surface = QN_CHOOSE(u[0] - lowest, u[0], lowest);
  }
  beyond[0] = QN_CHOOSE(own, u[0], QN_CHOOSE(stage_given, outside[0], surface));
  const real depth = outside[0] - u[3];
  const real some = QN_CHOOSE(depth, depth, (real)((element)0));
  const real common = QN_CHOOSE(w.depth - some, some, w.depth);
  const real from_inside[3] = {u[0], common * w.velocity_x, common * w.velocity_y};
  for (int v = 1; v < 3; ++v) {
    const real given = QN_CHOOSE(all_given, outside[v], QN_CHOOSE(stage_given, from_inside[v], outside[v]));
    beyond[v] = QN_CHOOSE(own, u[v], given);
  }
  beyond[3] = u[3];
  beyond[4] = u[4];
  (void)take_water(beyond, law);
  const water w_beyond = water_of(beyond, law);
  const real pressure = pressure_of(w.depth, law);
  flux_by(w, state[4], pressure, f, g);
  flux_by(w_beyond, beyond[4], pressure_of(w_beyond.depth, law), f_beyond, g_beyond);
  const real speed = speed_by(w, nx, ny, law);
  const real speed_beyond = speed_by(w_beyond, nx, ny, law);
  const real fastest = QN_CHOOSE(speed - speed_beyond, speed, speed_beyond);
  wall[0] = (real)((element)0);
  wall[1] = pressure * nx;
  wall[2] = pressure * ny;
  for (int v = 0; v < 3; ++v) {
    const real mean = QN_FMA(f[v] + f_beyond[v], nx, (g[v] + g_beyond[v]) * ny);
    const real rusanov = (real)((element)0.5) * QN_FMA(-fastest, beyond[v] - u[v], mean);
    const real let_in = QN_FMA(f_beyond[v], nx, g_beyond[v] * ny);
    flux[v] = QN_CHOOSE(kind - (real)((element)DG_WALL), wall[v], QN_CHOOSE(stage_given, rusanov, let_in));
  }
}
