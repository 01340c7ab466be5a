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

#if defined(ONLY_jacobi_sweeps) && (CONSTANT_depth > 1 || UNROLLED)
/* What sweeps on GPUs have in common. A work-item has as many adjacent columns as it moves at once. */
#define CELLS ((int)(16 / sizeof(element)))
#define INLINE QN_BODY __attribute__((always_inline))

typedef struct __attribute__((aligned(16))) {
  element v[CELLS];
} cells;

/* What a sweep reads, two rows of the one before it, and the sums of its pairs of columns. */
typedef struct {
  cells below, centre;
  element sums[CELLS / 2];
} state;

/* The nodes of the box in columns and rows of the band, the lane's first column, and scalars of the pass. */
typedef struct {
  int left, right, bottom, top, i, count;
  element a, b, diagonal, f_constant;
} segment;

INLINE int near(qn_index distance) { return (int)clamp(distance, -(qn_index)1 << 30, (qn_index)1 << 30); }

INLINE cells load_cells(QN_GLOBAL const element* row, int i, int lowest, int highest, int whole) {
  cells read;
  if (whole) return *(QN_GLOBAL const cells*)(row + i);
  QN_UNROLL
  for (int c = 0; c < CELLS; ++c) read.v[c] = row[clamp(i + c, lowest, highest)];
  return read;
}

INLINE void store_cells(QN_GLOBAL element* target, cells values, int columns, int whole) {
  if (whole) {
    *(QN_GLOBAL cells*)target = values;
  } else {
    QN_UNROLL
    for (int c = 0; c < CELLS; ++c) {
      if (c < columns) target[c] = values.v[c];
    }
  }
}

/* A sweep's row, between that of its state and `above`; returns it. left and right are the neighbours' cells. Cells that
 * are no nodes of the box stay as they are: columns says that all of a band's are, works that this row's are. */
INLINE cells advance(state* m, cells above, cells rhs, element left, element right, element weight, segment s,
                     int columns, int works) {
  const cells mine = m->centre;
  cells out;
  element squares[CELLS];
  QN_UNROLL
  for (int c = 0; c < CELLS; ++c) {
    const element beside = (c == 0 ? left : mine.v[c - 1]) + (c == CELLS - 1 ? right : mine.v[c + 1]);
    const element upright = m->below.v[c] + above.v[c];
    element residual = rhs.v[c] - five_point(mine.v[c], beside, upright, s.a, s.b, s.diagonal);
    /* With this residual a value stays as it is, the sign of a zero included, for no weight is negative. */
    if (!works || !(columns || (s.i + c >= s.left && s.i + c < s.right))) residual = -(element)0;
    out.v[c] = QN_FMA(residual, weight, mine.v[c]);
    squares[c] = residual * residual;
  }
  QN_UNROLL
  for (int c = 0; c < CELLS; c += 2) m->sums[c / 2] = m->sums[c / 2] + (squares[c] + squares[c + 1]);
  m->below = mine;
  m->centre = above;
  return out;
}
#endif

#if defined(ONLY_jacobi_sweeps) && CONSTANT_depth == 1 && UNROLLED
/* One sweep on a GPU: a work-item goes down the rows of a block. What it waits for is memory, so it asks for several
 * rows at once. */
#define TOGETHER 8
BLOCKS jacobi_sweeps(BOX, FIELD(u), FIELD(f), FIELD(u_new), FIELD(partials), element a, element b, element diagonal,
                     FIELD(weights), element f_constant, qn_index count, CONTROL) {
  __local element pairs[PAIRS * CELLS / 2];
  const int own = get_local_id(0);
  const qn_index i = i0 + CELLS * (qn_index)get_global_id(0);
  const qn_index first = j0 + 32 * (qn_index)get_global_id(1);
  const segment s = {0, near(i1 - i), 0, near(min((qn_index)32, j1 - first)), 0, 1, a, b, diagonal, f_constant};
  QN_GLOBAL const element* const from = AT(u, i, first);
  QN_GLOBAL const element* const source = AT(f, i, first);
  QN_GLOBAL element* const to = AT(u_new, i, first);
  const int inside = s.right >= CELLS;
  const int whole = inside && (((ulong)from | (ulong)to | (ulong)(u_pitch * sizeof(element)) |
                                (ulong)(u_new_pitch * sizeof(element))) %
                               16) == 0;
  const int whole_source = inside && (((ulong)source | (ulong)(f_pitch * sizeof(element))) % 16) == 0;
  const element weight = *AT(weights, 0, 0);
  state m;
  if (STOPPED) return;
  QN_UNROLL
  for (int c = 0; c < CELLS / 2; ++c) m.sums[c] = 0;
  if (s.right > 0) {
    m.below = load_cells(from - u_pitch, 0, 0, s.right, whole);
    m.centre = load_cells(from, 0, 0, s.right, whole);
    for (int r = 0; r < s.top; r += TOGETHER) {
      cells above[TOGETHER], rhs[TOGETHER];
      element left[TOGETHER], right[TOGETHER];
      QN_UNROLL
      for (int k = 0; k < TOGETHER; ++k) {
        const int j = min(r + k, s.top - 1);
        QN_GLOBAL const element* const row = from + j * u_pitch;
        above[k] = load_cells(row + u_pitch, 0, 0, s.right, whole);
        left[k] = row[-1];
        right[k] = row[min(CELLS, s.right)];
#if CONSTANT_rhs_array
        rhs[k] = load_cells(source + j * f_pitch, 0, 0, s.right - 1, whole_source);
#else
        QN_UNROLL
        for (int c = 0; c < CELLS; ++c) rhs[k].v[c] = f_constant;
#endif
      }
      QN_UNROLL
      for (int k = 0; k < TOGETHER; ++k) {
        if (r + k < s.top) {
          const cells swept = advance(&m, above[k], rhs[k], left[k], right[k], weight, s, inside, 1);
          store_cells(to + (r + k) * u_new_pitch, swept, s.right, whole);
        }
      }
    }
  }
  QN_UNROLL
  for (int pair = 0; pair < CELLS / 2; ++pair) pairs[own * (CELLS / 2) + pair] = m.sums[pair];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own * CELLS % 16 == 0 && s.right > 0) {
    element of_block[8];
    for (int k = 0; k < 8; ++k) of_block[k] = pairs[own * (CELLS / 2) + k];
    *AT(partials, (i - i0) / 16, (first - j0) / 32) = tree_across(of_block);
  }
}
#endif

