/* Jacobi sweeps for -div(k grad u) + c u = f with k and c that vary. The equation of a node is the balance of its cell,
 * divided by dx dy:
 *     A u = kx(i) (u - left) + kx(i + 1) (u - right) + ky(j) (u - below) + ky(j + 1) (u - above) + sink u,
 * so that what crosses a face leaves one cell and enters the next. kx(i) belongs to the face between columns i - 1 and
 * i, ky(j) to that between rows j - 1 and j; a face that nothing crosses has 0. kernels/declare.h says how to read
 * this. */
/* clang-format off */
#define DIFFUSION_OPERATOR_ARGUMENTS(A) \
  A(u, reals, in, with_sides()) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, with_sides()) \
  A(sink, reals, in, points()) \
  A(au, reals, out, points()) \
  A(control, stop, in, list(2))

/* D is the factor of the node's own value in A u: the sum of its four faces and the sink. */
#define DIFFUSION_UPDATE_ARGUMENTS(A) \
  A(u, reals, inout, points()) \
  A(f, reals, in, points()) \
  A(au, reals, in, points()) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, with_sides()) \
  A(sink, reals, in, points()) \
  A(r, reals, out, points()) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

/* What a sweep takes before its weight. */
#define DIFFUSION_SWEEP_FIELDS(A) \
  A(u, reals, in, with_sides()) \
  A(f, reals, in, points()) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, with_sides()) \
  A(sink, reals, in, points()) \
  A(u_new, reals, out, points()) \
  A(partials, reals, out, blocks())

#define DIFFUSION_SWEEP_ARGUMENTS(A) \
  DIFFUSION_SWEEP_FIELDS(A) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

/* `count` such sweeps in one pass, 2 to the constant `depth`, each with its own weight: u_new is the last iterate, the
 * sides belong to all, and the partials of r*r of sweep s follow those of sweep s - 1. Only backends that do this faster
 * than one sweep after the other have it. */
#define DIFFUSION_SWEEPS_ARGUMENTS(A) \
  DIFFUSION_SWEEP_FIELDS(A) \
  A(weights, reals, in, list(1)) \
  A(count, integer, in, none()) \
  A(control, stop, in, list(2))

#define DIFFUSION_SWEEPS_CONSTANTS(C) C(depth, 2, deepest_row_pass, deepest_row_pass)

#define DIFFUSION_KERNELS(K) \
  K(diffusion_operator, map, "au = A u with coefficients on faces", DIFFUSION_OPERATOR_ARGUMENTS, NO_CONSTANTS, \
    per_point(5, 13)) \
  K(diffusion_update, map, "r = f - au, u = u + weight r / D", DIFFUSION_UPDATE_ARGUMENTS, NO_CONSTANTS, \
    per_point(8, 8)) \
  K(diffusion_sweep, block_sums, "a Jacobi sweep with coefficients on faces, with block sums of r r", \
    DIFFUSION_SWEEP_ARGUMENTS, NO_CONSTANTS, per_point(6, 23)) \
  K(diffusion_sweeps, own_sweeps, "Jacobi sweeps with coefficients on faces in one pass, with block sums of r r", \
    DIFFUSION_SWEEPS_ARGUMENTS, DIFFUSION_SWEEPS_CONSTANTS, by(diffusion_sweeps_cost))
