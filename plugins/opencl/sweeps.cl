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

/* Whether rows that begin there can be moved cells by cells. */
INLINE int begins_cells(QN_GLOBAL const element* row, qn_index pitch) {
  return ((ulong)row | (ulong)(pitch * sizeof(element))) % sizeof(cells) == 0;
}

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
  const int whole = inside && begins_cells(from, u_pitch) && begins_cells(to, u_new_pitch);
  const int whole_source = inside && begins_cells(source, f_pitch);
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
#define LEAVE_OUTER(r)
#define LEFT(t) of_lane_before(m##t.centre.v[CELLS - 1])
#define RIGHT(t) of_lane_after(m##t.centre.v[0])
#else
#define LEAVE(t)                      \
  firsts[t][lane] = m##t.centre.v[0]; \
  lasts[t][lane] = m##t.centre.v[CELLS - 1];
#define LEAVE_OUTER(r)                                  \
  __local element(*const firsts)[LANES] = first[r & 1]; \
  __local element(*const lasts)[LANES] = last[r & 1];   \
  EACH(LEAVE)                                           \
  barrier(CLK_LOCAL_MEM_FENCE);
#define LEFT(t) lasts[t][max(lane - 1, 0)]
#define RIGHT(t) firsts[t][min(lane + 1, LANES - 1)]
#endif

/* Rows of u and f. ASK asks for row r + AHEAD, or the nearest that there is; LINE is row r of u, SOURCE(t) the row of f
 * that sweep t then works on, and KEEP(r) ends the work on row r. */
#define U_AT(k) (from + clamp(k, s.bottom - 1, s.top) * u_pitch)
#define F_AT(k) (source + clamp(k, s.bottom, s.top - 1) * f_pitch)
#if COPIES
/* They come to local memory by copies that take no register and let a warp go on: a multiprocessor has two warps a
 * scheduler, too few to hide a wait of one row. Only the lane that asked for a cell reads it. A row of f that is asked
 * for gets the place slot + at and a second one RING further on, so that those that the sweeps work on are always one
 * after the other; the row of u gets `place`, counted modulo TURN. */
#define AHEAD 2
#define BEYOND (AHEAD + 1) /* rows that have to follow one that is asked for as a whole */
#define TURN 3             /* rows after which a sweep's state is in the same registers again, and moves none */
#define RING ((DEPTH + AHEAD + TURN) / TURN * TURN)
#define ROWS_OF_LANE                      \
  __local cells lines[TURN][LANES];       \
  __local cells sources[2 * RING][LANES]; \
  int slot = 0;
#define COPY(how, to, from, bytes)                                                                                   \
  __asm__ volatile("cp.async." how ".shared.global [%0], [%1], %2;" ::"l"((ulong)(to)), "l"(from), "n"((int)(bytes)) \
                   : "memory")
#define CLOSE_ROW __asm__ volatile("cp.async.commit_group;" ::: "memory");
INLINE void copy_cells(__local cells* to, QN_GLOBAL const element* row, int i, int lowest, int highest) {
  QN_UNROLL
  for (int c = 0; c < CELLS; ++c)
    COPY("ca", (__local element*)to + c, row + clamp(i + c, lowest, highest), sizeof(element));
}
#define LINE_AT(k) (&lines[(k) % TURN][lane])
#define SOURCE_AT(k) (&sources[slot + (k)][lane])
#define ASK_SOURCE                                                     \
  copy_cells(SOURCE_AT(0), F_AT(r + AHEAD), s.i, s.left, s.right - 1); \
  copy_cells(SOURCE_AT(RING), F_AT(r + AHEAD), s.i, s.left, s.right - 1);
#define ASK(at, place)                                                  \
  copy_cells(LINE_AT(slot), U_AT(r + AHEAD), s.i, s.left - 1, s.right); \
  IF_ARRAY(ASK_SOURCE)                                                  \
  CLOSE_ROW
#define LINE(place) *LINE_AT((place) + TURN - AHEAD)
#define NEXT_SLOT slot = slot == RING - 1 ? 0 : slot + 1;
/* The same where rows can be moved cells by cells, for one row after the other. */
#define ASK_SOURCE_WHOLE(at)                        \
  next_f += f_pitch;                                \
  COPY("cg", SOURCE_AT(at), next_f, sizeof(cells)); \
  COPY("cg", SOURCE_AT((at) + RING), next_f, sizeof(cells));
#define ASK_WHOLE(at, place)                                    \
  COPY("cg", LINE_AT(place), next_u += u_pitch, sizeof(cells)); \
  IF_ARRAY(ASK_SOURCE_WHOLE(at))                                \
  CLOSE_ROW
