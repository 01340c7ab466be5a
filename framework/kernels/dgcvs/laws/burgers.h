/* Burgers' equation along both axes, u_t + (u^2/2)_x + (u^2/2)_y = 0. No parameters. The flux is (1/2, 1/2) u^2. */
#undef LAW_VARIABLES
#undef LAW_DEGREE
#undef LAW_BED
#define LAW_VARIABLES 1
#define LAW_DEGREE 2

QN_BODY real law_slope_x(QN_GLOBAL const element* law) {
  (void)law;
  return (real)((element)0.5);
}
QN_BODY real law_slope_y(QN_GLOBAL const element* law) { return law_slope_x(law); }

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  (void)law;
  f[0] = (real)((element)0.5) * (u[0] * u[0]);
  g[0] = f[0];
}

/* u_t of a state with these slopes. */
QN_BODY void law_rate(QN_PRIVATE const real* u, QN_PRIVATE const real* along_x, QN_PRIVATE const real* along_y,
                      QN_GLOBAL const element* law, QN_PRIVATE real* rate) {
  (void)law;
  rate[0] = -(u[0] * (along_x[0] + along_y[0]));
}

/* Upwind by the sign of the mean of both states' speeds. */
QN_BODY void law_boundary(QN_PRIVATE const real* u, QN_PRIVATE const real* outside, real kind, real nx, real ny,
                          QN_GLOBAL const element* law, QN_PRIVATE real* flux) {
  (void)law;
  const real normal = nx + ny;
  const real beyond = QN_CHOOSE(kind - (real)((element)DG_OPEN), u[0], outside[0]);
  const real state = QN_CHOOSE((u[0] + beyond) * normal, u[0], beyond);
  flux[0] = (real)((element)0.5) * (state * state) * normal;
}
