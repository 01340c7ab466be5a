/* Sums of lists by the pairwise tree. kernels/declare.h says how to read this. */
/* clang-format off */
#define SUM_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(sums, reals, out, stretch(integer("slot"), box.extent(1))) \
  A(slot, integer, in, none())

/* Of successive iterations from `iteration` on: norms[slot + row] = sqrt(scale * sum of partials of that row) /
 * divisor; box: the partials of an iteration by the iterations. Sets control[0] to the first whose norm is <= tolerance
 * (a negative tolerance never stops; it looks at multiples of `every`, 1 or more, only) or is not finite, then
 * control[1] = 1. An earlier iteration in control[0], or another code in control[1], has stopped it; it never holds a
 * later one when the launch begins. */
#define RESIDUAL_NORM_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(norms, reals, inout, stretch(integer("slot"), box.extent(1))) \
  A(slot, integer, in, none()) \
  A(iteration, integer, in, none()) \
  A(every, integer, in, none()) \
  A(scale, real, in, none()) \
  A(divisor, real, in, none()) \
  A(tolerance, real, in, none()) \
  A(control, integers, inout, list(2))

#define REDUCE_KERNELS(K) \
  K(sum, list_sums, "sums[slot + row] = the sum of a row", SUM_ARGUMENTS, NO_CONSTANTS, per_point(1, 1)) \
  K(residual_norm, list_sums, "norm from block sums, and the stop rule", RESIDUAL_NORM_ARGUMENTS, NO_CONSTANTS, \
    per_point(1, 1))
