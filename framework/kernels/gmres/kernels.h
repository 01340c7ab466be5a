/* GMRES with classical Gram-Schmidt, done twice. The vectors of the basis are planes, one below the other, each of as
 * many rows as `rows` says. What makes its numbers does so for the first row or point of its box alone.
 * kernels/declare.h says how to read this. */
/* clang-format off */

/* Row k of the box: the partials of w'v_k. h adds up over the passes. */
#define GMRES_DOTS_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(dots, reals, out, stretch(0, box.extent(1))) \
  A(h, reals, inout, stretch(0, box.extent(1))) \
  A(pass, integer, in, none()) \
  A(control, integers, in, list(2))

#define GMRES_SUBTRACT_ARGUMENTS(A) \
  A(basis, reals, in, stacked(integer("count"), integer("rows"))) \
  A(dots, reals, in, list(integer("count"))) \
  A(w, reals, inout, points()) \
  A(partials, reals, out, blocks()) \
  A(count, integer, in, none()) \
  A(rows, integer, in, none()) \
  A(control, stop, in, list(2))

/* From the partials of w'w: column `column` of the Hessenberg matrix, whose last element is the norm of w, becomes one
 * of a triangular matrix by the rotations of the columns before and by a new one. g is the right-hand side, and the
 * magnitude of its last element the norm of the residual: it goes to norms[slot]. inverse = 1 / norm of w. Sets
 * control[0] to the iteration where that norm is <= tolerance or not finite, with 1 in control[1]; and with 2 where
 * the column has become zero. */
#define GMRES_ROTATE_ARGUMENTS(A) \
  A(values, reals, in, points()) \
  A(h, reals, inout, list(integer("column") + 1)) \
  A(cosines, reals, inout, list(integer("column") + 1)) \
  A(sines, reals, inout, list(integer("column") + 1)) \
  A(g, reals, inout, list(integer("column") + 2)) \
  A(inverse, reals, out, list(1)) \
  A(norms, reals, out, stretch(integer("slot"), 1)) \
  A(column, integer, in, none()) \
  A(slot, integer, in, none()) \
  A(iteration, integer, in, none()) \
  A(tolerance, real, in, none()) \
  A(control, integers, inout, list(2))

#define GMRES_EXTEND_ARGUMENTS(A) \
  A(w, reals, in, points()) \
  A(inverse, reals, in, list(1)) \
  A(v, reals, out, points()) \
  A(control, stop, in, list(2))

/* The triangular matrix is stored column by column, `pitch` apart. */
#define GMRES_SOLVE_ARGUMENTS(A) \
  A(h, reals, in, list(integer("count") * integer("pitch"))) \
  A(g, reals, in, list(integer("count"))) \
  A(y, reals, out, list(integer("count"))) \
  A(count, integer, in, none()) \
  A(pitch, integer, in, none())

#define GMRES_COMBINE_ARGUMENTS(A) \
  A(basis, reals, in, stacked(integer("count"), integer("rows"))) \
  A(y, reals, in, list(integer("count"))) \
  A(u, reals, out, points()) \
  A(count, integer, in, none()) \
  A(rows, integer, in, none())

#define GMRES_CORRECT_ARGUMENTS(A) \
  A(x, reals, in, points()) \
  A(z, reals, in, points()) \
  A(corrected, reals, out, points())

/* What passes over the basis and the small systems cost is counted for one vector. */
#define GMRES_KERNELS(K) \
  K(gmres_dots, list_sums, "dots of w with the basis", GMRES_DOTS_ARGUMENTS, NO_CONSTANTS, per_point(1, 1)) \
  K(gmres_subtract, block_sums, "w = w - sum of dots v, with block sums of w w", GMRES_SUBTRACT_ARGUMENTS, \
    NO_CONSTANTS, per_point(3, 4)) \
  K(gmres_rotate, list_sums, "a column of the triangular matrix, and the residual", GMRES_ROTATE_ARGUMENTS, \
    NO_CONSTANTS, per_point(1, 1)) \
  K(gmres_extend, map, "v = w / norm of w", GMRES_EXTEND_ARGUMENTS, NO_CONSTANTS, per_point(2, 1)) \
  K(gmres_solve, map_single, "the coefficients y of the solution", GMRES_SOLVE_ARGUMENTS, NO_CONSTANTS, \
    per_point(3, 2)) \
  K(gmres_combine, map, "u = sum of y v", GMRES_COMBINE_ARGUMENTS, NO_CONSTANTS, per_point(2, 2)) \
  K(gmres_correct, map, "corrected = x + z", GMRES_CORRECT_ARGUMENTS, NO_CONSTANTS, per_point(3, 1))
