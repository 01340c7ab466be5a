/* Rows of a sparse matrix times a vector. */

QN_BODY void csr_segments_point(csr_segments_arguments a, qn_index i, qn_index j) {
  const qn_index end = *QN_AT(a.at, i + 1, j);
  element sum = 0;
  for (qn_index k = *QN_AT(a.at, i, j); k < end; ++k) sum = QN_FMA(a.value[k], a.x[a.column[k]], sum);
  *QN_AT(a.sums, i, j) = sum;
}

QN_BODY void sell_segments_point(sell_segments_arguments a, qn_index i, qn_index j) {
  QN_GLOBAL const element* value = a.value + a.value_at[j] + i;
  QN_GLOBAL const qn_index32* pattern = a.pattern + a.pattern_at[j];
  const qn_index first = 32 * j;
  const qn_index steps = a.steps[j];
  real sum = (real)(element)0;
  if (a.kind[j] == 0) {
    for (qn_index k = 0; k < steps; ++k)
      sum = QN_FMA(QN_LOAD(value, 32 * k), QN_LOAD(a.x, first + i + pattern[k]), sum);
  } else if (a.kind[j] == 1) {
    for (qn_index k = 0; k < steps; ++k)
      sum =
          QN_FMA(QN_LOAD(value, 32 * k), QN_LOAD_WHERE(a.x, first + i + pattern[2 * k], pattern[2 * k + 1] >> i), sum);
  } else {
    for (qn_index k = 0; k < steps; ++k)
      sum = QN_FMA(QN_LOAD(value, 32 * k), QN_GATHER_FROM(a.x, first, pattern + 32 * k + i), sum);
  }
  QN_STORE(QN_AT(a.sums, i, j), 0, sum);
}

QN_BODY void ell_segments_point(ell_segments_arguments a, qn_index i, qn_index j) {
  real sum = (real)(element)0;
  for (qn_index k = 0; k < a.steps; ++k)
    sum = QN_FMA(QN_LOAD(QN_AT(a.value, i, k), 0), QN_GATHER_FROM(a.x, 0, QN_AT(a.column, i, k)), sum);
  QN_STORE(QN_AT(a.sums, i, j), 0, sum);
}

QN_BODY void coo_segments_point(coo_segments_arguments a, qn_index i, qn_index j) {
  const qn_index end = *QN_AT(a.at, i + 1, j);
  qn_index k = *QN_AT(a.at, i, j);
  while (k < end) {
    const qn_index32 segment = a.segment[k];
    element sum = a.continued != 0 ? a.sums[segment] : (element)0;
    for (; k < end && a.segment[k] == segment; ++k) {
      const element x = a.column[k] != QN_NOTHING ? a.x[a.column[k]] : (element)0;
      sum = QN_FMA(a.value[k], x, sum);
    }
    a.sums[segment] = sum;
  }
}

/* The pairwise tree in place, level by level, zeros in place of what is missing: no device has to keep a row's levels
 * in registers. */
QN_BODY void row_join_point(row_join_arguments a, qn_index i, qn_index j) {
  const qn_index first = *QN_AT(a.at, i, j);
  const qn_index count = *QN_AT(a.at, i + 1, j) - first;
  QN_GLOBAL element* sums = a.sums + first;
  for (qn_index width = 1; width < count; width *= 2) {
    for (qn_index k = 0; k < count; k += 2 * width) {
      const element right = k + width < count ? sums[k + width] : (element)0;
      sums[k] = sums[k] + right;
    }
  }
  a.y[*QN_AT(a.row, i, j)] = sums[0];
}
