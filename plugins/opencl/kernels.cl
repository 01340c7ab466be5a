/* The catalogue's kernels in OpenCL C. Each takes the box and then its arguments in their declared order, an array as
 * three: its start, the elements from there to element (0, 0), and its pitch. The options define QN_REAL, the kernel's
 * constants, UNROLLED, and the sizes of work-groups (`Sizes` in opencl.hpp): NODES, PAIRS, LIST_SUM, LANES.
 * A program holds one kernel, because compilers take their time over each: QN_ENTRY_<pattern>(name, ARGUMENTS) makes it
 * from its declaration and ends the text, or ONLY_<name> asks for one that takes constants. */
#include "kernels/dialect/opencl.h"

/* Makes *least the value, unless it holds a smaller one. Zero is none. */
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
static void lower(volatile __global qn_index* least, qn_index value) {
  qn_index held = 0;
  qn_index seen = atom_cmpxchg(least, held, value);
  while (seen != held && seen > value) {
    held = seen;
    seen = atom_cmpxchg(least, held, value);
  }
}
#else /* one work-group does all rows */
static void lower(__global qn_index* least, qn_index value) {
  if (*least == 0) *least = value;
}
#endif
#define QN_LOWER(p, value) lower(p, value)

/* Adding where others do so at once, and where the host does, too: OpenCL C 2.0 or 3.0, for the one kernel that asks for
 * it. PoCL 3.1 has no function for that but Clang's builtin, for which NVIDIA's Clang has no type. */
#define QN_ADD(p, value) ((void)atomic_add(p, value))
#if __OPENCL_C_VERSION__ < 200
#define QN_ADD_SHARED(p, value) QN_ADD(p, value)
#elif defined(__OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES) && !defined(__NV_CL_C_VERSION)
#define QN_ADD_SHARED(p, value)                                                                        \
  ((void)__opencl_atomic_fetch_add((volatile __global atomic_int*)(p), value, __ATOMIC_RELAXED,        \
                                   __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES))
#else
#define QN_ADD_SHARED(p, value)                                                                                 \
  ((void)atomic_fetch_add_explicit((volatile __global atomic_int*)(p), value, memory_order_relaxed,             \
                                   memory_scope_all_svm_devices))
#endif

#include "kernels/families.h"
QUOIN_FAMILIES(QN_STRUCT)
#include "kernels/bodies.h"

#define BOX qn_index i0, qn_index i1, qn_index j0, qn_index j1
#define AT(name, i, j) (name + name##_offset + (j)*name##_pitch + (i))

