/* The fixed reduction tree: every backend, tile and thread count adds in this order.
 * A block has 16 columns and 32 rows. Its 8 accumulators, one for each pair of adjacent columns, take the
 * pair sums row by row downwards and are then joined pairwise. Nodes outside the grid count as zero. */

QN_BODY element tree_across(QN_PRIVATE const element* pairs) {
  return ((pairs[0] + pairs[1]) + (pairs[2] + pairs[3])) + ((pairs[4] + pairs[5]) + (pairs[6] + pairs[7]));
}

/* The pairwise tree over a list padded with zeros to a power of two, in one pass: level l of `held` keeps
 * the sum of a finished group of 2^l values until its right neighbour is finished. */
QN_BODY element tree_sum(QN_GLOBAL const element* values, qn_index count) {
  element held[48];
  element sum = 0;
  int level = 0;
  for (qn_index k = 0; k < count; ++k) {
    element group = values[k];
    qn_index ones = k;
    for (level = 0; (ones & 1) != 0; ones >>= 1) group = held[level++] + group;
    held[level] = group;
  }
  for (level = 0; (count >> level) != 0; ++level) {
    /* Set bits of count are exactly the levels that hold a group. NOLINTNEXTLINE(clang-analyzer-core.*) */
    if (((count >> level) & 1) != 0) sum = held[level] + sum;
  }
  return sum;
}

/* The same in place, for what many threads do at once and none has registers to keep levels in: three levels at a time,
 * so that eight loads are under way together. It uses the list up. */
QN_BODY element tree_in_place(QN_GLOBAL element* values, qn_index count) {
  for (qn_index width = 1; width < count; width *= 8) {
    for (qn_index k = 0; k < count; k += 8 * width) {
      QN_GLOBAL element* v = values + k;
      if (k + 7 * width < count) {
        v[0] = ((v[0] + v[width]) + (v[2 * width] + v[3 * width])) +
               ((v[4 * width] + v[5 * width]) + (v[6 * width] + v[7 * width]));
        continue;
      }
      const qn_index left = count - k;
      for (qn_index apart = width; apart < 8 * width && apart < count; apart *= 2)
        for (qn_index m = 0; m < left; m += 2 * apart) v[m] = v[m] + (m + apart < left ? v[m + apart] : (element)0);
    }
  }
  return values[0];
}

/* The entries [first, end) of a sparse matrix times the elements of x in their columns: one chain of fma from +0. */
QN_BODY element entry_chain(QN_GLOBAL const element* value, QN_GLOBAL const qn_index32* column,
                            QN_GLOBAL const element* x, qn_index first, qn_index end) {
  element sum = 0;
  for (qn_index k = first; k < end; ++k) sum = QN_FMA(value[k], x[column[k]], sum);
  return sum;
}

/* How many nodes of an nx by ny box lie next to its sides. */
QN_BODY qn_index rim_count(qn_index nx, qn_index ny) { return nx * ny - (nx > 2 ? nx - 2 : 0) * (ny > 2 ? ny - 2 : 0); }

/* The k-th node next to the sides of an nx by ny box: bottom row, top row, then left and right of each
 * row between. Gives its column; *row is its row. */
QN_BODY qn_index rim_node(qn_index k, qn_index nx, qn_index ny, QN_PRIVATE qn_index* row) {
  const qn_index flat = ny > 1 ? 2 * nx : nx;
  const qn_index sides = nx > 1 ? 2 : 1;
  if (k < flat) {
    *row = k < nx ? 0 : ny - 1;
    return k < nx ? k : k - nx;
  }
  *row = 1 + (k - flat) / sides;
  return (k - flat) % sides == 0 ? 0 : nx - 1;
}

/* Of a kernel that may stop a run: whether an earlier launch has done so, in an earlier iteration or, in this one, by
 * another code. Rows of this launch may stop it by theirs, one number after the other, while others have yet to start.
 */
QN_BODY int stopped_before(QN_GLOBAL const qn_index* control, qn_index iteration, qn_index code) {
  return control[0] != 0 && (control[0] < iteration || (control[1] != 0 && control[1] != code));
}
