/* Linear advection, u_t + a u_x + b u_y = 0. law[0] = a, law[1] = b. The flux is (a, b) times u. */
#undef LAW_VARIABLES
#undef LAW_DEGREE
#undef LAW_BED
#define LAW_VARIABLES 1
#define LAW_DEGREE 1

QN_BODY real law_slope_x(QN_GLOBAL const element* law) { return (real)(law[0]); }
QN_BODY real law_slope_y(QN_GLOBAL const element* law) { return (real)(law[1]); }

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  f[0] = (real)(law[0]) * u[0];
  g[0] = (real)(law[1]) * u[0];
}

/* u_t of a state with these slopes. */
QN_BODY void law_rate(QN_PRIVATE const real* u, QN_PRIVATE const real* along_x, QN_PRIVATE const real* along_y,
                      QN_GLOBAL const element* law, QN_PRIVATE real* rate) {
  (void)u;
  rate[0] = -QN_FMA((real)(law[0]), along_x[0], (real)(law[1]) * along_y[0]);
}

/* Upwind: the state on the side that the wave comes from. */
QN_BODY void law_boundary(QN_PRIVATE const real* u, QN_PRIVATE const real* outside, real kind, real nx, real ny,
                          QN_GLOBAL const element* law, QN_PRIVATE real* flux) {
  const real speed = QN_FMA((real)(law[0]), nx, (real)(law[1]) * ny);
  const real beyond = QN_CHOOSE(kind - (real)((element)DG_OPEN), u[0], outside[0]);
  flux[0] = speed * QN_CHOOSE(speed, u[0], beyond);
}
