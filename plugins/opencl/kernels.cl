/* The catalogue's kernels in OpenCL C. Each takes the box and then the catalogue's arguments in their order,
 * a buffer as three: its start, the elements from there to element (0, 0), and its pitch. The options define
 * QN_REAL, the catalogue's constants, UNROLLED, and the sizes of work-groups (`Shape` in opencl.hpp): NODES, PAIRS,
 * LEAVES, LANES.
 * A program holds the one kernel that ONLY_<name> asks for, because compilers take their time over each. */
#include "kernels/dialect/opencl.h"
#include "kernels/bodies.h"

#define BOX qn_index i0, qn_index i1, qn_index j0, qn_index j1
#define FIELD(name) QN_GLOBAL element *name, qn_index name##_offset, qn_index name##_pitch
#define CONTROL QN_GLOBAL qn_index *control, qn_index control_offset, qn_index control_pitch
#define AT(name, i, j) (name + name##_offset + (j)*name##_pitch + (i))
#define STOPPED (control != 0 && control[control_offset] != 0)

/* One work-item a node: (i, j) is its own. */
#define MAP __kernel __attribute__((reqd_work_group_size(NODES, 1, 1))) void
#define NODE                                          \
  const qn_index i = i0 + (qn_index)get_global_id(0); \
  const qn_index j = j0 + (qn_index)get_global_id(1); \
  if (i >= i1 || j >= j1) return

#ifdef ONLY_jacobi_laplacian
MAP jacobi_laplacian(BOX, FIELD(u), FIELD(au), element a, element b, element diagonal, CONTROL) {
  NODE;
  if (STOPPED) return;
  jacobi_laplacian_point(AT(u, i, j), u_pitch, AT(au, i, j), a, b, diagonal);
}
#endif

#ifdef ONLY_jacobi_boundary
MAP jacobi_boundary(BOX, FIELD(u), FIELD(au), element a, element b, element diagonal, CONTROL) {
  const qn_index k = get_global_id(0);
  const qn_index nx = i1 - i0;
  const qn_index ny = j1 - j0;
  const qn_index inner = (nx > 2 ? nx - 2 : 0) * (ny > 2 ? ny - 2 : 0);
  qn_index row = 0;
  qn_index column = 0;
  if (k >= nx * ny - inner || STOPPED) return;
  column = rim_node(k, nx, ny, &row);
  jacobi_laplacian_point(AT(u, i0 + column, j0 + row), u_pitch, AT(au, i0 + column, j0 + row), a, b, diagonal);
}
#endif

#ifdef ONLY_jacobi_update
MAP jacobi_update(BOX, FIELD(u), FIELD(f), FIELD(au), FIELD(r), element weight, CONTROL) {
  NODE;
  if (STOPPED) return;
  jacobi_update_point(AT(u, i, j), *AT(f, i, j), AT(au, i, j), AT(r, i, j), weight);
}
#endif

#define INDICES(name) QN_GLOBAL qn_index *name, qn_index name##_offset, qn_index name##_pitch

#ifdef ONLY_jacobi_restrict
MAP jacobi_restrict(BOX, FIELD(u), FIELD(f), FIELD(coarse_u), FIELD(coarse_f), INDICES(columns), FIELD(across),
                    INDICES(rows), FIELD(down), qn_index across_count, qn_index down_count, element a, element b,
                    element diagonal, element f_constant, element weight, CONTROL) {
  NODE;
  if (STOPPED) return;
  const qn_index column = *AT(columns, i, 0);
  const qn_index row = *AT(rows, j, 0);
  /* As in kernels/launchers.hpp: counts that are known let loads be shared. */
#define MEAN_OF(across_known, down_known)                                                                            \
  jacobi_restrict_point(AT(u, column, row), u_pitch, AT(f, column, row), f_pitch, f_constant, CONSTANT_rhs_array, a, \
                        b, diagonal, AT(across, i, 0), across_pitch, across_known, AT(down, j, 0), down_pitch,       \
                        down_known, weight, AT(coarse_f, i, j), AT(coarse_u, i, j))
  if (across_count == 3 && down_count == 3) {
    MEAN_OF(3, 3);
  } else if (across_count == 4 && down_count == 4) {
    MEAN_OF(4, 4);
  } else {
    MEAN_OF(across_count, down_count);
  }
}
#endif

