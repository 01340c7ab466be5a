/* Jacobi sweeps on GPUs, and passes of several on any device: a part of kernels.cl, whose macros it uses. */

#if defined(ONLY_jacobi_sweeps) && (CONSTANT_depth > 1 || UNROLLED)
/* What sweeps on GPUs have in common. A work-item has as many adjacent columns as it moves at once. */
#define CELLS ((int)(16 / sizeof(element)))
#define INLINE QN_BODY __attribute__((always_inline))

/* A vector, so that it is moved as one: of an array compilers move each element by itself. */
typedef element vector __attribute__((ext_vector_type(16 / sizeof(element))));
typedef struct {
  vector v;
} cells;

/* What a sweep reads, two rows of the one before it, and the sums of its pairs of columns. */
typedef struct {
  cells below, centre;
  element sums[CELLS / 2];
} state;

/* The nodes of the box in columns and rows of the band, with the rows of them that go on beyond it; where the rows of
 * the box end, the lane's first column, and scalars of the pass. */
typedef struct {
  int left, right, bottom, top, end, i, count;
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

/* A sweep's row, between that of its state and `above`; returns it. left and right are the neighbours' cells. Cells
 * that are no nodes of the box stay as they are: columns says that all of a band's are, works that this row's are. */
INLINE cells advance(state* m, cells above, cells rhs, element left, element right, element weight, segment s,
                     int columns, int works) {
  const cells mine = m->centre;
  cells out;
  element squares[CELLS];
  QN_UNROLL
  for (int c = 0; c < CELLS; ++c) {
    const element horizontal_sum = (c == 0 ? left : mine.v[c - 1]) + (c == CELLS - 1 ? right : mine.v[c + 1]);
    const element vertical_sum = m->below.v[c] + above.v[c];
    element residual = rhs.v[c] - five_point(mine.v[c], horizontal_sum, vertical_sum, s.a, s.b, s.diagonal);
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
BLOCKS jacobi_sweeps PARAMETERS(JACOBI_SWEEPS_ARGUMENTS) {
  __local element pairs[PAIRS * CELLS / 2];
  const int own = get_local_id(0);
  const qn_index i = i0 + CELLS * (qn_index)get_global_id(0);
  const qn_index first = j0 + 32 * (qn_index)get_global_id(1);
  const int rows = near(min((qn_index)32, j1 - first));
  const segment s = {0, near(i1 - i), 0, rows, rows, 0, 1, a, b, diagonal, f_constant};
  QN_GLOBAL const element* const from = AT(u, i, first);
  QN_GLOBAL const element* const source = AT(f, i, first);
  QN_GLOBAL element* const to = AT(u_new, i, first);
  const int inside = s.right >= CELLS;
  const int whole =
      inside &&
      (((ulong)from | (ulong)to | (ulong)(u_pitch * sizeof(element)) | (ulong)(u_new_pitch * sizeof(element))) % 16) ==
          0;
  const int whole_source = inside && (((ulong)source | (ulong)(f_pitch * sizeof(element))) % 16) == 0;
  const element weight = *AT(weights, 0, 0);
  state m;
  JACOBI_SWEEPS_ARGUMENTS(LEAVE_IF_STOPPED)
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
 * NVIDIA's, as the option SHUFFLES says, its lanes shuffle; else what they would shuffle goes through local memory,
 * that of all sweeps at once, so that a row takes one barrier. Each sweep t has its state in variables of its own, for
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
#define AHEAD 1

#if SHUFFLES
typedef union {
  element value;
  int words[sizeof(element) / sizeof(int)];
} shuffled;

/* The value of the lane before, or after; at an end of the subgroup, the lane's own. */
#define SHUFFLE(name, instruction)                                                        \
  INLINE element name(element value) {                                                    \
    shuffled x;                                                                           \
    x.value = value;                                                                      \
    QN_UNROLL                                                                             \
    for (int k = 0; k < (int)(sizeof(element) / sizeof(int)); ++k)                        \
      __asm__ volatile(instruction ", 0xffffffff;" : "=r"(x.words[k]) : "r"(x.words[k])); \
    return x.value;                                                                       \
  }
SHUFFLE(of_lane_before, "shfl.sync.up.b32 %0, %1, 1, 0")
SHUFFLE(of_lane_after, "shfl.sync.down.b32 %0, %1, 1, 31")
#define LEFT(t) of_lane_before(m##t.centre.v[CELLS - 1])
#define RIGHT(t) of_lane_after(m##t.centre.v[0])
#else
#define LEFT(t) lasts[t][before]
#define RIGHT(t) firsts[t][after]
#endif

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void jacobi_sweeps
    PARAMETERS(JACOBI_SWEEPS_ARGUMENTS) {
  __local cells sources[DEPTH][LANES]; /* rows of f, by row modulo DEPTH */
  __local element pairs[LANES * CELLS / 2];
  __local element weights_of[DEPTH];
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
  const segment s = {near(-column),
                     near(i1 - i0 - column),
                     near(-row - below),
                     near(j1 - j0 - row + above),
                     near(j1 - j0 - row),
                     CELLS * lane - HALO,
                     (int)count,
                     a,
                     b,
                     diagonal,
                     f_constant};
  QN_GLOBAL const element* const from = AT(u, i0 + column, j0 + row);
  QN_GLOBAL const element* const source = AT(f, i0 + column, j0 + row);
  QN_GLOBAL element* const to = AT(u_new, i0 + column, j0 + row);
  const int inside = s.left <= -HALO && s.right >= OWNED + HALO;
  const int whole =
      inside &&
      (((ulong)from | (ulong)to | (ulong)(u_pitch * sizeof(element)) | (ulong)(u_new_pitch * sizeof(element))) % 16) ==
          0;
  const int whole_source = inside && (((ulong)source | (ulong)(f_pitch * sizeof(element))) % 16) == 0;
  const int end = (int)(32 * (next_row - block_row)) + DEPTH;
  /* From `fast` to `slow` all sweeps are on rows of nodes, and there is no sweep to leave out. */
  const int fast = s.count == DEPTH ? clamp(s.bottom + DEPTH, -DEPTH, end) : end;
  const int slow = s.count == DEPTH ? clamp(s.top, fast, end) : end;
  cells line[AHEAD + 1];
  cells incoming[AHEAD + 1];
#define DECLARE(t) state m##t;
  EACH(DECLARE)
  JACOBI_SWEEPS_ARGUMENTS(LEAVE_IF_STOPPED)
#define CLEAR(t)                    \
  QN_UNROLL                         \
  for (int c = 0; c < CELLS; ++c) { \
    m##t.below.v[c] = 0;            \
    m##t.centre.v[c] = 0;           \
    m##t.sums[c / 2] = 0;           \
  }
  EACH(CLEAR)
  if (lane < DEPTH) weights_of[lane] = lane < s.count ? *AT(weights, lane, 0) : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#define TAKE_WEIGHT(t) const element weight##t = weights_of[t];
  EACH(TAKE_WEIGHT)
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
    incoming[AHEAD] =
        load_cells(source + clamp(coming, s.bottom, s.top - 1) * f_pitch, s.i, s.left, s.right - 1, whole_source);
#define RHS(t) rhs = sources[(r - 1 - t) & (DEPTH - 1)][lane];
#else
    QN_UNROLL
    for (int c = 0; c < CELLS; ++c) rhs.v[c] = s.f_constant;
#define RHS(t)
#endif
    if (r < -DEPTH) continue;
#if !SHUFFLES
    __local element(*const firsts)[LANES] = first[r & 1];
    __local element(*const lasts)[LANES] = last[r & 1];
#define LEAVE(t)                      \
  firsts[t][lane] = m##t.centre.v[0]; \
  lasts[t][lane] = m##t.centre.v[CELLS - 1];
    EACH(LEAVE)
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    above = line[0];
#define ADVANCE(t, columns, works) \
  RHS(t)                           \
  above = advance(&m##t, above, rhs, LEFT(t), RIGHT(t), weight##t, s, columns, works);
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
    sources[r & (DEPTH - 1)][lane] = incoming[0];
#endif
    if (j >= 0 && j < s.end && s.i >= 0 && s.i < OWNED) {
      store_cells(to + j * u_new_pitch + s.i, above, s.right - s.i, whole);
    }
    if (ended >= 0 && ended < DEPTH) {
#define GIVE(t)                                                         \
  QN_UNROLL                                                             \
  for (int pair = 0; pair < CELLS / 2; ++pair) {                        \
    if (t == ended) pairs[lane * (CELLS / 2) + pair] = m##t.sums[pair]; \
    m##t.sums[pair] = t == ended ? 0 : m##t.sums[pair];                 \
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