#define ROWS_ARE_WHOLE \
  (aligned && u_pitch >= LANES * CELLS IF_ARRAY(&&source_aligned && f_pitch >= LANES * CELLS))
#define AWAIT __asm__ volatile("cp.async.wait_group %0;" ::"n"(AHEAD) : "memory");
#define SOURCE(t) *SOURCE_AT(row_at + RING - AHEAD - 1 - t)
#define KEEP(r)
#else
#define AHEAD 1
#define BEYOND 0
#define TURN 1
#define NEXT_SLOT
#define ROWS_ARE_WHOLE 1 /* or each lane moves its cells one by one */
#define ROWS_OF_LANE                                                        \
  __local cells sources[DEPTH][LANES]; /* rows of f, by row modulo DEPTH */ \
  cells line[AHEAD + 1], incoming[AHEAD + 1];
#define ASK_SOURCE           \
  incoming[0] = incoming[1]; \
  incoming[1] = load_cells(F_AT(r + AHEAD), s.i, s.left, s.right - 1, inside && source_aligned);
#define ASK(at, place)                                                                \
  line[0] = line[1];                                                                  \
  line[1] = load_cells(U_AT(r + AHEAD), s.i, s.left - 1, s.right, inside && aligned); \
  IF_ARRAY(ASK_SOURCE)
#define AWAIT
#define LINE(place) line[0]
#define SOURCE(t) sources[(r - 1 - t) & (DEPTH - 1)][lane]
#define KEEP_SOURCE(r) sources[r & (DEPTH - 1)][lane] = incoming[0];
#define KEEP(r) IF_ARRAY(KEEP_SOURCE(r))
#endif
#if CONSTANT_rhs_array
#define IF_ARRAY(statements) statements
#define RHS(t) rhs = SOURCE(t);
#else
#define IF_ARRAY(statements)
#define RHS(t)
#endif

