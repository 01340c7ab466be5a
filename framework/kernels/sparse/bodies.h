/* Rows of a sparse matrix times a vector. */

QN_BODY void csr_segments_point(csr_segments_arguments a, qn_index i, qn_index j) {
  *QN_AT(a.sums, i, j) = entry_chain(a.value, a.column, a.x, *QN_AT(a.at, i, j), *QN_AT(a.at, i + 1, j));
}

/* The sum of this lane of a slice whose first segment has number `first`. */
QN_BODY real sell_sum(QN_GLOBAL const element* value, QN_GLOBAL const qn_index32* pattern, qn_index steps,
                      qn_index32 kind, QN_GLOBAL const element* x, qn_index first, qn_index lane) {
  real sum = (real)(element)0;
  if (kind == 0) {
    for (qn_index k = 0; k < steps; ++k)
      sum = QN_FMA(QN_LOAD(value, 32 * k + lane), QN_LOAD(x, first + lane + pattern[k]), sum);
  } else if (kind == 1) {
    for (qn_index k = 0; k < steps; ++k)
      sum = QN_FMA(QN_LOAD(value, 32 * k + lane),
                   QN_LOAD_WHERE(x, first + lane + pattern[2 * k], pattern[2 * k + 1] >> lane), sum);
  } else {
    for (qn_index k = 0; k < steps; ++k)
      sum = QN_FMA(QN_LOAD(value, 32 * k + lane), QN_GATHER_FROM(x, first, pattern + 32 * k + lane), sum);
  }
  return sum;
}

QN_BODY void sell_segments_point(sell_segments_arguments a, qn_index i, qn_index j) {
  QN_STORE(QN_AT(a.sums, i, j), 0,
           sell_sum(a.value + a.value_at[j], a.pattern + a.pattern_at[j], a.steps[j], a.kind[j], a.x, 32 * j, i));
}

QN_BODY real sell_product_point(sell_product_arguments a, qn_index i, qn_index j) {
  const qn_index slice = j / 2;
  const real sum = sell_sum(a.value + a.value_at[slice], a.pattern + a.pattern_at[slice], a.steps[slice], a.kind[slice],
                            a.x, 32 * slice, i + 16 * (j % 2));
  QN_STORE(QN_AT(a.y, i, j), 0, sum);
  return QN_LOAD(QN_AT(a.v, i, j), 0) * sum;
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

QN_BODY void row_join_point(row_join_arguments a, qn_index i, qn_index j) {
  const qn_index first = *QN_AT(a.at, i, j);
  a.y[*QN_AT(a.row, i, j)] = tree_in_place(a.sums + first, *QN_AT(a.at, i + 1, j) - first);
}