#if defined(ONLY_jacobi_sweeps) && CONSTANT_depth > 1
/* Several sweeps in one pass as in kernels/march.hpp, with a work-group in place of a subgroup. Where it is one of
 * NVIDIA's, as the option SHUFFLES says, its lanes shuffle; else what they would shuffle goes through local memory, that
 * of all sweeps at once, so that a row takes one barrier. Each sweep t has its state in variables of its own, for
 * compilers leave an array of them in memory: EACH(DO) is DO(t) for every t. */
#define DEPTH CONSTANT_depth
#if DEPTH == 2
#define EACH(DO) DO(0) DO(1)
#elif DEPTH == 4
#define EACH(DO) DO(0) DO(1) DO(2) DO(3)
#else
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif
#define HALO 8
#define OWNED (LANES * CELLS - 2 * HALO)
#define AHEAD 2

#if SHUFFLES
typedef union {
  element value;
  int words[sizeof(element) / sizeof(int)];
} shuffled;

/* The value of the lane before, or after; at an end of the subgroup, the lane's own. */
#define SHUFFLE(name, instruction)                                                            \
  INLINE element name(element value) {                                                        \
    shuffled x;                                                                               \
    x.value = value;                                                                          \
    QN_UNROLL                                                                                 \
    for (int k = 0; k < (int)(sizeof(element) / sizeof(int)); ++k)                            \
      __asm__ volatile(instruction ", 0xffffffff;" : "=r"(x.words[k]) : "r"(x.words[k]));     \
    return x.value;                                                                           \
  }
