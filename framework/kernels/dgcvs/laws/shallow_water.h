/* Shallow water over a flat bed: h, hu, hv. law[0] = gravity. */
#undef LAW_VARIABLES
#undef LAW_DEGREE
#undef LAW_BED
#define LAW_VARIABLES 3

/* `inverse` is one over the depth: a division takes as long as many products. */
QN_BODY void flux_by(QN_PRIVATE const real* u, real inverse, QN_GLOBAL const element* law, QN_PRIVATE real* f,
                     QN_PRIVATE real* g) {
  const real velocity_x = u[1] * inverse;
  const real velocity_y = u[2] * inverse;
  const real pressure = (real)((element)0.5 * law[0]) * (u[0] * u[0]);
  const real across = u[1] * velocity_y;
  f[0] = u[1];
  f[1] = QN_FMA(u[1], velocity_x, pressure);
  f[2] = across;
  g[0] = u[2];
  g[1] = across;
  g[2] = QN_FMA(u[2], velocity_y, pressure);
}

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  flux_by(u, (real)((element)1) / u[0], law, f, g);
}

/* u_t of a state with these slopes: minus the fluxes' derivatives, of products one factor after the other. */
QN_BODY void law_rate(QN_PRIVATE const real* u, QN_PRIVATE const real* along_x, QN_PRIVATE const real* along_y,
                      QN_GLOBAL const element* law, QN_PRIVATE real* rate) {
  const real inverse = (real)((element)1) / u[0];
  const real velocity_x = u[1] * inverse;
  const real velocity_y = u[2] * inverse;
  const real depth = (real)(law[0]) * u[0];
  const real velocity_x_x = QN_FMA(-velocity_x, along_x[0], along_x[1]); /* depth times u_x, and so on */
  const real velocity_x_y = QN_FMA(-velocity_x, along_y[0], along_y[1]);
  const real velocity_y_x = QN_FMA(-velocity_y, along_x[0], along_x[2]);
  const real velocity_y_y = QN_FMA(-velocity_y, along_y[0], along_y[2]);
  rate[0] = -(along_x[1] + along_y[2]);
  rate[1] = -QN_FMA(velocity_x, along_x[1] + velocity_x_x,
                    QN_FMA(depth, along_x[0], QN_FMA(velocity_x, along_y[2], velocity_y * velocity_x_y)));
  rate[2] = -QN_FMA(velocity_y, along_y[2] + velocity_y_y,
                    QN_FMA(depth, along_y[0], QN_FMA(velocity_y, along_x[1], velocity_x * velocity_y_x)));
}

/* Length of the normal times the largest wave speed across it. */
QN_BODY real speed_by(QN_PRIVATE const real* u, real inverse, real nx, real ny, QN_GLOBAL const element* law) {
  const real across = QN_FMA(u[1], nx, u[2] * ny) * inverse;
  const real wave = QN_SQRT((real)(law[0]) * u[0] * QN_FMA(nx, nx, ny * ny));
  return QN_CHOOSE(across, across, -across) + wave;
}

/* Rusanov's flux between both states; at a wall the pressure alone. */
QN_BODY void law_boundary(QN_PRIVATE const real* u, QN_PRIVATE const real* outside, real kind, real nx, real ny,
                          QN_GLOBAL const element* law, QN_PRIVATE real* flux) {
  real beyond[3], f[3], g[3], f_beyond[3], g_beyond[3], wall[3];
  for (int v = 0; v < 3; ++v) beyond[v] = QN_CHOOSE(kind - (real)((element)DG_OPEN), u[v], outside[v]);
  const real inverse = (real)((element)1) / u[0];
  const real inverse_beyond = (real)((element)1) / beyond[0];
  flux_by(u, inverse, law, f, g);
  flux_by(beyond, inverse_beyond, law, f_beyond, g_beyond);
  const real speed = speed_by(u, inverse, nx, ny, law);
  const real speed_beyond = speed_by(beyond, inverse_beyond, nx, ny, law);
  const real fastest = QN_CHOOSE(speed - speed_beyond, speed, speed_beyond);
  const real pressure = (real)((element)0.5 * law[0]) * (u[0] * u[0]);
  wall[0] = (real)((element)0);
  wall[1] = pressure * nx;
  wall[2] = pressure * ny;
  for (int v = 0; v < 3; ++v) {
    const real mean = QN_FMA(f[v] + f_beyond[v], nx, (g[v] + g_beyond[v]) * ny);
    const real rusanov = (real)((element)0.5) * QN_FMA(-fastest, beyond[v] - u[v], mean);
    flux[v] = QN_CHOOSE(kind - (real)((element)DG_WALL), wall[v], rusanov);
  }
}
