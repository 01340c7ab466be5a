/* One node of three dimensions; `plane` is how far the next plane is, in elements. */

/* A u = fma(D, u, -fma(c, near + far, fma(b, down + up, a * (left + right)))), given those sums. */
QN_BODY real cube_points(real centre, real beside, real level, real through, real a, real b, real c, real diagonal) {
  return QN_FMA(diagonal, centre, -QN_FMA(c, through, QN_FMA(b, level, a * beside)));
}

QN_BODY real cube_seven_point(QN_GLOBAL const element* u, qn_index pitch, qn_index plane, real a, real b, real c,
                              real diagonal) {
  return cube_points(QN_LOAD(u, 0), QN_LOAD(u, -1) + QN_LOAD(u, 1), QN_LOAD(u, -pitch) + QN_LOAD(u, pitch),
                     QN_LOAD(u, -plane) + QN_LOAD(u, plane), a, b, c, diagonal);
}

QN_BODY void cube_laplacian_point(cube_laplacian_arguments a, qn_index i, qn_index j) {
  const real au = cube_seven_point(QN_AT(a.u, i, j), a.u_pitch, a.plane * a.u_pitch, (real)a.a, (real)a.b, (real)a.c,
                                   (real)a.diagonal);
  QN_STORE(QN_AT(a.au, i, j), 0, (real)a.inside[j] * au);
}

QN_BODY real cube_sweep_point(cube_sweep_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* u = QN_AT(a.u, i, j);
  const real au =
      cube_seven_point(u, a.u_pitch, a.plane * a.u_pitch, (real)a.a, (real)a.b, (real)a.c, (real)a.diagonal);
  const real residual = (real)a.inside[j] * (QN_LOAD(QN_AT(a.f, i, j), 0) - au);
  QN_STORE(QN_AT(a.u_new, i, j), 0, QN_FMA(residual, (real)a.weight, QN_LOAD(u, 0)));
  return residual * residual;
}

/* Differences come first, as in diffusion; `west` and the others are the factors of the faces. */
QN_BODY real cube_balance(real centre, real left, real right, real below, real above, real near, real far, real west,
                          real east, real south, real north, real back, real front, real sink) {
  const real beside = QN_FMA(east, centre - right, west * (centre - left));
  const real level = QN_FMA(north, centre - above, QN_FMA(south, centre - below, beside));
  const real around = QN_FMA(front, centre - far, QN_FMA(back, centre - near, level));
  return QN_FMA(sink, centre, around);
}

QN_BODY real cube_diagonal(real west, real east, real south, real north, real back, real front, real sink) {
  return (((west + east) + (south + north)) + (back + front)) + sink;
}

QN_BODY real cube_balance_at(QN_GLOBAL const element* u, qn_index u_pitch, qn_index plane, QN_GLOBAL const element* kx,
                             QN_GLOBAL const element* ky, qn_index ky_pitch, QN_GLOBAL const element* kz,
                             qn_index kz_pitch, real sink) {
  return cube_balance(QN_LOAD(u, 0), QN_LOAD(u, -1), QN_LOAD(u, 1), QN_LOAD(u, -u_pitch), QN_LOAD(u, u_pitch),
                      QN_LOAD(u, -(plane * u_pitch)), QN_LOAD(u, plane * u_pitch), QN_LOAD(kx, 0), QN_LOAD(kx, 1),
                      QN_LOAD(ky, 0), QN_LOAD(ky, ky_pitch), QN_LOAD(kz, 0), QN_LOAD(kz, plane * kz_pitch), sink);
}

QN_BODY real cube_diagonal_at(QN_GLOBAL const element* kx, QN_GLOBAL const element* ky, qn_index ky_pitch,
                              QN_GLOBAL const element* kz, qn_index kz_plane, real sink) {
  return cube_diagonal(QN_LOAD(kx, 0), QN_LOAD(kx, 1), QN_LOAD(ky, 0), QN_LOAD(ky, ky_pitch), QN_LOAD(kz, 0),
                       QN_LOAD(kz, kz_plane), sink);
}

QN_BODY void cube_flow_point(cube_flow_arguments a, qn_index i, qn_index j) {
  const real flow = cube_balance_at(QN_AT(a.u, i, j), a.u_pitch, a.plane, QN_AT(a.kx, i, j), QN_AT(a.ky, i, j),
                                    a.ky_pitch, QN_AT(a.kz, i, j), a.kz_pitch, QN_LOAD(QN_AT(a.sink, i, j), 0));
  QN_STORE(QN_AT(a.au, i, j), 0, (real)a.inside[j] * flow);
}

