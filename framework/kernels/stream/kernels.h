/* The yardsticks of a device: of its memory, and of its arithmetic. kernels/declare.h says how to read this. */
/* clang-format off */
#define STREAM_COPY_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(y, reals, out, points())

#define STREAM_TRIAD_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(y, reals, in, points()) \
  A(z, reals, out, points()) \
  A(scale, real, in, none())

#define STREAM_MULTIPLY_ADD_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(y, reals, out, points()) \
  A(factor, real, in, none()) \
  A(summand, real, in, none())

#define STREAM_KERNELS(K) \
  K(stream_copy, map, "y = x", STREAM_COPY_ARGUMENTS, NO_CONSTANTS, per_point(2, 0)) \
  K(stream_triad, map, "z = x + scale y", STREAM_TRIAD_ARGUMENTS, NO_CONSTANTS, per_point(3, 2)) \
  K(stream_multiply_add, map, "y = the sum of 8 values near x after 64 times factor value + summand", \
    STREAM_MULTIPLY_ADD_ARGUMENTS, NO_CONSTANTS, per_point(2, 1038))
