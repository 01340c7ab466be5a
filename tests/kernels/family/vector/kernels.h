/* What the test adds: a map kernel, one of block sums and one of list sums. */
/* clang-format off */
#define AXPY_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(y, reals, inout, points()) \
  A(a, real, in, none()) \
  A(control, stop, in, list(2))

#define DOT_BLOCKS_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(y, reals, in, points()) \
  A(partials, reals, out, blocks())

#define MEAN_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(means, reals, out, stretch(0, box.extent(1))) \
  A(count, integer, in, none())

#define VECTOR_KERNELS(K) \
  K(axpy, map, "y = y + a x", AXPY_ARGUMENTS, NO_CONSTANTS, per_point(3, 2)) \
  K(dot_blocks, block_sums, "block sums of x y", DOT_BLOCKS_ARGUMENTS, NO_CONSTANTS, per_point(2, 2)) \
  K(mean, list_sums, "means of lists", MEAN_ARGUMENTS, NO_CONSTANTS, per_point(1, 1))
