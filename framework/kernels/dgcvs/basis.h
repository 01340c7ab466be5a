/* The space-time polynomials of total degree <= ORDER about an entity: X^i Y^j s^k with X, Y scaled by the
 * entity's length and s in [-1, 0] in its own element. The time power k runs slowest; inside it the spatial
 * monomials come in order of their degree, so that those of degree <= d are always the first (d+1)(d+2)/2. */

#define DG_TIMES (ORDER + 1) /* powers of s */
#define DG_POINTS (ORDER + 1)
/* Of the volume term, whose test functions are derivatives: exact still for constant states on any sub-quad, and in
 * time for linear laws. One more a direction changes no error by more than a few thousandths. */
#define DG_VOLUME_POINTS (ORDER + (ORDER == 0))
#define DG_SPACE ((ORDER + 1) * (ORDER + 2) / 2)
#define DG_BASIS ((ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6)

#define DG_SPACE_OF(k) ((ORDER - (k) + 1) * (ORDER - (k) + 2) / 2) /* spatial monomials that go with s^k */
#define DG_BLOCK(k) (DG_BASIS - DG_TETRA(ORDER - (k) + 1))         /* where they start */
#define DG_LESS(k) (DG_TETRA(ORDER) - DG_TETRA(ORDER - (k)))       /* the same in the basis of degree ORDER - 1 */
#define DG_TETRA(n) ((n) * ((n) + 1) * ((n) + 2) / 6)
#define DG_MEMBER(d, j) ((d) * ((d) + 1) / 2 + (j)) /* the place of X^(d-j) Y^j among the spatial monomials */

/* Gauss-Legendre points and weights on [0, 1], so many of them. */
QN_BODY element gauss_node(int points, int k) {
  const double table[15] = {0.5,
                            0.2113248654051871177454,
                            0.7886751345948128822546,
                            0.1127016653792583114821,
                            0.5,
                            0.8872983346207416885179,
                            0.06943184420297371238803,
                            0.3300094782075718675987,
                            0.6699905217924281324013,
                            0.9305681557970262876120,
                            0.04691007703066800360119,
                            0.2307653449471584544818,
                            0.5,
                            0.7692346550528415455182,
                            0.9530899229693319963988};
  return (element)table[points * (points - 1) / 2 + k];
}

QN_BODY element gauss_weight(int points, int k) {
  const double table[15] = {1.0,
                            0.5,
                            0.5,
                            0.2777777777777777777778,
                            0.4444444444444444444444,
                            0.2777777777777777777778,
                            0.1739274225687269286865,
                            0.3260725774312730713135,
                            0.3260725774312730713135,
                            0.1739274225687269286865,
                            0.1184634425280945437571,
                            0.2393143352496832340206,
                            0.2844444444444444444444,
                            0.2393143352496832340206,
                            0.1184634425280945437571};
  return (element)table[points * (points - 1) / 2 + k];
}

/* Entry (row, column) of the inverse of th, th(0,l) = [l=0], th(k,l) = k (-1)^(k+l) / (k+l), of size n. */
QN_BODY element time_inverse(int n, int row, int column) {
  const int table[55] = {
      1,                                                                                        /* n = 1 */
      1,    0,    2,    2,                                                                      /* n = 2 */
      1,    0,    0,    6,    18, 12,   6,    24,   18,                                         /* n = 3 */
      1,    0,    0,    0,    12, 72,   120,  60,   30,  240, 450, 240,  20,   180,  360,  200, /* n = 4 */
      1,    0,    0,    0,    0,  20,   200,  600,  700, 280, 90,  1200, 4050, 5040, 2100, 140,
      2100, 7560, 9800, 4200, 70, 1120, 4200, 5600, 2450}; /* n = 5 */
  const int value = table[(n - 1) * n * (2 * n - 1) / 6 + row * n + column];
  return (element)value;
}

/* The DG_SPACE monomials at (x, y). */
QN_BODY void monomials(real x, real y, QN_PRIVATE real* phi) {
  phi[0] = (real)((element)1);
  for (int d = 1, start = 1; d <= ORDER; start += ++d) {
    for (int j = 0; j < d; ++j) phi[start + j] = phi[start - d + j] * x;
    phi[start + d] = phi[start - 1] * y;
  }
}