#ifdef ONLY_jacobi_prolong
MAP jacobi_prolong(BOX, FIELD(u), FIELD(coarse_u), INDICES(columns), FIELD(across), INDICES(rows), FIELD(down),
                   CONTROL) {
  NODE;
  if (STOPPED) return;
  jacobi_prolong_point(AT(u, i, j), AT(coarse_u, *AT(columns, i, 0), *AT(rows, j, 0)), coarse_u_pitch,
                       *AT(across, i, 0), *AT(down, j, 0));
}
#endif

#ifdef ONLY_halo_pack
MAP halo_pack(BOX, FIELD(u), FIELD(line)) {
  NODE;
  copy_point(AT(u, i, j), line + line_offset + (j - j0) * (i1 - i0) + (i - i0));
}
#endif

#ifdef ONLY_halo_unpack
MAP halo_unpack(BOX, FIELD(line), FIELD(u)) {
  NODE;
  copy_point(line + line_offset + (j - j0) * (i1 - i0) + (i - i0), AT(u, i, j));
}
#endif

#ifdef ONLY_stream_copy
MAP stream_copy(BOX, FIELD(x), FIELD(y)) {
  NODE;
  copy_point(AT(x, i, j), AT(y, i, j));
}
#endif

#ifdef ONLY_stream_triad
MAP stream_triad(BOX, FIELD(x), FIELD(y), FIELD(z), element scale) {
  NODE;
  stream_triad_point(AT(x, i, j), AT(y, i, j), AT(z, i, j), scale);
}
#endif

/* One work-item a pair of columns, marching down the 32 rows of its block; eight neighbours join their sums.
 * POINT(i, j) is the value of a node. The barrier after each row makes compilers that turn a work-group into a loop
 * take the pairs of a row together, with vectors; on a GPU it costs nothing. */
#define BLOCKS __kernel __attribute__((reqd_work_group_size(PAIRS, 1, 1))) void
#define ROWS(VALUE)                        \
  for (qn_index j = first; j < end; ++j) { \
    sum = sum + (VALUE);                   \
    barrier(CLK_LOCAL_MEM_FENCE);          \
  }
#define BLOCK_SUMS(POINT)                                                       \
  __local element sums[PAIRS];                                                  \
  const int own = get_local_id(0);                                              \
  const qn_index i = i0 + 2 * (qn_index)get_global_id(0);                       \
  const qn_index first = j0 + 32 * (qn_index)get_global_id(1);                  \
  const qn_index end = first + 32 < j1 ? first + 32 : j1;                       \
  element sum = 0;                                                              \
  if (STOPPED) return;                                                          \
  if (i0 + 2 * PAIRS * ((qn_index)get_group_id(0) + 1) <= i1) {                 \
    ROWS(POINT(i, j) + POINT(i + 1, j))                                         \
  } else {                                                                      \
    ROWS(i + 1 < i1 ? POINT(i, j) + POINT(i + 1, j) : i < i1 ? POINT(i, j) : 0) \
  }                                                                             \
  sums[own] = sum;                                                              \
  barrier(CLK_LOCAL_MEM_FENCE);                                                 \
  if (own % 8 == 0 && i < i1) {                                                 \
    element pairs[8];                                                           \
    for (int k = 0; k < 8; ++k) pairs[k] = sums[own + k];                       \
    *AT(partials, (i - i0) / 16, (first - j0) / 32) = tree_across(pairs);       \
  }

#ifdef ONLY_jacobi_norm
BLOCKS jacobi_norm(BOX, FIELD(r), FIELD(partials), CONTROL) {
#define SQUARE(i, j) square_point(AT(r, i, j))
  BLOCK_SUMS(SQUARE)
}
#endif

#if defined(ONLY_jacobi_sweeps) && CONSTANT_depth == 1 && !UNROLLED
BLOCKS jacobi_sweeps(BOX, FIELD(u), FIELD(f), FIELD(u_new), FIELD(partials), element a, element b, element diagonal,
                     FIELD(weights), element f_constant, qn_index count, CONTROL) {
#if CONSTANT_rhs_array
#define RHS(i, j) *AT(f, i, j)
#else
#define RHS(i, j) f_constant
#endif
#define SWEEP(i, j)                                                                                               \
  jacobi_sweep_point(AT(u, i, j), AT(u, i, (j)-1), AT(u, i, (j) + 1), RHS(i, j), AT(u_new, i, j), a, b, diagonal, \
                     weight)
  const element weight = *AT(weights, 0, 0);
  BLOCK_SUMS(SWEEP)
}
#endif

