/* What preconditioners do to vectors between products with their matrices; w is such a product. Vectors are as those of
 * Krylov methods, or lists. kernels/declare.h says how to read this. */
/* clang-format off */

#define RELAX_START_ARGUMENTS(A) \
  A(d, reals, in, points()) \
  A(r, reals, in, points()) \
  A(z, reals, out, points()) \
  A(control, stop, in, list(2))

#define RELAX_SWEEP_ARGUMENTS(A) \
  A(d, reals, in, points()) \
  A(r, reals, in, points()) \
  A(w, reals, in, points()) \
  A(z, reals, inout, points()) \
  A(control, stop, in, list(2))

#define RELAX_DEFECT_ARGUMENTS(A) \
  A(r, reals, in, points()) \
  A(w, reals, inout, points()) \
  A(control, stop, in, list(2))

#define RELAX_CORRECT_ARGUMENTS(A) \
  A(w, reals, in, points()) \
  A(z, reals, inout, points()) \
  A(control, stop, in, list(2))

#define RELAX_KERNELS(K) \
  K(relax_start, map, "z = d r", RELAX_START_ARGUMENTS, NO_CONSTANTS, per_point(3, 1)) \
  K(relax_sweep, map, "z = z + d (r - w)", RELAX_SWEEP_ARGUMENTS, NO_CONSTANTS, per_point(5, 3)) \
  K(relax_defect, map, "w = r - w", RELAX_DEFECT_ARGUMENTS, NO_CONSTANTS, per_point(3, 1)) \
  K(relax_correct, map, "z = z + w", RELAX_CORRECT_ARGUMENTS, NO_CONSTANTS, per_point(3, 1))
