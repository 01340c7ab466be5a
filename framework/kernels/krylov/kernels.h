/* Krylov methods for linear systems. Vectors are planes 16 wide, zero behind their last element, so that the blocks of
 * a dot product are 512 successive elements. The numbers of a recurrence stay on the device: row k of a launch that
 * makes them has those of system k, and vectors use those of one. kernels/declare.h says how to read this. */
/* clang-format off */

#define KRYLOV_PRODUCT_ARGUMENTS(A) \
  A(u, reals, in, points()) \
  A(v, reals, in, points()) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

#define KRYLOV_RESIDUAL_ARGUMENTS(A) \
  A(b, reals, in, points()) \
  A(y, reals, in, points()) \
  A(r, reals, out, points()) \
  A(partials, reals, out, blocks())

/* A diagonal is an array `d`, or where it does not vary the number `same`. */
#define KRYLOV_DIAGONAL_ARGUMENTS(A) \
  A(d, reals, in_optional, where(integer("varies") != 0, points())) \
  A(varies, integer, in, none()) \
  A(same, real, in, none())

#define KRYLOV_SCALE_ARGUMENTS(A) \
  KRYLOV_DIAGONAL_ARGUMENTS(A) \
  A(r, reals, in, points()) \
  A(z, reals, out, points()) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

#define CG_RESIDUAL_ARGUMENTS(A) \
  KRYLOV_DIAGONAL_ARGUMENTS(A) \
  A(w, reals, in, points()) \
  A(r, reals, inout, points()) \
  A(alpha, reals, in, list(1)) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

#define CG_ADVANCE_ARGUMENTS(A) \
  KRYLOV_DIAGONAL_ARGUMENTS(A) \
  A(r, reals, in, points()) \
  A(x, reals, inout, points()) \
  A(p, reals, inout, points()) \
  A(alpha, reals, in, list(1)) \
  A(beta, reals, in, list(1)) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

#define KRYLOV_DIRECTION_ARGUMENTS(A) \
  A(z, reals, in, points()) \
  A(p, reals, inout, points()) \
  A(beta, reals, in, list(1)) \
  A(control, stop, in, list(2))

#define KRYLOV_STEP_ARGUMENTS(A) \
  A(p, reals, in, points()) \
  A(w, reals, in, points()) \
  A(x, reals, inout, points()) \
  A(r, reals, inout, points()) \
  A(alpha, reals, in, list(1)) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

/* From the partials of p'Ap. Where it is not positive and finite, the method breaks down: control[0] is set to the
 * iteration and control[1] to 2. */
#define CG_ALPHA_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(rho, reals, in, stretch(0, box.extent(1))) \
  A(curvature, reals, out, stretch(0, box.extent(1))) \
  A(alpha, reals, out, stretch(0, box.extent(1))) \
  A(iteration, integer, in, none()) \
  A(control, integers, inout, list(2))

/* From the partials of r'z. */
#define CG_BETA_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(rho, reals, inout, stretch(0, box.extent(1))) \
  A(beta, reals, out, stretch(0, box.extent(1))) \
  A(control, integers, in, list(2))

#define KRYLOV_KERNELS(K) \
  K(krylov_product, block_sums, "block sums of u v", KRYLOV_PRODUCT_ARGUMENTS, NO_CONSTANTS, per_point(2, 2)) \
  K(krylov_residual, block_sums, "r = b - y, with block sums of r r", KRYLOV_RESIDUAL_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 3)) \
  K(krylov_scale, block_sums, "z = d r, with block sums of r z", KRYLOV_SCALE_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 3)) \
  K(cg_residual, block_sums, "r = r - alpha w, with block sums of r d r", CG_RESIDUAL_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 5)) \
  K(cg_advance, block_sums, "x = x + alpha p, p = d r + beta p, with block sums of r r", CG_ADVANCE_ARGUMENTS, \
    NO_CONSTANTS, per_point(5, 7)) \
  K(krylov_direction, map, "p = z + beta p", KRYLOV_DIRECTION_ARGUMENTS, NO_CONSTANTS, per_point(3, 2)) \
  K(krylov_step, block_sums, "x = x + alpha p, r = r - alpha w, with block sums of r r", KRYLOV_STEP_ARGUMENTS, \
    NO_CONSTANTS, per_point(6, 6)) \
  K(cg_alpha, list_sums, "alpha = rho / p'Ap", CG_ALPHA_ARGUMENTS, NO_CONSTANTS, per_point(1, 1)) \
  K(cg_beta, list_sums, "beta = r'z / rho, rho = r'z", CG_BETA_ARGUMENTS, NO_CONSTANTS, per_point(1, 1))
