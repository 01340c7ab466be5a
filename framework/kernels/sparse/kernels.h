/* Sparse matrices times vectors. The order of a row's sum does not depend on how the matrix is stored: its entries by
 * ascending column are cut into segments of 32; a segment is one chain of fma from +0; a row of several segments is the
 * pairwise tree over their sums. kernels/declare.h says how to read this. */
/* clang-format off */

/* The sums of segments: segment s holds the entries [at[s], at[s + 1]). Where no row is longer than a segment, segments
 * are rows. */
#define CSR_SEGMENTS_ARGUMENTS(A) \
  A(at, integers, in, stretch(box.lower[0], box.extent(0) + 1)) \
  A(column, indices, in, list(integer("entries"))) \
  A(value, reals, in, list(integer("entries"))) \
  A(x, reals, in, list(integer("columns"))) \
  A(sums, reals, out, points()) \
  A(entries, integer, in, none()) \
  A(columns, integer, in, none())

/* The long rows: y[row[k]] = the tree over sums [at[k], at[k + 1]), which it uses up. */
#define ROW_JOIN_ARGUMENTS(A) \
  A(at, integers, in, stretch(box.lower[0], box.extent(0) + 1)) \
  A(row, indices, in, points()) \
  A(sums, reals, inout, list(integer("segments"))) \
  A(y, reals, inout, list(integer("rows"))) \
  A(segments, integer, in, none()) \
  A(rows, integer, in, none())

/* Of a segment with one entry, and of a row with two segments: what a launch costs is the matrix's. */
#define SPARSE_KERNELS(K) \
  K(csr_segments, map_single, "sums of segments of the rows of A x", CSR_SEGMENTS_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 2)) \
  K(row_join, map_single, "the long rows of A x from the sums of their segments", ROW_JOIN_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 1))