#include "sweeps.cl"

#if defined(ONLY_residual_norm) || defined(ONLY_sum)
/* One work-group takes tile after tile. Its work-items load pairs of values side by side, each joins RUN pairs that
 * follow each other, and together they join those pairwise. The first then joins the tiles: held[l] is the sum of a
 * finished group of 2^l tiles whose right neighbour is not. A place is left free after RUN sums, so that what lanes read
 * at once lies in different banks. PoCL 3.1 wants barriers in the kernel itself, not in a function (it loops for ever),
 * and all that lives across one in local memory (it loses private variables that one work-item sets). */
#define RUN 8
#define TILE (RUN * LEAVES)
#define REDUCE __kernel __attribute__((reqd_work_group_size(LEAVES, 1, 1))) void
#define REDUCE_MEMORY                       \
  __local element sums[(RUN + 1) * LEAVES]; \
  __local element held[48];                 \
  __local element total;                    \
  const int own = get_local_id(0);          \
  qn_index tiles = 1
#define SUM_UP(VALUES)                                                                                             \
  while (2 * TILE * tiles < i1 - i0) tiles *= 2;                                                                   \
  for (qn_index tile = 0; tile < tiles; ++tile) {                                                                  \
    element run[RUN];                                                                                              \
    QN_UNROLL                                                                                                      \
    for (int k = 0; k < RUN; ++k) {                                                                                \
      const int pair = LEAVES * k + own;                                                                           \
      const qn_index i = i0 + 2 * (TILE * tile + pair);                                                            \
      sums[pair + pair / RUN] = (i < i1 ? (VALUES)[i] : 0) + (i + 1 < i1 ? (VALUES)[i + 1] : 0);                   \
    }                                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    for (int k = 0; k < RUN; ++k) run[k] = sums[(RUN + 1) * own + k];                                              \
    sums[(RUN + 1) * own] = tree_across(run);                                                                      \
    for (int width = 1; width < LEAVES; width *= 2) {                                                              \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
      if (own % (2 * width) == 0) sums[(RUN + 1) * own] = sums[(RUN + 1) * own] + sums[(RUN + 1) * (own + width)]; \
    }                                                                                                              \
    if (own == 0) {                                                                                                \
      element group = sums[0];                                                                                     \
      int level = 0;                                                                                               \
      for (qn_index ones = tile; (ones & 1) != 0; ones >>= 1) group = held[level++] + group;                       \
      held[level] = group;                                                                                         \
      total = group;                                                                                               \
    }                                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
  }
#endif

#ifdef ONLY_residual_norm
/* Makes *least the value, unless it holds a smaller one. Zero is none. */
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
void lower(volatile __global qn_index* least, qn_index value) {
  qn_index held = 0;
  qn_index seen = atom_cmpxchg(least, held, value);
  while (seen != held && seen > value) {
    held = seen;
    seen = atom_cmpxchg(least, held, value);
  }
}
#else /* one work-group does all rows */
void lower(__global qn_index* least, qn_index value) {
  if (*least == 0) *least = value;
}
#endif

/* Work-groups share the rows of the box. Rows may stop the run at once: the first of them counts. */
REDUCE residual_norm(BOX, FIELD(partials), FIELD(norms), qn_index slot, qn_index iteration, qn_index every,
                     element scale, element divisor, element tolerance, CONTROL) {
  QN_GLOBAL qn_index* const words = control + control_offset;
  REDUCE_MEMORY;
  if (words[0] != 0 && words[0] < iteration) return;
  for (qn_index row = get_group_id(1); row < j1 - j0; row += get_num_groups(1)) {
    SUM_UP(AT(partials, 0, j0 + row))
    if (own == 0 && residual_norm_point(total, AT(norms, slot + row, 0), iteration + row, every, scale, divisor,
                                        tolerance)) {
      lower(words, iteration + row);
      words[1] = 1;
    }
  }
}
#endif

