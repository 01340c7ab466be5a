/* Shallow water over a flat bed: h, hu, hv. law[0] = gravity. */
#define LAW_VARIABLES 3

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  const real velocity_x = u[1] / u[0];
  const real velocity_y = u[2] / u[0];
  const real pressure = (real)((element)0.5 * law[0]) * (u[0] * u[0]);
  f[0] = u[1];
  f[1] = QN_FMA(u[1], velocity_x, pressure);
  f[2] = u[1] * velocity_y;
  g[0] = u[2];
  g[1] = u[2] * velocity_x;
  g[2] = QN_FMA(u[2], velocity_y, pressure);
}
