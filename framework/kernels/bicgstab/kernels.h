/* BiCGSTAB besides what all Krylov methods use: shadow is the residual that a run began with. Row k of a launch that
 * makes numbers has those of system k. Where a number that the next one is divided by is zero or not finite, the
 * method breaks down: control[0] is set to the iteration, and control[1] to 2 (shadow'r), 3 (shadow'v) or 4 (t't or
 * t's). kernels/declare.h says how to read this. */
/* clang-format off */

/* From the partials of shadow'r. */
#define BICGSTAB_BETA_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(rho, reals, inout, stretch(0, box.extent(1))) \
  A(alpha, reals, in, stretch(0, box.extent(1))) \
  A(omega, reals, in, stretch(0, box.extent(1))) \
  A(beta, reals, out, stretch(0, box.extent(1))) \
  A(iteration, integer, in, none()) \
  A(control, integers, inout, list(2))

#define BICGSTAB_DIRECTION_ARGUMENTS(A) \
  A(r, reals, in, points()) \
  A(v, reals, in, points()) \
  A(p, reals, inout, points()) \
  A(beta, reals, in, list(1)) \
  A(omega, reals, in, list(1)) \
  A(control, stop, in, list(2))

/* From the partials of shadow'v. */
#define BICGSTAB_ALPHA_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(rho, reals, in, stretch(0, box.extent(1))) \
  A(alpha, reals, out, stretch(0, box.extent(1))) \
  A(iteration, integer, in, none()) \
  A(control, integers, inout, list(2))

/* From the partials of t't, and t's. */
#define BICGSTAB_OMEGA_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(ts, reals, in, stretch(0, box.extent(1))) \
  A(omega, reals, out, stretch(0, box.extent(1))) \
  A(iteration, integer, in, none()) \
  A(control, integers, inout, list(2))

#define BICGSTAB_KERNELS(K) \
  K(bicgstab_beta, list_sums, "beta = (shadow'r / rho) (alpha / omega), rho = shadow'r", BICGSTAB_BETA_ARGUMENTS, \
    NO_CONSTANTS, per_point(1, 1)) \
  K(bicgstab_direction, map, "p = r + beta (p - omega v)", BICGSTAB_DIRECTION_ARGUMENTS, NO_CONSTANTS, \
    per_point(4, 4)) \
  K(bicgstab_alpha, list_sums, "alpha = rho / shadow'v", BICGSTAB_ALPHA_ARGUMENTS, NO_CONSTANTS, per_point(1, 1)) \
  K(bicgstab_omega, list_sums, "omega = t's / t't", BICGSTAB_OMEGA_ARGUMENTS, NO_CONSTANTS, per_point(1, 1))