#ifdef ONLY_sum
REDUCE sum(BOX, FIELD(values), FIELD(places), qn_index slot) {
  REDUCE_MEMORY;
  SUM_UP(AT(values, 0, j0))
  if (own == 0) *AT(places, slot, 0) = total;
}
#endif

#ifdef ONLY_dgcvs_observe
MAP dgcvs_observe(BOX, FIELD(own), FIELD(moments), FIELD(length), FIELD(mass), FIELD(square), qn_index space) {
  NODE;
  dgcvs_observe_point(AT(own, i, 0), AT(moments, i, 0), AT(length, i, 0), AT(mass, i, 0), AT(square, i, 0), own_pitch,
                      space);
}
#endif

#if defined(ONLY_dgcvs_update) || defined(ONLY_dgcvs_newton) || defined(ONLY_dgcvs_linear) || defined(ONLY_dgcvs_limit)
#define ORDER CONSTANT_order
#if !UNROLLED /* a processor needs no arrays in registers, and its compiler would take minutes */
#undef QN_UNROLL
#define QN_UNROLL
#endif
#include "kernels/dgcvs/arguments.h"
#if CONSTANT_law == 0
#include "kernels/dgcvs/laws/advection.h"
#elif CONSTANT_law == 1
#include "kernels/dgcvs/laws/burgers.h"
#else
#include "kernels/dgcvs/laws/shallow_water.h"
#endif
#include "kernels/dgcvs/limit.h"
#endif

#if defined(ONLY_dgcvs_update) || defined(ONLY_dgcvs_newton)
#ifdef ONLY_dgcvs_update
#define UPDATE dgcvs_update
#define UPDATE_POINT dgcvs_update_point
#else
#define UPDATE dgcvs_newton
#define UPDATE_POINT dgcvs_newton_point
#endif
MAP UPDATE(BOX, FIELD(own), FIELD(old), INDICES(neighbour), FIELD(geometry), FIELD(factor), FIELD(moments),
           FIELD(length), FIELD(law), INDICES(behind), FIELD(face), FIELD(outside), qn_index slots, qn_index faces,
           qn_index sweeps, qn_index from_mean, qn_index implicit, element tau, qn_index first_face, FIELD(rhs),
           qn_index parts) {
  NODE;
  const dgcvs_arguments a = {AT(own, 0, 0),      AT(old, 0, 0),     AT(neighbour, 0, 0),
                             AT(geometry, 0, 0), AT(factor, 0, 0),  AT(moments, 0, 0),
                             AT(length, 0, 0),   AT(law, 0, 0),     AT(behind, 0, 0),
                             AT(face, 0, 0),     AT(outside, 0, 0), AT(rhs, 0, 0),
                             own_pitch,          old_pitch,         face_pitch,
                             first_face,         slots,             faces,
                             sweeps,             from_mean,         parts,
                             implicit,           tau};
  UPDATE_POINT(a, i);
}
#endif

#ifdef ONLY_dgcvs_linear
MAP dgcvs_linear(BOX, FIELD(own), FIELD(old), INDICES(neighbour), FIELD(matrices), qn_index slots) {
  NODE;
  dgcvs_linear_point(AT(own, 0, 0), own_pitch, AT(old, 0, 0), old_pitch, AT(neighbour, 0, 0), AT(matrices, 0, 0), slots,
                     i);
}
#endif

#ifdef ONLY_dgcvs_limit
MAP dgcvs_limit(BOX, FIELD(own), FIELD(old), INDICES(neighbour), FIELD(geometry), FIELD(moments), FIELD(old_moments),
                FIELD(length), FIELD(threshold), FIELD(law), qn_index slots, element tau) {
  NODE;
  const dgcvs_limiter_arguments a = {AT(own, 0, 0),     AT(old, 0, 0),         AT(neighbour, 0, 0), AT(geometry, 0, 0),
                                     AT(moments, 0, 0), AT(old_moments, 0, 0), AT(length, 0, 0),    AT(threshold, 0, 0),
                                     AT(law, 0, 0),     own_pitch,             old_pitch,           slots,
                                     tau};
  dgcvs_limit_point(a, i);
}
#endif