/* An argument as a parameter, and as a member of the body's arguments. */
#define PARAMETER(name, kind, intent, extent) PARAMETER_##kind(name)
#define PARAMETER_reals(name) , QN_GLOBAL element *name, qn_index name##_offset, qn_index name##_pitch
#define PARAMETER_integers(name) , QN_GLOBAL qn_index *name, qn_index name##_offset, qn_index name##_pitch
#define PARAMETER_indices(name) , QN_GLOBAL qn_index32 *name, qn_index name##_offset, qn_index name##_pitch
#define PARAMETER_stop(name) PARAMETER_integers(name)
#define PARAMETER_real(name) , element name
#define PARAMETER_integer(name) , qn_index name
#define GIVEN(name, kind, intent, extent) GIVEN_##kind(name)
#define GIVEN_reals(name) AT(name, 0, 0), name##_pitch,
#define GIVEN_integers(name) AT(name, 0, 0), name##_pitch,
#define GIVEN_indices(name) AT(name, 0, 0), name##_pitch,
#define GIVEN_stop(name)
#define GIVEN_real(name) name,
#define GIVEN_integer(name) name,
#define LEAVE_IF_STOPPED(name, kind, intent, extent) LEAVE_IF_STOPPED_##kind(name)
#define LEAVE_IF_STOPPED_reals(name)
#define LEAVE_IF_STOPPED_integers(name)
#define LEAVE_IF_STOPPED_indices(name)
#define LEAVE_IF_STOPPED_stop(name) \
  if (name != 0 && name[name##_offset] != 0) return;
#define LEAVE_IF_STOPPED_real(name)
#define LEAVE_IF_STOPPED_integer(name)
#define PARAMETERS(ARGUMENTS) (BOX ARGUMENTS(PARAMETER))
/* A literal, not a variable: PoCL would keep that for each work-item from one barrier to the next. */
#define BODY_ARGUMENTS(name, ARGUMENTS) ((name##_arguments){{i0, i1, j0, j1}, ARGUMENTS(GIVEN)})

/* One work-item a node: (i, j) is its own. Planes narrower than a group are gone through row after row: then there is
 * one row of groups for many of nodes. */
#define MAP __kernel __attribute__((reqd_work_group_size(NODES, 1, 1))) void
#define NODE                                                                      \
  const qn_index item_ = (qn_index)get_global_id(0);                              \
  const int narrow_ = get_global_size(1) == 1 && j1 - j0 > 1;                     \
  const qn_index i = i0 + (narrow_ ? item_ % (i1 - i0) : item_);                  \
  const qn_index j = j0 + (narrow_ ? item_ / (i1 - i0) : (qn_index)get_global_id(1)); \
  if (i >= i1 || j >= j1) return

#define QN_ENTRY_map(name, ARGUMENTS)                    \
  MAP name PARAMETERS(ARGUMENTS) {                       \
    NODE;                                                \
    ARGUMENTS(LEAVE_IF_STOPPED)                          \
    name##_point(BODY_ARGUMENTS(name, ARGUMENTS), i, j); \
  }
#define QN_ENTRY_map_groups(name, ARGUMENTS) QN_ENTRY_map(name, ARGUMENTS)
/* The same for a line where there are fewer work-items than nodes. */
#define QN_ENTRY_map_single(name, ARGUMENTS)                                    \
  MAP name PARAMETERS(ARGUMENTS) {                                              \
    NODE;                                                                       \
    ARGUMENTS(LEAVE_IF_STOPPED)                                                 \
    for (qn_index at_ = i; at_ < i1; at_ += narrow_ ? i1 : get_global_size(0))  \
      name##_point(BODY_ARGUMENTS(name, ARGUMENTS), at_, j);                    \
  }
#define QN_ENTRY_map_rim(name, ARGUMENTS)                                 \
  MAP name PARAMETERS(ARGUMENTS) {                                        \
    const qn_index k = get_global_id(0);                                  \
    const qn_index nx = i1 - i0;                                          \
    const qn_index ny = j1 - j0;                                          \
    qn_index row = 0;                                                     \
    qn_index column = 0;                                                  \
    if (k >= rim_count(nx, ny)) return;                                   \
    ARGUMENTS(LEAVE_IF_STOPPED)                                           \
    column = rim_node(k, nx, ny, &row);                                   \
    name##_point(BODY_ARGUMENTS(name, ARGUMENTS), i0 + column, j0 + row); \
  }

/* One work-item a pair of columns, marching down the 32 rows of its block; eight neighbours join their sums.
 * POINT(i, j) is the value of a node. The barrier after each row makes compilers that turn a work-group into a loop
 * take the pairs of a row together, with vectors; on a GPU it costs nothing. Narrow planes of whole blocks are gone
 * through as by MAP: work-items behind the last block march along. */
#define BLOCKS __kernel __attribute__((reqd_work_group_size(PAIRS, 1, 1))) void
#define ROWS(VALUE)                          \
  for (qn_index j = first_; j < end_; ++j) { \
    sum_ = sum_ + (VALUE);                   \
    barrier(CLK_LOCAL_MEM_FENCE);            \
  }
#define BLOCK_SUMS(POINT, name, ARGUMENTS)                                                                       \
  __local element sums_[PAIRS];                                                                                  \
  const int own_ = get_local_id(0);                                                                              \
  const int narrow_ = get_global_size(1) == 1 && j1 - j0 > 32;                                                   \
  const qn_index across_ = (i1 - i0) / 2;                                                                        \
  const qn_index pair_ = get_global_id(0);                                                                       \
  const qn_index done_ = PAIRS * ((qn_index)get_group_id(0) + 1);                                                \
  const qn_index i = i0 + 2 * (narrow_ ? pair_ % across_ : pair_);                                               \
  const qn_index first_ = j0 + 32 * (narrow_ ? pair_ / across_ : (qn_index)get_global_id(1));                    \
  const qn_index end_ = narrow_ || first_ + 32 < j1 ? first_ + 32 : j1;                                          \
  element sum_ = 0;                                                                                              \
  ARGUMENTS(LEAVE_IF_STOPPED)                                                                                    \
  if (done_ <= across_ * (narrow_ ? (j1 - j0) / 32 : 1)) {                                                       \
    ROWS(POINT(name, ARGUMENTS, i, j) + POINT(name, ARGUMENTS, i + 1, j))                                        \
  } else {                                                                                                       \
    ROWS(((i + 1 < i1) & (j < j1)) ? POINT(name, ARGUMENTS, i, j) + POINT(name, ARGUMENTS, i + 1, j)             \
         : ((i < i1) & (j < j1)) ? POINT(name, ARGUMENTS, i, j)                                                  \
                                 : 0)                                                                            \
  }                                                                                                              \
  sums_[own_] = sum_;                                                                                            \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
  if (own_ % 8 == 0 && i < i1 && first_ < j1) {                                                                  \
    element pairs_[8];                                                                                           \
    for (int k = 0; k < 8; ++k) pairs_[k] = sums_[own_ + k];                                                     \
    *AT(partials, (i - i0) / 16, (first_ - j0) / 32) = tree_across(pairs_);                                      \
  }
#define BODY_POINT(name, ARGUMENTS, i, j) name##_point(BODY_ARGUMENTS(name, ARGUMENTS), i, j)

#define QN_ENTRY_block_sums(name, ARGUMENTS) \
  BLOCKS name PARAMETERS(ARGUMENTS) { BLOCK_SUMS(BODY_POINT, name, ARGUMENTS) }
/* One work-group takes tile after tile, and asks for the next before it joins one. Its work-items load pairs of values
 * side by side, each joins RUN pairs that follow each other, then every RUN-th joins RUN of those sums, and so on. The
 * first joins the tiles: held[l] is the sum of a finished group of 2^l tiles whose right neighbour is not. A place is
 * left free after RUN sums, so that what lanes read at once lies in different banks. PoCL 3.1 wants barriers in the
 * kernel itself, not in a function (it loops for ever), and in local memory what one work-item alone sets and reads on
 * the other side of one (it loses such private variables). */
#define RUN 8
#define TILE (RUN * LIST_SUM)
/* The sum of `count` values, a power of two and RUN at most, by the pairwise tree. */
QN_BODY element tree_of(__local const element* values, int stride, int count) {
  element sums[RUN];
  QN_UNROLL
  for (int k = 0; k < RUN; ++k) sums[k] = k < count ? values[k * stride] : 0;
  QN_UNROLL
  for (int width = 1; width < RUN; width *= 2) {
    QN_UNROLL
    for (int k = 0; k < RUN; k += 2 * width) {
      if (width < count) sums[k] = sums[k] + sums[k + width];
    }
  }
  return sums[0];
}
#define REDUCE __kernel __attribute__((reqd_work_group_size(LIST_SUM, 1, 1))) void
#define REDUCE_MEMORY                          \
  __local element sums_[(RUN + 1) * LIST_SUM]; \
  __local element held_[48];                   \
  __local element total_;                      \
  const int own_ = get_local_id(0);            \
  element taken_[2 * RUN];                     \
  qn_index tiles_ = 1
#define TAKE_TILE(VALUES, tile)                                                        \
  QN_UNROLL                                                                            \
  for (int k = 0; k < 2 * RUN; ++k) {                                                  \
    const qn_index i = i0 + 2 * (TILE * (tile) + LIST_SUM * (k / 2) + own_) + (k & 1); \
    taken_[k] = i < i1 ? (VALUES)[i] : 0;                                              \
  }
#define SUM_UP(VALUES)                                                                              \
  while (2 * TILE * tiles_ < i1 - i0) tiles_ *= 2;                                                  \
  TAKE_TILE(VALUES, 0)                                                                              \
  for (qn_index tile = 0; tile < tiles_; ++tile) {                                                  \
    __local element* const mine_ = sums_ + (RUN + 1) * own_;                                        \
    QN_UNROLL                                                                                       \
    for (int k = 0; k < RUN; ++k) {                                                                 \
      const int pair = LIST_SUM * k + own_;                                                         \
      sums_[pair + pair / RUN] = taken_[2 * k] + taken_[2 * k + 1];                                 \
    }                                                                                               \
    TAKE_TILE(VALUES, tile + 1)                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    *mine_ = tree_of(mine_, 1, RUN);                                                                \
    for (int width = 1; width < LIST_SUM; width *= RUN) {                                           \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
      if (own_ % (RUN * width) == 0)                                                                \
        *mine_ = tree_of(mine_, (RUN + 1) * width, min(RUN, LIST_SUM / width));                     \
    }                                                                                               \
    if (own_ == 0) {                                                                                \
      element group = sums_[0];                                                                     \
      int level = 0;                                                                                \
      for (qn_index ones = tile; (ones & 1) != 0; ones >>= 1) group = held_[level++] + group;       \
      held_[level] = group;                                                                         \
      total_ = group;                                                                               \
    }                                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
  }

/* Work-groups share the rows of the box. */
#define QN_ENTRY_list_sums(name, ARGUMENTS)                                            \
  REDUCE name PARAMETERS(ARGUMENTS) {                                                  \
    REDUCE_MEMORY;                                                                     \
    if (name##_stopped(BODY_ARGUMENTS(name, ARGUMENTS))) return;                       \
    for (qn_index row_ = get_group_id(1); row_ < j1 - j0; row_ += get_num_groups(1)) { \
      SUM_UP(AT(values, 0, j0 + row_))                                                 \
      if (own_ == 0) name##_point(BODY_ARGUMENTS(name, ARGUMENTS), row_, total_);      \
    }                                                                                  \
  }

/* What takes constants. */
#if defined(ONLY_jacobi_sweeps) && CONSTANT_depth == 1 && !UNROLLED
BLOCKS jacobi_sweeps PARAMETERS(JACOBI_SWEEPS_ARGUMENTS) {
#if CONSTANT_rhs_array
#define RHS(i, j) *AT(f, i, j)
#else
#define RHS(i, j) f_constant
#endif
#define SWEEP(name, ARGUMENTS, i, j)                                                                              \
  jacobi_sweep_point(AT(u, i, j), AT(u, i, (j)-1), AT(u, i, (j) + 1), RHS(i, j), AT(u_new, i, j), a, b, diagonal, \
                     weight)
  const element weight = *AT(weights, 0, 0);
  BLOCK_SUMS(SWEEP, jacobi_sweeps, JACOBI_SWEEPS_ARGUMENTS)
}
#endif

#ifdef ONLY_jacobi_restrict
MAP jacobi_restrict PARAMETERS(JACOBI_RESTRICT_ARGUMENTS) {
  NODE;
  JACOBI_RESTRICT_ARGUMENTS(LEAVE_IF_STOPPED)
  const qn_index column = *AT(columns, i, 0);
  const qn_index row = *AT(rows, j, 0);
  /* As in kernels/jacobi/launch.hpp: counts that are known let loads be shared. */
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

#if defined(ONLY_dgcvs_update) || defined(ONLY_dgcvs_newton) || defined(ONLY_dgcvs_linear) || defined(ONLY_dgcvs_limit)
#define ORDER CONSTANT_order
#if !UNROLLED /* a processor needs no arrays in registers, and its compiler would take minutes */
#undef QN_UNROLL
#define QN_UNROLL
#undef QN_AT_ONCE
#define QN_AT_ONCE(count) 1
#endif
#include "kernels/dgcvs/arguments.h"
#if CONSTANT_law == 0
#include "kernels/dgcvs/laws/advection.h"
#elif CONSTANT_law == 1
#include "kernels/dgcvs/laws/burgers.h"
#elif CONSTANT_law == 2
#include "kernels/dgcvs/laws/shallow_water.h"
#else
#include "kernels/dgcvs/laws/shallow_water_bed.h"
#endif
#include "kernels/dgcvs/limit.h"

#define ENTITIES(name, ARGUMENTS, taken)               \
  MAP name PARAMETERS(ARGUMENTS) {                     \
    NODE;                                              \
    name##_point(BODY_ARGUMENTS(taken, ARGUMENTS), i); \
  }
#if defined(ONLY_dgcvs_update)
ENTITIES(dgcvs_update, DGCVS_UPDATE_ARGUMENTS, dgcvs_update)
#elif defined(ONLY_dgcvs_newton)
ENTITIES(dgcvs_newton, DGCVS_NEWTON_ARGUMENTS, dgcvs_update)
#elif defined(ONLY_dgcvs_linear)
ENTITIES(dgcvs_linear, DGCVS_LINEAR_ARGUMENTS, dgcvs_linear)
#else
ENTITIES(dgcvs_limit, DGCVS_LIMIT_ARGUMENTS, dgcvs_limit)
#endif
#endif

#include "sweeps.cl"

#define QN_ENTRY_own_map(name, ARGUMENTS)
#define QN_ENTRY_own_sweeps(name, ARGUMENTS)
#define QN_ENTRY_own_entities(name, ARGUMENTS)
