/* Jacobi sweeps on a grid, A = -d2/dx2 - d2/dy2 with five points, and what multigrid adds. kernels/declare.h says how
 * to read this. */
/* clang-format off */
#define JACOBI_LAPLACIAN_ARGUMENTS(A) \
  A(u, reals, in, with_sides()) \
  A(au, reals, out, points()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(control, stop, in, list(2))

/* The same operator, on the nodes of the box that lie next to its sides. */
#define JACOBI_BOUNDARY_ARGUMENTS(A) \
  A(u, reals, in, with_sides()) \
  A(au, reals, out, rim()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(control, stop, in, list(2))

#define JACOBI_UPDATE_ARGUMENTS(A) \
  A(u, reals, inout, points()) \
  A(f, reals, in, points()) \
  A(au, reals, in, points()) \
  A(r, reals, out, points()) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

#define JACOBI_NORM_ARGUMENTS(A) \
  A(r, reals, in, points()) \
  A(partials, reals, out, blocks()) \
  A(control, stop, in, list(2))

/* `count` sweeps r = f - A u, u = u + weights[s] * r in one pass, 1 to the constant `depth`: u_new is the last iterate,
 * the ring around u belongs to all, weights are not negative, and the partials of r*r of sweep s follow those of sweep
 * s - 1, whole rows of blocks with the same pitch. f is the array with rhs_array = 1, else the number f_constant. Every
 * backend has depth 1; more is for those that do several sweeps faster than one after the other.
 * The box may be a part of a grid whose nodes go on in `below` rows under it and `above` rows over it, count - 1 at most
 * each: all sweeps but the last work on those as well, as far as later ones of the box depend on them, and leave
 * nothing there. With `above`, the box has whole rows of blocks. */
#define JACOBI_SWEEPS_ARGUMENTS(A) \
  A(u, reals, in, with_sides(integer("below"), integer("above"))) \
  A(f, reals, in_optional, where(constant("rhs_array"), points(integer("below"), integer("above")))) \
  A(u_new, reals, out, points()) \
  A(partials, reals, out, blocks()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(weights, reals, in, list(1)) \
  A(f_constant, real, in, none()) \
  A(count, integer, in, none()) \
  A(below, integer, in, none()) \
  A(above, integer, in, none()) \
  A(control, stop, in, list(2))

/* For each node (i, j) of the box, on a coarser grid: coarse_f = the sum over s < across_count of across(i, s) times
 * the sum over t < down_count of down(j, t) times the residual f - A u of the finer grid at (columns[i] + s, rows[j] +
 * t); coarse_u = weight * coarse_f, a sweep from zero. Which nodes of u and f are read depends on the tables. */
#define JACOBI_RESTRICT_ARGUMENTS(A) \
  A(u, reals, in, points()) \
  A(f, reals, in_optional, where(constant("rhs_array"), points())) \
  A(coarse_u, reals, out, points()) \
  A(coarse_f, reals, out, points()) \
  A(columns, integers, in, along(0, 1)) \
  A(across, reals, in, along(0, integer("across_count"))) \
  A(rows, integers, in, along(1, 1)) \
  A(down, reals, in, along(1, integer("down_count"))) \
  A(across_count, integer, in, none()) \
  A(down_count, integer, in, none()) \
  A(a, real, in, none()) \
  A(b, real, in, none()) \
  A(diagonal, real, in, none()) \
  A(f_constant, real, in, none()) \
  A(weight, real, in, none()) \
  A(control, stop, in, list(2))

/* u = u + coarse_u between its nodes: across[i] of the way from column columns[i] to the next, and down[j] from row
 * rows[j] to the next, for each node (i, j) of the box; -1 is the ring. Which coarse nodes are read depends on the
 * tables; the first always is. */
#define JACOBI_PROLONG_ARGUMENTS(A) \
  A(u, reals, inout, points()) \
  A(coarse_u, reals, in, list(1)) \
  A(columns, integers, in, along(0, 1)) \
  A(across, reals, in, along(0, 1)) \
  A(rows, integers, in, along(1, 1)) \
  A(down, reals, in, along(1, 1)) \
  A(control, stop, in, list(2))

#define JACOBI_RHS_CONSTANTS(C) C(rhs_array, 0, 1, 1)
#define JACOBI_SWEEPS_CONSTANTS(C) \
  C(rhs_array, 0, 1, 1) \
  C(depth, 1, deepest_pass, deepest_pass)

#define JACOBI_KERNELS(K) \
  K(jacobi_laplacian, map, "au = A u on a box", JACOBI_LAPLACIAN_ARGUMENTS, NO_CONSTANTS, per_point(2, 7)) \
  K(jacobi_boundary, map_rim, "au = A u next to the sides of a box", JACOBI_BOUNDARY_ARGUMENTS, NO_CONSTANTS, \
    per_point(2, 7)) \
  K(jacobi_update, map, "r = f - au, u = u + weight r", JACOBI_UPDATE_ARGUMENTS, NO_CONSTANTS, per_point(5, 3)) \
  K(jacobi_norm, block_sums, "block sums of r r", JACOBI_NORM_ARGUMENTS, NO_CONSTANTS, per_point(1, 2)) \
  K(jacobi_sweeps, own_sweeps, "Jacobi sweeps in one pass, with block sums of r r", JACOBI_SWEEPS_ARGUMENTS, \
    JACOBI_SWEEPS_CONSTANTS, by(jacobi_sweeps_cost)) \
  K(jacobi_restrict, own_map, "residual onto a coarser grid", JACOBI_RESTRICT_ARGUMENTS, JACOBI_RHS_CONSTANTS, \
    by(jacobi_restrict_cost)) \
  K(jacobi_prolong, map_single, "u = u + a coarser grid's correction", JACOBI_PROLONG_ARGUMENTS, NO_CONSTANTS, \
    per_point(2.25, 10))
