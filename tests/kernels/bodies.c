/* The kernel bodies must stay in C99: this file has to compile as such, in both precisions. */
#include <math.h>
#include <stdint.h>

typedef int64_t qn_index;
typedef int32_t qn_index32;
#define QN_GLOBAL
#define QN_PRIVATE
#define QN_LOAD(p, k) ((p)[k])
#define QN_LOAD_WHERE(p, k, bits) (((bits)&1) != 0 ? (p)[k] : 0)
#define QN_GATHER_FROM(p, first, apart) (*(apart) != QN_NOTHING ? (p)[(first) + *(apart)] : 0)
#define QN_STORE(p, k, v) ((p)[k] = (v))
#define QN_BODY static inline
#define QN_UNROLL

typedef PRECISION real;
typedef PRECISION element;
#define QN_FMA(a, b, c) ((real)fma((double)(a), (double)(b), (double)(c)))
#define QN_SQRT(a) ((real)sqrt((double)(a)))
#define QN_LOWER(p, value) (*(p) = (value))
#define QN_ADD(p, value) (*(p) += (value))
#define QN_ADD_SHARED(p, value) QN_ADD(p, value)
#include "kernels/families.h"
QUOIN_FAMILIES(QN_STRUCT)
#include "kernels/bodies.h"

/* Calls the body of every kernel, as its pattern says. */
#define CALL(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) CALL_##pattern(name)
#define CALL_map(name)                  \
  void call_##name(name##_arguments a); \
  void call_##name(name##_arguments a) { name##_point(a, 0, 0); }
#define CALL_map_single(name) CALL_map(name)
#define CALL_map_groups(name) CALL_map(name)
#define CALL_map_rim(name) CALL_map(name)
#define CALL_block_sums(name)           \
  real call_##name(name##_arguments a); \
  real call_##name(name##_arguments a) { return name##_point(a, 0, 0); }
#define CALL_list_sums(name)                         \
  void call_##name(name##_arguments a, real sum);    \
  void call_##name(name##_arguments a, real sum) {   \
    if (!name##_stopped(a)) name##_point(a, 0, sum); \
  }
#define CALL_own_map(name)
#define CALL_own_sweeps(name)
#define CALL_own_entities(name)
QUOIN_FAMILIES(CALL)

/* And those that skeletons and launch.hpp call. */
void others(real* u);
void others(real* u) {
  qn_index row = 0;
  u[0] = jacobi_sweep_point(u, u, u, 0, u, 1, 1, 4, 1) + tree_across(u) + tree_sum(u, 1);
  u[rim_node(rim_count(1, 1), 1, 1, &row)] = 0;
  jacobi_restrict_point(u, 1, u, 1, 0, 1, 1, 1, 4, u, 1, 1, u, 1, 1, 1, u, u);
}
