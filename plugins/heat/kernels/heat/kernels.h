/* Stages of explicit methods for u_t = k (u_xx + u_yy) + g(t) s(x, y) with five points: u_t at a node is g s - A u,
 * where A u = diagonal u - a (left + right) - b (down + up). */
/* clang-format off */

/* The first stage: the rate at its start, and a step of that rate. */
#define HEAT_START_ARGUMENTS(A) \
  A(u, reals, in, with_sides()) \
  A(source, reals, in, points()) \
  A(rate, reals, out, points()) \
  A(next, reals, out, points()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(growth, real, in, none()) \
  A(step, real, in, none())

/* A later stage of a method with three terms: next = whole u + now latest + last before + step (the rate of latest) +
 * first rate. */
#define HEAT_STAGE_ARGUMENTS(A) \
  A(u, reals, in, points()) \
  A(latest, reals, in, with_sides()) \
  A(before, reals, in, points()) \
  A(source, reals, in, points()) \
  A(rate, reals, in, points()) \
  A(next, reals, out, points()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(growth, real, in, none()) \
  A(whole, real, in, none()) \
  A(now, real, in, none()) \
  A(last, real, in, none()) \
  A(step, real, in, none()) \
  A(first, real, in, none())

#define HEAT_ENERGY_ARGUMENTS(A) \
  A(u, reals, in, points()) \
  A(partials, reals, out, blocks())

#define HEAT_KERNELS(K) \
  K(heat_start, map, "rate = g s - A u, next = u + step rate", HEAT_START_ARGUMENTS, NO_CONSTANTS, per_point(4, 9)) \
  K(heat_stage, map, "a later stage of an explicit method", HEAT_STAGE_ARGUMENTS, NO_CONSTANTS, per_point(6, 16)) \
  K(heat_energy, block_sums, "block sums of u u", HEAT_ENERGY_ARGUMENTS, NO_CONSTANTS, per_point(1, 2))