SHUFFLE(of_lane_before, "shfl.sync.up.b32 %0, %1, 1, 0")
SHUFFLE(of_lane_after, "shfl.sync.down.b32 %0, %1, 1, 31")
#define LEFT(t) of_lane_before(m##t.centre.v[CELLS - 1])
#define RIGHT(t) of_lane_after(m##t.centre.v[0])
#else
#define LEFT(t) lasts[t][before]
#define RIGHT(t) firsts[t][after]
#endif

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void jacobi_sweeps(
    BOX, FIELD(u), FIELD(f), FIELD(u_new), FIELD(partials), element a, element b, element diagonal, FIELD(weights),
    element f_constant, qn_index count, CONTROL) {
  __local cells sources[DEPTH][LANES]; /* rows of f, by row modulo DEPTH */
  __local element pairs[LANES * CELLS / 2];
  __local element weight[DEPTH];
  const int lane = get_local_id(0);
#if !SHUFFLES
  __local element first[2][DEPTH][LANES]; /* the outer cells of all lanes, of rows in turn */
  __local element last[2][DEPTH][LANES];
  const int before = max(lane - 1, 0);
  const int after = min(lane + 1, LANES - 1);
#endif
  const qn_index blocks = (j1 - j0 + 31) / 32;
  const qn_index block_row = blocks * (qn_index)get_group_id(1) / (qn_index)get_num_groups(1);
  const qn_index next_row = blocks * (qn_index)(get_group_id(1) + 1) / (qn_index)get_num_groups(1);
  const qn_index column = OWNED * (qn_index)get_group_id(0);
  const qn_index row = 32 * block_row;
  const segment s = {near(-column), near(i1 - i0 - column), near(-row), near(j1 - j0 - row), CELLS * lane - HALO,
                     (int)count,    a,                      b,          diagonal,            f_constant};
  QN_GLOBAL const element* const from = AT(u, i0 + column, j0 + row);
  QN_GLOBAL const element* const source = AT(f, i0 + column, j0 + row);
  QN_GLOBAL element* const to = AT(u_new, i0 + column, j0 + row);
  const int inside = s.left <= -HALO && s.right >= OWNED + HALO;
  const int whole = inside && (((ulong)from | (ulong)to | (ulong)(u_pitch * sizeof(element)) |
                                (ulong)(u_new_pitch * sizeof(element))) %
                               16) == 0;
  const int whole_source = inside && (((ulong)source | (ulong)(f_pitch * sizeof(element))) % 16) == 0;
  const int end = (int)(32 * (next_row - block_row)) + DEPTH;
  /* From `fast` to `slow` all sweeps are on rows of the box, and there is no sweep to leave out. */
  const int fast = s.count == DEPTH ? clamp(s.bottom + DEPTH, -DEPTH, end) : end;
  const int slow = s.count == DEPTH ? clamp(s.top, fast, end) : end;
  cells line[AHEAD + 1];
  cells incoming[AHEAD + 1];
#define DECLARE(t) state m##t;
  EACH(DECLARE)
  if (STOPPED) return;
#define CLEAR(t)                        \
  QN_UNROLL                             \
  for (int c = 0; c < CELLS; ++c) {     \
    m##t.below.v[c] = 0;                \
    m##t.centre.v[c] = 0;               \
    m##t.sums[c / 2] = 0;               \
  }
  EACH(CLEAR)
  if (lane < DEPTH) weight[lane] = lane < s.count ? *AT(weights, lane, 0) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = -DEPTH - AHEAD; r < end; ++r) {
    const int coming = r + AHEAD;
    const int ended = r % 32; /* the sweep that has come to the end of a row of blocks */
    const int j = r - DEPTH;
    cells above, rhs;
    QN_UNROLL
    for (int k = 0; k < AHEAD; ++k) {
      line[k] = line[k + 1];
      incoming[k] = incoming[k + 1];
    }
    line[AHEAD] = load_cells(from + clamp(coming, s.bottom - 1, s.top) * u_pitch, s.i, s.left - 1, s.right, whole);
#if CONSTANT_rhs_array
    incoming[AHEAD] = load_cells(source + clamp(coming, s.bottom, s.top - 1) * f_pitch, s.i, s.left, s.right - 1,
                                 whole_source);
#define RHS(t) rhs = sources[(r - 1 - t + 2 * DEPTH) % DEPTH][lane];
#else
    QN_UNROLL
    for (int c = 0; c < CELLS; ++c) rhs.v[c] = s.f_constant;
#define RHS(t)
#endif
    if (r < -DEPTH) continue;
#if !SHUFFLES
    __local element(*const firsts)[LANES] = first[r & 1];
    __local element(*const lasts)[LANES] = last[r & 1];
#define LEAVE(t)                         \
  firsts[t][lane] = m##t.centre.v[0];    \
  lasts[t][lane] = m##t.centre.v[CELLS - 1];
    EACH(LEAVE)
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    above = line[0];
#define ADVANCE(t, columns, works) \
  RHS(t)                           \
  above = advance(&m##t, above, rhs, LEFT(t), RIGHT(t), weight[t], s, columns, works);
#define AT_EDGE(t) ADVANCE(t, 0, r - 1 - t >= s.bottom && r - 1 - t < s.top && t < s.count)
#define AT_SIDES(t) ADVANCE(t, 0, 1)
#define AWAY(t) ADVANCE(t, 1, 1)
    if (r < fast || r >= slow) {
      EACH(AT_EDGE)
    } else if (inside) {
      EACH(AWAY)
    } else {
      EACH(AT_SIDES)
    }
#if CONSTANT_rhs_array
    sources[(r + DEPTH) % DEPTH][lane] = incoming[0];
#endif
    if (j >= 0 && j < s.top && s.i >= 0 && s.i < OWNED) {
      store_cells(to + j * u_new_pitch + s.i, above, s.right - s.i, whole);
    }
    if (ended >= 0 && ended < DEPTH) {
#define GIVE(t)                                                                                         \
  QN_UNROLL                                                                                             \
  for (int pair = 0; pair < CELLS / 2; ++pair) {                                                        \
    if (t == ended) pairs[lane * (CELLS / 2) + pair] = m##t.sums[pair];                                 \
    m##t.sums[pair] = t == ended ? 0 : m##t.sums[pair];                                                 \
  }
      EACH(GIVE)
      barrier(CLK_LOCAL_MEM_FENCE);
      if (r > ended && ended < s.count && lane < OWNED / 16 && 16 * lane < s.right) {
        element of_block[8];
        for (int k = 0; k < 8; ++k) of_block[k] = pairs[HALO / 2 + 8 * lane + k];
        *AT(partials, column / 16 + lane, block_row + (r - 1 - ended) / 32 + ended * blocks) = tree_across(of_block);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
}
#endif

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