QN_BODY void cube_flow_update_point(cube_flow_update_arguments a, qn_index i, qn_index j) {
  const real residual = QN_LOAD(QN_AT(a.f, i, j), 0) - QN_LOAD(QN_AT(a.au, i, j), 0);
  const real diagonal = cube_diagonal_at(QN_AT(a.kx, i, j), QN_AT(a.ky, i, j), a.ky_pitch, QN_AT(a.kz, i, j),
                                         a.plane * a.kz_pitch, QN_LOAD(QN_AT(a.sink, i, j), 0));
  QN_STORE(QN_AT(a.r, i, j), 0, residual);
  QN_STORE(QN_AT(a.u, i, j), 0, QN_FMA((real)a.weight, residual / diagonal, QN_LOAD(QN_AT(a.u, i, j), 0)));
}

QN_BODY real cube_flow_sweep_point(cube_flow_sweep_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* kx = QN_AT(a.kx, i, j);
  QN_GLOBAL const element* ky = QN_AT(a.ky, i, j);
  QN_GLOBAL const element* kz = QN_AT(a.kz, i, j);
  const real sink = QN_LOAD(QN_AT(a.sink, i, j), 0);
  const real flow = cube_balance_at(QN_AT(a.u, i, j), a.u_pitch, a.plane, kx, ky, a.ky_pitch, kz, a.kz_pitch, sink);
  const real residual = (real)a.inside[j] * (QN_LOAD(QN_AT(a.f, i, j), 0) - flow);
  const real diagonal = cube_diagonal_at(kx, ky, a.ky_pitch, kz, a.plane * a.kz_pitch, sink);
  QN_STORE(QN_AT(a.u_new, i, j), 0, QN_FMA((real)a.weight, residual / diagonal, QN_LOAD(QN_AT(a.u, i, j), 0)));
  return residual * residual;
}

/* First through the planes, then down their rows, then across. */
QN_BODY void cube_restrict_point(cube_restrict_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* f = QN_AT(a.f, a.columns[i], a.rows[j]);
  QN_GLOBAL const element* au = QN_AT(a.au, a.columns[i], a.rows[j]);
  real mean = 0;
  for (qn_index s = 0; s < a.across_count; ++s) {
    real column = 0;
    for (qn_index t = 0; t < a.down_count; ++t) {
      real depth = 0;
      for (qn_index p = 0; p < a.through_count; ++p) {
        const qn_index row = p * a.plane + t;
        const real residual = QN_LOAD(f, row * a.f_pitch + s) - QN_LOAD(au, row * a.au_pitch + s);
        depth = QN_FMA(QN_LOAD(a.through, p * a.through_pitch + j), residual, depth);
      }
      column = QN_FMA(QN_LOAD(a.down, t * a.down_pitch + j), depth, column);
    }
    mean = QN_FMA(QN_LOAD(a.across, s * a.across_pitch + i), column, mean);
  }
  QN_STORE(QN_AT(a.coarse_f, i, j), 0, mean);
  QN_STORE(QN_AT(a.coarse_u, i, j), 0, (real)0);
}

/* The value a share of the way from p to q. */
QN_BODY real cube_way(real p, real q, real share) { return QN_FMA(share, q - p, p); }

/* Of a coarse plane: between its rows first. */
QN_BODY real cube_between(QN_GLOBAL const element* coarse, qn_index pitch, real x, real y) {
  const real left = cube_way(QN_LOAD(coarse, 0), QN_LOAD(coarse, pitch), y);
  const real right = cube_way(QN_LOAD(coarse, 1), QN_LOAD(coarse, pitch + 1), y);
  return cube_way(left, right, x);
}

QN_BODY void cube_prolong_point(cube_prolong_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* coarse = QN_AT(a.coarse_u, a.columns[i], a.rows[j]);
  QN_GLOBAL element* u = QN_AT(a.u, i, j);
  const real x = QN_LOAD(a.across, i);
  const real y = QN_LOAD(a.down, j);
  const real near = cube_between(coarse, a.coarse_u_pitch, x, y);
  const real far = cube_between(coarse + a.plane * a.coarse_u_pitch, a.coarse_u_pitch, x, y);
  const real correction = cube_way(near, far, QN_LOAD(a.through, j));
  QN_STORE(u, 0, QN_FMA(QN_LOAD(a.inside, j), correction, QN_LOAD(u, 0)));
}