/* Their derivatives along x and y, from their values. */
QN_BODY void monomial_gradients(QN_PRIVATE const real* phi, QN_PRIVATE real* along_x, QN_PRIVATE real* along_y) {
  along_x[0] = (real)((element)0);
  along_y[0] = (real)((element)0);
  for (int d = 1, start = 1; d <= ORDER; start += ++d) {
    for (int j = 0; j <= d; ++j) {
      along_x[start + j] = j < d ? (real)((element)(d - j)) * phi[start - d + j] : (real)((element)0);
      along_y[start + j] = j > 0 ? (real)((element)j) * phi[start - d + j - 1] : (real)((element)0);
    }
  }
}

/* The value that the spatial coefficients c have at a point with monomials phi. */
QN_BODY real spatial_value(QN_PRIVATE const real* c, QN_PRIVATE const real* phi) {
  real sum = c[0];
  QN_UNROLL
  for (int m = 1; m < DG_SPACE; ++m) sum = QN_FMA(c[m], phi[m], sum);
  return sum;
}

/* The polynomial in time that coefficients c have at a point with monomials phi: DG_TIMES values. */
QN_BODY void time_polynomial(QN_PRIVATE const real* c, QN_PRIVATE const real* phi, QN_PRIVATE real* in_time) {
  QN_UNROLL
  for (int k = 0; k < DG_TIMES; ++k) {
    const int n = DG_BLOCK(k);
    real sum = c[n];
    QN_UNROLL
    for (int m = 1; m < DG_SPACE_OF(k); ++m) sum = QN_FMA(c[n + m], phi[m], sum);
    in_time[k] = sum;
  }
}

QN_BODY real at_time(QN_PRIVATE const real* in_time, element s) {
  real sum = in_time[ORDER];
  QN_UNROLL
  for (int k = ORDER - 1; k >= 0; --k) sum = QN_FMA(sum, (real)(s), in_time[k]);
  return sum;
}

/* b(m, k) += phi(m) * moment(k) for every member of the basis. */
QN_BODY void add_moments(QN_PRIVATE const real* phi, QN_PRIVATE const real* moment, QN_PRIVATE real* b) {
  QN_UNROLL
  for (int k = 0; k < DG_TIMES; ++k) {
    const int n = DG_BLOCK(k);
    b[n] = b[n] + moment[k];
    QN_UNROLL
    for (int m = 1; m < DG_SPACE_OF(k); ++m) b[n + m] = QN_FMA(phi[m], moment[k], b[n + m]);
  }
}

/* A polynomial of ratio * (X - x), ratio * (Y - y) becomes one of X, Y. */
QN_BODY void into_frame(real ratio, real x, real y, QN_PRIVATE real* c) {
  QN_UNROLL
  for (int k = 0; k < ORDER; ++k) {
    const int n = DG_BLOCK(k);
    real scale = ratio;
    QN_UNROLL
    for (int d = 1, start = 1; d <= ORDER - k; start += ++d) {
      QN_UNROLL
      for (int j = 0; j <= d; ++j) c[n + start + j] = scale * c[n + start + j];
      scale = scale * ratio;
    }
    QN_UNROLL
    for (int pass = 0; pass < ORDER - k; ++pass) { /* Horner's shift; member (i, j) has degree d = i + j */
      QN_UNROLL
      for (int d = ORDER - k - 1; d >= pass; --d) {
        const int start = n + d * (d + 1) / 2;
        QN_UNROLL
        for (int j = 0; j <= d - pass; ++j) c[start + j] = QN_FMA(-x, c[start + d + 1 + j], c[start + j]);
      }
      QN_UNROLL
      for (int d = ORDER - k - 1; d >= pass; --d) {
        const int start = n + d * (d + 1) / 2;
        QN_UNROLL
        for (int j = pass; j <= d; ++j) c[start + j] = QN_FMA(-y, c[start + d + 2 + j], c[start + j]);
      }
    }
  }
}

/* The same polynomial one whole step later: s -> s + 2. */
QN_BODY void shift_in_time(QN_PRIVATE real* c) {
  QN_UNROLL
  for (int pass = 0; pass < ORDER; ++pass) {
    QN_UNROLL
    for (int k = ORDER - 1; k >= pass; --k) {
      const int n = DG_BLOCK(k);
      QN_UNROLL
      for (int m = 0; m < DG_SPACE_OF(k + 1); ++m) {
        c[n + m] = QN_FMA((real)((element)2), c[n + DG_SPACE_OF(k) + m], c[n + m]);
      }
    }
  }
}
