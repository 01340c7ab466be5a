/* Jacobi sweeps with coefficients on the faces of cells. Differences come first: where neighbours are nearly equal they
 * are exact, however large the coefficients. `west` and the others are the factors of the faces. */

QN_BODY real diffusion_balance(real centre, real left, real right, real below, real above, real west, real east,
                               real south, real north, real sink) {
  const real beside = QN_FMA(east, centre - right, west * (centre - left));
  const real around = QN_FMA(north, centre - above, QN_FMA(south, centre - below, beside));
  return QN_FMA(sink, centre, around);
}

QN_BODY real diffusion_diagonal(real west, real east, real south, real north, real sink) {
  return ((west + east) + (south + north)) + sink;
}

QN_BODY real diffusion_balance_at(QN_GLOBAL const element* u, qn_index u_pitch, QN_GLOBAL const element* kx,
                                  QN_GLOBAL const element* ky, qn_index ky_pitch, real sink) {
  return diffusion_balance(QN_LOAD(u, 0), QN_LOAD(u, -1), QN_LOAD(u, 1), QN_LOAD(u, -u_pitch), QN_LOAD(u, u_pitch),
                           QN_LOAD(kx, 0), QN_LOAD(kx, 1), QN_LOAD(ky, 0), QN_LOAD(ky, ky_pitch), sink);
}

QN_BODY real diffusion_diagonal_at(QN_GLOBAL const element* kx, QN_GLOBAL const element* ky, qn_index ky_pitch,
                                   real sink) {
  return diffusion_diagonal(QN_LOAD(kx, 0), QN_LOAD(kx, 1), QN_LOAD(ky, 0), QN_LOAD(ky, ky_pitch), sink);
}

QN_BODY void diffusion_operator_point(diffusion_operator_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.au, i, j), 0,
           diffusion_balance_at(QN_AT(a.u, i, j), a.u_pitch, QN_AT(a.kx, i, j), QN_AT(a.ky, i, j), a.ky_pitch,
                                QN_LOAD(QN_AT(a.sink, i, j), 0)));
}

QN_BODY void diffusion_update_point(diffusion_update_arguments a, qn_index i, qn_index j) {
  const real residual = QN_LOAD(QN_AT(a.f, i, j), 0) - QN_LOAD(QN_AT(a.au, i, j), 0);
  const real diagonal =
      diffusion_diagonal_at(QN_AT(a.kx, i, j), QN_AT(a.ky, i, j), a.ky_pitch, QN_LOAD(QN_AT(a.sink, i, j), 0));
  QN_STORE(QN_AT(a.r, i, j), 0, residual);
  QN_STORE(QN_AT(a.u, i, j), 0, QN_FMA((real)a.weight, residual / diagonal, QN_LOAD(QN_AT(a.u, i, j), 0)));
}

QN_BODY real diffusion_sweep_point(diffusion_sweep_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* kx = QN_AT(a.kx, i, j);
  QN_GLOBAL const element* ky = QN_AT(a.ky, i, j);
  const real sink = QN_LOAD(QN_AT(a.sink, i, j), 0);
  const real flow = diffusion_balance_at(QN_AT(a.u, i, j), a.u_pitch, kx, ky, a.ky_pitch, sink);
  const real residual = QN_LOAD(QN_AT(a.f, i, j), 0) - flow;
  const real diagonal = diffusion_diagonal_at(kx, ky, a.ky_pitch, sink);
  QN_STORE(QN_AT(a.u_new, i, j), 0, QN_FMA((real)a.weight, residual / diagonal, QN_LOAD(QN_AT(a.u, i, j), 0)));
  return residual * residual;
}