/* Row r comes in, and sweep t does row r - 1 - t. */
#define TAKE(t) const element left##t = LEFT(t), right##t = RIGHT(t);
#define ADVANCE(t, columns, works) \
  RHS(t)                           \
  above = advance(&m##t, above, rhs, left##t, right##t, weight##t, s, columns, works);
#define AT_EDGE(t) ADVANCE(t, 0, r - 1 - t >= s.bottom && r - 1 - t < s.top && t < s.count)
#define AT_SIDES(t) ADVANCE(t, 0, 1)
#define AWAY(t) ADVANCE(t, 1, 1)
#define ROW(at, place, ASKING, SWEEPS, STORING)              \
  {                                                          \
    enum { row_at = at };                                    \
    cells above, rhs;                                        \
    QN_UNROLL                                                \
    for (int c = 0; c < CELLS; ++c) rhs.v[c] = s.f_constant; \
    ASKING(at, place)                                        \
    LEAVE_OUTER(r)                                           \
    EACH(TAKE)                                               \
    AWAIT                                                    \
    above = LINE(place);                                     \
    SWEEPS                                                   \
    KEEP(r)                                                  \
    if (r >= DEPTH && owns) STORING(r - DEPTH)               \
    GIVE_SUMS(r)                                             \
    ++r;                                                     \
  }
#define STORE_WHOLE(j) *(QN_GLOBAL cells*)(to + (j)*u_new_pitch + s.i) = above;
#define STORE(j) \
  if (j < s.end) \
    store_cells(to + (j)*u_new_pitch + s.i, above, s.right - s.i, aligned && s.i + CELLS <= s.right);
/* The sums of the sweep that has come to the end of a row of blocks. */
#define GIVE(t)                                                         \
  QN_UNROLL                                                             \
  for (int pair = 0; pair < CELLS / 2; ++pair) {                        \
    if (t == ended) pairs[lane * (CELLS / 2) + pair] = m##t.sums[pair]; \
    m##t.sums[pair] = t == ended ? 0 : m##t.sums[pair];                 \
  }
#define GIVE_SUMS(r)                                                                                                \
  const int ended = r % 32;                                                                                         \
  if (ended >= 0 && ended < DEPTH) {                                                                                \
    EACH(GIVE)                                                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                   \
    if (r > ended && ended < s.count && lane < OWNED / 16 && 16 * lane < s.right) {                                 \
      element of_block[8];                                                                                          \
      for (int k = 0; k < 8; ++k) of_block[k] = pairs[HALO / 2 + 8 * lane + k];                                     \
      *AT(partials, column / 16 + lane, block_row + (r - 1 - ended) / 32 + ended * blocks) = tree_across(of_block); \
    }                                                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                   \
  }

__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void jacobi_sweeps
    PARAMETERS(JACOBI_SWEEPS_ARGUMENTS) {
  ROWS_OF_LANE
  __local element pairs[LANES * CELLS / 2];
  __local element weights_of[DEPTH];
#if !SHUFFLES
  __local element first[2][DEPTH][LANES]; /* the outer cells of all lanes, of rows in turn */
  __local element last[2][DEPTH][LANES];
#endif
  const int lane = get_local_id(0);
  const qn_index blocks = (j1 - j0 + 31) / 32;
  /* As MarchGrid has it: a band at a side has twice the segments. Those in the middle are the ones that are a row of
   * blocks longer, for the rows at the edges take more time. */
  const qn_index bands = (i1 - i0 + OWNED - 1) / OWNED;
  const qn_index more = (qn_index)get_group_id(0) - bands;
  const qn_index band = more < 0 ? (qn_index)get_group_id(0) : more * (bands - 1);
  const int at_side = band == 0 || band == bands - 1;
  const qn_index segments = (qn_index)get_num_groups(1) << at_side;
  const qn_index number = ((qn_index)get_group_id(1) << at_side) + (more >= 0);
  const qn_index longer = blocks % segments;
#define FIRST_BLOCK(k) ((k) * (blocks / segments) + clamp((k) - (segments - longer) / 2, (qn_index)0, longer))
  const qn_index block_row = FIRST_BLOCK(number);
  const qn_index next_row = FIRST_BLOCK(number + 1);
  const qn_index column = OWNED * band;
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
  const int aligned = begins_cells(from, u_pitch) && begins_cells(to, u_new_pitch);
  const int source_aligned = begins_cells(source, f_pitch);
  const int owns = s.i >= 0 && s.i < OWNED;
  const int end = (int)(32 * (next_row - block_row)) + DEPTH;
  int r = -DEPTH - AHEAD;
  /* From `fast` to `slow` all sweeps are on rows of nodes, with rows beyond those asked for, and there is no sweep to
   * leave out. Both are whole turns from r on. */
#define TURNS(rows) (((rows) + TURN - 1) / TURN * TURN)
  const int plain = s.count == DEPTH && ROWS_ARE_WHOLE;
  const int fast = plain ? min(r + TURNS(max(s.bottom + DEPTH, -DEPTH) - r), end) : end;
  const int slow = plain ? fast + max(min(s.top - BEYOND, end) - fast, 0) / TURN * TURN : end;
#define DECLARE(t) state m##t;
  EACH(DECLARE)
  JACOBI_SWEEPS_ARGUMENTS(LEAVE_IF_STOPPED)
  if (block_row == next_row) return;
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
  for (; r < -DEPTH; ++r) {
    ASK(0, 0)
    NEXT_SLOT
  }
#define ROWS_TO(last, ASKING, SWEEPS)   \
  while (r < last) {                    \
    ROW(0, slot, ASKING, SWEEPS, STORE) \
    NEXT_SLOT                           \
  }
#if COPIES
  /* A loop for each kind of row, that of most rows the only one that is unrolled: what the warps of a multiprocessor do
   * at once has to fit into its cache of instructions. Beside a row between others there is memory that can be read,
   * too, so that bands at the sides ask for whole cells as the others do. */
  for (int last = fast;; last = end) {
    ROWS_TO(last, ASK, EACH(AT_EDGE))
    if (r >= end) break;
    QN_GLOBAL const element* next_u = from + (r + AHEAD - 1) * u_pitch + s.i;
    QN_GLOBAL const element* next_f = source + (r + AHEAD - 1) * f_pitch + s.i;
    if (inside) {
      while (r < slow) {
        ROW(0, 0, ASK_WHOLE, EACH(AWAY), STORE_WHOLE)
        ROW(1, 1, ASK_WHOLE, EACH(AWAY), STORE_WHOLE)
        ROW(2, 2, ASK_WHOLE, EACH(AWAY), STORE_WHOLE)
        slot = slot == RING - TURN ? 0 : slot + TURN;
      }
    } else {
      ROWS_TO(slow, ASK_WHOLE, EACH(AT_SIDES))
    }
  }
#else
#define ANYWHERE               \
  if (r < fast || r >= slow) { \
    EACH(AT_EDGE)              \
  } else if (inside) {         \
    EACH(AWAY)                 \
  } else {                     \
    EACH(AT_SIDES)             \
  }
  ROWS_TO(end, ASK, ANYWHERE)
#endif
}
#endif
