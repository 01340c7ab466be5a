/* The bodies of DG-CVS as C99, for one law and one order. */
#include <math.h>
#include <stdint.h>

typedef int64_t qn_index;
typedef int32_t qn_index32;
typedef int64_t lanes;
typedef double real;
typedef double element;
#define ORDER 2
#define QN_GLOBAL
#define QN_PRIVATE
#define QN_LOAD(p, k) ((p)[k])
#define QN_STORE(p, k, v) ((p)[k] = (v))
#define QN_LOAD_INDEX(p, k) ((p)[k])
#define QN_GATHER(p, index) ((p)[index])
#define QN_PREFETCH(p) ((void)(p))
#define QN_PREFETCH_AT(p, index) ((void)(p))
#define QN_FMA(a, b, c) fma(a, b, c)
#define QN_SQRT(a) sqrt(a)
#define QN_CHOOSE(x, a, b) ((x) >= 0 ? (a) : (b))
#define QN_ANY(x) ((x) >= 0)
#define QN_MIXED(x) 0
#define QN_LOAD_SIGN(p, k) ((p)[k] >= 0 ? 1.0 : -1.0)
#define QN_IN_SEQUENCE(list, k) ((list)[k])
#define QN_UNROLL
#define QN_BY_FOUR
#define QN_AT_ONCE(count) (count)
#define QN_IN_REGISTERS(count) (count)
#define QN_ROLLED
#define QN_BODY static inline
#include "kernels/families.h"
QUOIN_FAMILIES(QN_STRUCT)
#include "kernels/dgcvs/arguments.h"
#include LAW
/* The law comes first. */
#include "kernels/dgcvs/limit.h"

void half_step(dgcvs_update_arguments a, dgcvs_limit_arguments l);
void half_step(dgcvs_update_arguments a, dgcvs_limit_arguments l) {
  dgcvs_update_point(a, 0);
#ifndef LAW_BED
  dgcvs_newton_point(a, 0);
#endif
  dgcvs_limit_point(l, 0);
}
