/* Burgers' equation along both axes, u_t + (u^2/2)_x + (u^2/2)_y = 0. No parameters. */
#define LAW_VARIABLES 1

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  (void)law;
  f[0] = (real)((element)0.5) * (u[0] * u[0]);
  g[0] = f[0];
}
