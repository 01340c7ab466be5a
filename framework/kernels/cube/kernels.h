/* The kernels of jacobi and diffusion in three dimensions. Rows are those of all planes, one plane after the other,
 * `plane` rows from each to the next: between two planes lie the rows that belong to their sides. Those have 0 in
 * `inside`, and what would be left of their equations is 0, so that they stay as they are; others have 1.
 * kernels/declare.h says how to read this. */
/* clang-format off */

/* A = -d2/dx2 - d2/dy2 - d2/dz2 with seven points. */
#define CUBE_LAPLACIAN_ARGUMENTS(A) \
  A(u, reals, in, with_sides(integer("plane") - 1, integer("plane") - 1)) \
  A(au, reals, out, points()) \
  A(inside, reals, in, along(1, 1)) \
  A(plane, integer, in, none()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(c, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(control, stop, in, list(2))

/* What a sweep takes before its weight. */
#define CUBE_SWEEP_FIELDS(A) \
  A(u, reals, in, with_sides(integer("plane") - 1, integer("plane") - 1)) \
  A(f, reals, in, points()) \
  A(u_new, reals, out, points()) \
  A(partials, reals, out, blocks()) \
  A(inside, reals, in, along(1, 1)) \
  A(plane, integer, in, none()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(c, real, in, none()) \
  A(diagonal, real, in, none())

#define CUBE_SWEEP_ARGUMENTS(A) \
  CUBE_SWEEP_FIELDS(A) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

/* `count` such sweeps in one pass, 2 to the constant `depth`, each with its own weight: u_new is the last iterate, the
 * sides belong to all, and the partials of r*r of sweep s follow those of sweep s - 1. Only backends that do this faster
 * than one sweep after the other have it. */
#define CUBE_SWEEPS_ARGUMENTS(A) \
  CUBE_SWEEP_FIELDS(A) \
  A(weights, reals, in, list(1)) \
  A(count, integer, in, none()) \
  A(control, stop, in, list(2))

/* A u as in diffusion, with kz(k) on the face between planes k - 1 and k. */
#define CUBE_FLOW_ARGUMENTS(A) \
  A(u, reals, in, with_sides(integer("plane") - 1, integer("plane") - 1)) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, points(0, 1)) \
  A(kz, reals, in, points(0, integer("plane"))) \
  A(sink, reals, in, points()) \
  A(au, reals, out, points()) \
  A(inside, reals, in, along(1, 1)) \
  A(plane, integer, in, none()) \
  A(control, stop, in, list(2))

/* D is the sum of a node's six faces and the sink. */
#define CUBE_FLOW_UPDATE_ARGUMENTS(A) \
  A(u, reals, inout, points()) \
  A(f, reals, in, points()) \
  A(au, reals, in, points()) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, points(0, 1)) \
  A(kz, reals, in, points(0, integer("plane"))) \
  A(sink, reals, in, points()) \
  A(r, reals, out, points()) \
  A(plane, integer, in, none()) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

#define CUBE_FLOW_SWEEP_FIELDS(A) \
  A(u, reals, in, with_sides(integer("plane") - 1, integer("plane") - 1)) \
  A(f, reals, in, points()) \
  A(kx, reals, in, with_sides()) \
  A(ky, reals, in, points(0, 1)) \
  A(kz, reals, in, points(0, integer("plane"))) \
  A(sink, reals, in, points()) \
  A(u_new, reals, out, points()) \
  A(partials, reals, out, blocks()) \
  A(inside, reals, in, along(1, 1)) \
  A(plane, integer, in, none())

#define CUBE_FLOW_SWEEP_ARGUMENTS(A) \
  CUBE_FLOW_SWEEP_FIELDS(A) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

/* As cube_sweeps. */
#define CUBE_FLOW_SWEEPS_ARGUMENTS(A) \
  CUBE_FLOW_SWEEP_FIELDS(A) \
  A(weights, reals, in, list(1)) \
  A(count, integer, in, none()) \
  A(control, stop, in, list(2))

/* coarse_f = the sum over s < across_count of across(i, s) times the sum over t < down_count of down(j, t) times the
 * sum over p < through_count of through(j, p) times f - au at (columns[i] + s, rows[j] + t) of the finer grid, p planes
 * on; coarse_u = 0. Which nodes of f and au are read depends on the tables. */
#define CUBE_RESTRICT_ARGUMENTS(A) \
  A(f, reals, in, points()) \
  A(au, reals, in, points()) \
  A(coarse_u, reals, out, points()) \
  A(coarse_f, reals, out, points()) \
  A(columns, integers, in, along(0, 1)) \
  A(across, reals, in, along(0, integer("across_count"))) \
  A(rows, integers, in, along(1, 1)) \
  A(down, reals, in, along(1, integer("down_count"))) \
  A(through, reals, in, along(1, integer("through_count"))) \
  A(across_count, integer, in, none()) \
  A(down_count, integer, in, none()) \
  A(through_count, integer, in, none()) \
  A(plane, integer, in, none()) \
  A(control, stop, in, list(2))

/* u = u + inside times coarse_u between its nodes: across[i] of the way from column columns[i] to the next, down[j]
 * from row rows[j] to the next, and through[j] from there to the next plane, `plane` rows on. Which coarse nodes are
 * read depends on the tables; the first always is. */
#define CUBE_PROLONG_ARGUMENTS(A) \
  A(u, reals, inout, points()) \
  A(coarse_u, reals, in, list(1)) \
  A(columns, integers, in, along(0, 1)) \
  A(across, reals, in, along(0, 1)) \
  A(rows, integers, in, along(1, 1)) \
  A(down, reals, in, along(1, 1)) \
  A(through, reals, in, along(1, 1)) \
  A(inside, reals, in, along(1, 1)) \
  A(plane, integer, in, none()) \
  A(control, stop, in, list(2))

#define CUBE_SWEEPS_CONSTANTS(C) C(depth, 2, deepest_row_pass, deepest_row_pass)

#define CUBE_KERNELS(K) \
  K(cube_laplacian, map, "au = A u with seven points", CUBE_LAPLACIAN_ARGUMENTS, NO_CONSTANTS, per_point(2, 11)) \
  K(cube_sweep, block_sums, "a Jacobi sweep with seven points, with block sums of r r", CUBE_SWEEP_ARGUMENTS, \
    NO_CONSTANTS, per_point(3, 16)) \
  K(cube_sweeps, own_sweeps, "Jacobi sweeps with seven points in one pass, with block sums of r r", \
    CUBE_SWEEPS_ARGUMENTS, CUBE_SWEEPS_CONSTANTS, by(cube_sweeps_cost)) \
  K(cube_flow, map, "au = A u with coefficients on faces in space", CUBE_FLOW_ARGUMENTS, NO_CONSTANTS, \
    per_point(6, 20)) \
  K(cube_flow_update, map, "r = f - au, u = u + weight r / D in space", CUBE_FLOW_UPDATE_ARGUMENTS, NO_CONSTANTS, \
    per_point(9, 10)) \
  K(cube_flow_sweep, block_sums, "a Jacobi sweep with coefficients on faces in space, with block sums of r r", \
    CUBE_FLOW_SWEEP_ARGUMENTS, NO_CONSTANTS, per_point(7, 32)) \
  K(cube_flow_sweeps, own_sweeps, "Jacobi sweeps with coefficients on faces in space in one pass, with block sums of r r", \
    CUBE_FLOW_SWEEPS_ARGUMENTS, CUBE_SWEEPS_CONSTANTS, by(cube_flow_sweeps_cost)) \
  K(cube_restrict, map_single, "residual onto a coarser grid in space", CUBE_RESTRICT_ARGUMENTS, NO_CONSTANTS, \
    per_point(18, 105)) \
  K(cube_prolong, map_single, "u = u + a coarser grid's correction in space", CUBE_PROLONG_ARGUMENTS, NO_CONSTANTS, \
    per_point(2.125, 23))
