/* How a family of kernels is declared, in text that C++, C99 and OpenCL C read alike. A family is a folder: kernels.h
 * declares its kernels, bodies.h has their bodies, facts.hpp (where there is one) its constants and costs in C++,
 * oracle.cpp what conformance compares backends with. */
/* clang-format off */
/*
 *   FAMILY_KERNELS(K)   a line K(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) for each kernel
 *   ARGUMENTS(A)        a line A(name, kind, intent, extent) for each argument, in the order of a launch
 *   CONSTANTS(C)        a line C(name, first, last, last in float) for each compile-time constant; first is its default
 *
 * name     of a kernel or an argument: no function of OpenCL C, such as `dot` or `length`
 * pattern  how the body NAME_point(NAME_arguments, i, j) is called:
 *            map         for each point of the box, or for a SIMD pack of them
 *            map_single  for one point at a time
 *            map_groups  the same, by work-groups of 64, so that few points are shared by many processors
 *            map_rim     for each point next to the box's sides, one at a time
 *            block_sums  like map; what it returns is summed over blocks of 16 x 32 points to the argument `partials`
 *            list_sums   NAME_point(NAME_arguments, k, sum): for row k of the box, with the sum of that row of the
 *                        argument `values` by the pairwise tree; unless NAME_stopped(NAME_arguments)
 *            own_...     by hand, because constants become template arguments: the family's launch.hpp, and kernels.cl;
 *                        own_sweeps may be missing from a backend, or from some depth on
 * kind     reals: an array of the kernel's precision; integers: one of 64-bit integers; indices: one of 32-bit
 *          integers, for what reads many; real, integer: a number;
 *          stop: the run's two integers, and the launch leaves everything as it is where the first is not 0
 * intent   in, out, inout; in_optional, inout_optional for an array that may be absent
 * extent   what a launch touches of an array, in the words of quoin/extents.hpp
 * cost     of a launch: per_point(elements moved, operations; an fma counts 2), or by(function of the family)
 */
/* clang-format on */
#ifndef QN_DECLARE
#define QN_DECLARE

#define NO_CONSTANTS(C)

/* Among offsets of 32 bits: there is no element. QN_GATHER_FROM gives zero for it. */
#define QN_NOTHING (-2147483647 - 1)

#ifndef __cplusplus /* where it is kernels::Range */
typedef struct {
  qn_index i0, i1, j0, j1;
} qn_box;
#endif

/* The body's arguments: the box, then for an array NAME and NAME_pitch, for a number NAME. A body never sees `stop`. */
#define QN_CONST_in const
#define QN_CONST_in_optional const
#define QN_CONST_out
#define QN_CONST_inout
#define QN_CONST_inout_optional
#define QN_MEMBER(name, kind, intent, extent) QN_MEMBER_##kind(name, QN_CONST_##intent)
#define QN_MEMBER_reals(name, constness) \
  QN_GLOBAL constness element* name;     \
  qn_index name##_pitch;
#define QN_MEMBER_integers(name, constness) \
  QN_GLOBAL constness qn_index* name;       \
  qn_index name##_pitch;
#define QN_MEMBER_indices(name, constness) \
  QN_GLOBAL constness qn_index32* name;    \
  qn_index name##_pitch;
#define QN_MEMBER_stop(name, constness)
#define QN_MEMBER_real(name, constness) element name;
#define QN_MEMBER_integer(name, constness) qn_index name;
#define QN_STRUCT(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  typedef struct {                                                    \
    qn_box box;                                                       \
    ARGUMENTS(QN_MEMBER)                                              \
  } name##_arguments;

/* Element (i, j) of an array of these: QN_AT(a.u, i, j). */
#define QN_AT(array, i, j) ((array) + (j)*array##_pitch + (i))

#endif
