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

/* The same where 32 successive segments are a slice: i is the segment's lane in slice j. A slice has as many steps as
 * its longest segment has entries, or a few more, and of each step 32 values. The patterns tell their columns:
 *   kind 0  of each step how far column and lane are apart, the same for all lanes
 *   kind 1  of each step that, and a bit for each lane that has an entry
 *   kind 2  of each step for each lane the column less the number of the slice's first segment, or QN_NOTHING
 * so that slices which are alike may have the same values, or pattern, in memory. What is no entry has the value -0,
 * which changes no sum. */
#define SELL_SEGMENTS_ARGUMENTS(A) \
  A(value_at, integers, in, stretch(box.lower[1], box.extent(1))) \
  A(pattern_at, integers, in, stretch(box.lower[1], box.extent(1))) \
  A(steps, indices, in, stretch(box.lower[1], box.extent(1))) \
  A(kind, indices, in, stretch(box.lower[1], box.extent(1))) \
  A(pattern, indices, in, list(integer("patterns"))) \
  A(value, reals, in, list(integer("values"))) \
  A(x, reals, in, list(integer("columns"))) \
  A(sums, reals, out, points()) \
  A(patterns, integer, in, none()) \
  A(values, integer, in, none()) \
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
  K(sell_segments, map, "sums of segments of the rows of A x, 32 at a time", SELL_SEGMENTS_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 2)) \
  K(row_join, map_single, "the long rows of A x from the sums of their segments", ROW_JOIN_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 1))
