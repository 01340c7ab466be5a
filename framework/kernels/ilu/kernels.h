/* Incomplete factors of a sparse matrix, and the triangular systems that they leave. kernels/declare.h says how to read
 * this. */
/* clang-format off */

/* One sweep over all entries of the factors L, without its ones, and U of a matrix, which take the places of its own:
 * entry k of row i is in column[k], and at[i] <= k < at[i + 1]. All of `made` come from `known`, so that the order of
 * entries makes no difference. */
#define ILU_SWEEP_ARGUMENTS(A) \
  A(at, integers, in, list(integer("rows") + 1)) \
  A(column, indices, in, list(integer("entries"))) \
  A(row, indices, in, points()) \
  A(value, reals, in, points()) \
  A(known, reals, in, list(integer("entries"))) \
  A(made, reals, out, points()) \
  A(rows, integer, in, none()) \
  A(entries, integer, in, none())

/* The rows of a triangular system (I + N) z = r that need no other row of the launch: the i-th of its matrix, whose
 * rows are ordered by level, is row[i]. A row's sum is that of a product, in segments of 32 entries; the sums of
 * segments of a long row lie in `sums` from at[i] / 32 + i on, where no other row's are. */
#define ILU_LEVEL_ARGUMENTS(A) \
  A(at, integers, in, stretch(box.lower[0], box.extent(0) + 1)) \
  A(row, indices, in, points()) \
  A(column, indices, in, list(integer("entries"))) \
  A(value, reals, in, list(integer("entries"))) \
  A(r, reals, in, list(integer("rows"))) \
  A(sums, reals, inout, list(integer("segments"))) \
  A(z, reals, inout, list(integer("rows"))) \
  A(entries, integer, in, none()) \
  A(segments, integer, in, none()) \
  A(rows, integer, in, none()) \
  A(control, stop, in, list(2))

/* Of an entry without others to subtract, and of a row with one entry: what a launch costs is the matrix's. */
#define ILU_KERNELS(K) \
  K(ilu_sweep, map_single, "a sweep over the entries of incomplete factors", ILU_SWEEP_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 1)) \
  K(ilu_level, map_single, "z = r - N z for the rows of a level", ILU_LEVEL_ARGUMENTS, NO_CONSTANTS, per_point(4, 3))
