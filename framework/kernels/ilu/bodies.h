/* Entries of incomplete factors, and rows of triangular systems. */

/* Where a row, whose columns ascend, has an entry in this column; its end where it has none. */
QN_BODY qn_index ilu_place(QN_GLOBAL const qn_index32* columns, qn_index first, qn_index end, qn_index32 wanted) {
  qn_index after = end;
  while (first < after) {
    const qn_index middle = (first + after) / 2;
    if (columns[middle] < wanted)
      first = middle + 1;
    else
      after = middle;
  }
  return first < end && columns[first] == wanted ? first : end;
}

QN_BODY void ilu_sweep_point(ilu_sweep_arguments a, qn_index i, qn_index j) {
  const qn_index32 row = *QN_AT(a.row, i, j);
  const qn_index32 column = a.column[i];
  const qn_index32 limit = row < column ? row : column;
  element sum = *QN_AT(a.value, i, j);
  for (qn_index k = a.at[row]; k < a.at[row + 1] && a.column[k] < limit; ++k) {
    const qn_index32 above = a.column[k];
    const qn_index end = a.at[above + 1];
    const qn_index across = ilu_place(a.column, a.at[above], end, column);
    if (across < end) sum = QN_FMA(-a.known[k], a.known[across], sum);
  }
  if (column < row) sum = sum / a.known[ilu_place(a.column, a.at[column], a.at[column + 1], column)];
  *QN_AT(a.made, i, j) = sum;
}

QN_BODY void ilu_level_point(ilu_level_arguments a, qn_index i, qn_index j) {
  const qn_index begin = *QN_AT(a.at, i, j);
  const qn_index end = *QN_AT(a.at, i + 1, j);
  const qn_index32 row = *QN_AT(a.row, i, j);
  element sum = 0;
  if (end - begin <= 32) {
    sum = entry_chain(a.value, a.column, a.z, begin, end);
  } else {
    QN_GLOBAL element* sums = a.sums + begin / 32 + i;
    qn_index count = 0;
    for (qn_index k = begin; k < end; k += 32)
      sums[count++] = entry_chain(a.value, a.column, a.z, k, k + 32 < end ? k + 32 : end);
    sum = tree_in_place(sums, count);
  }
  a.z[row] = a.r[row] - sum;
}
