/* Rows of a sparse matrix times a vector. */

QN_BODY void csr_segments_point(csr_segments_arguments a, qn_index i, qn_index j) {
  const qn_index end = *QN_AT(a.at, i + 1, j);
  element sum = 0;
  for (qn_index k = *QN_AT(a.at, i, j); k < end; ++k) sum = QN_FMA(a.value[k], a.x[a.column[k]], sum);
  *QN_AT(a.sums, i, j) = sum;
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
