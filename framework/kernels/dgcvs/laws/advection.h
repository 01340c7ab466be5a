/* Linear advection, u_t + a u_x + b u_y = 0. law[0] = a, law[1] = b. */
#define LAW_VARIABLES 1

QN_BODY void law_flux(QN_PRIVATE const real* u, QN_GLOBAL const element* law, QN_PRIVATE real* f, QN_PRIVATE real* g) {
  f[0] = (real)(law[0]) * u[0];
  g[0] = (real)(law[1]) * u[0];
}
