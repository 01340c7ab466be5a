/* The kernel bodies must stay in C99: this file has to compile as such, in both precisions. */
#include <math.h>
#include <stdint.h>

typedef int64_t qn_index;
#define QN_GLOBAL
#define QN_PRIVATE
#define QN_LOAD(p, k) ((p)[k])
#define QN_STORE(p, k, v) ((p)[k] = (v))
#define QN_BODY static inline

typedef PRECISION real;
typedef PRECISION element;
#define QN_FMA(a, b, c) ((real)fma((double)(a), (double)(b), (double)(c)))
#define QN_SQRT(a) ((real)sqrt((double)(a)))
#include "kernels/bodies.h"

/* Calls every body once, so that none is left unchecked as unused. */
void every_body(real* u, qn_index* control);
void every_body(real* u, qn_index* control) {
  qn_index row = 0;
  jacobi_laplacian_point(u, 1, u, 1, 1, 4);
  jacobi_update_point(u, 0, u, u, 1);
  u[0] = jacobi_sweep_point(u, u, u, 0, u, 1, 1, 4, 1) + square_point(u) + tree_across(u) + tree_sum(u, 1);
  jacobi_restrict_point(u, 1, u, 1, 0, 1, 1, 1, 4, u, 1, 1, u, 1, 1, 1, u, u);
  jacobi_prolong_point(u, u, 1, 0, 0);
  copy_point(u, u + rim_node(0, 1, 1, &row));
  stream_triad_point(u, u, u, 1);
  dgcvs_observe_point(u, u, u, u, u, 1, 1);
  control[0] = residual_norm_point(u[0], u, 1, 1, 1, 1, 1);
}
