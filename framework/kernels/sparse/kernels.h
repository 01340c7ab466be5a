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

/* The same for rows of one segment each, with block sums of v y: element (i, j) of y is that of row 16 j + i, so that a
 * slice has two rows of the plane. */
#define SELL_PRODUCT_ARGUMENTS(A) \
  A(value_at, integers, in, stretch(box.lower[1] / 2, box.extent(1) / 2)) \
  A(pattern_at, integers, in, stretch(box.lower[1] / 2, box.extent(1) / 2)) \
  A(steps, indices, in, stretch(box.lower[1] / 2, box.extent(1) / 2)) \
  A(kind, indices, in, stretch(box.lower[1] / 2, box.extent(1) / 2)) \
  A(pattern, indices, in, list(integer("patterns"))) \
  A(value, reals, in, list(integer("values"))) \
  A(x, reals, in, list(integer("columns"))) \
  A(v, reals, in, points()) \
  A(y, reals, out, points()) \
  A(partials, reals, out, blocks()) \
  A(patterns, integer, in, none()) \
  A(values, integer, in, none()) \
  A(columns, integer, in, none()) \
  A(control, stop, in, list(2))

/* Sums of segments where the first `steps` entries of all lie side by side: entry k of segment i is element (i, k) of
 * `value`. Its column is QN_NOTHING where the segment has no such entry; there the value is -0, which changes no sum. */
#define ELL_SEGMENTS_ARGUMENTS(A) \
  A(column, indices, in, lanes(integer("steps"))) \
  A(value, reals, in, lanes(integer("steps"))) \
  A(x, reals, in, list(integer("columns"))) \
  A(sums, reals, out, points()) \
  A(steps, integer, in, none()) \
  A(columns, integer, in, none())

/* The same where each entry tells its segment. Entries are ordered by segment, then by column, and run i of them, the
 * entries [at[i], at[i + 1]), holds all of its segments: no chain is cut, and no two runs write to one sum. A chain
 * begins at +0 or, where `continued` is 1, at the sum that is there: of the segment's first entries. What is no entry is
 * stored as in ell_segments; the sums of segments without entries stay as they are. */
#define COO_SEGMENTS_ARGUMENTS(A) \
  A(at, integers, in, stretch(box.lower[0], box.extent(0) + 1)) \
  A(segment, indices, in, list(integer("entries"))) \
  A(column, indices, in, list(integer("entries"))) \
  A(value, reals, in, list(integer("entries"))) \
  A(x, reals, in, list(integer("columns"))) \
  A(sums, reals, inout, list(integer("segments"))) \
  A(continued, integer, in, none()) \
  A(entries, integer, in, none()) \
  A(columns, integer, in, none()) \
  A(segments, integer, in, none())

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
  K(sell_product, block_sums, "y = A x, 32 rows at a time, with block sums of v y", SELL_PRODUCT_ARGUMENTS, \
    NO_CONSTANTS, per_point(4, 4)) \
  K(ell_segments, map, "sums of segments of the rows of A x, entry by entry of all", ELL_SEGMENTS_ARGUMENTS, \
    NO_CONSTANTS, per_point(3, 2)) \
  K(coo_segments, map_single, "sums of segments of the rows of A x, by runs of entries", COO_SEGMENTS_ARGUMENTS, \
    NO_CONSTANTS, per_point(3, 2)) \
  K(row_join, map_single, "the long rows of A x from the sums of their segments", ROW_JOIN_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 1))
