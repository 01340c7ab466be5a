/* The bodies of DG-CVS as C99, for one law and one order. */
#include <math.h>
#include <stdint.h>

typedef int64_t qn_index;
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
#define QN_FMA(a, b, c) fma(a, b, c)
#define QN_BODY static inline
#include LAW
/* The basis and the update need the law first. */
#include "kernels/dgcvs/basis.h"
#include "kernels/dgcvs/update.h"

void half_step(element* own, const element* old, const qn_index* neighbour, const element* geometry);
void half_step(element* own, const element* old, const qn_index* neighbour, const element* geometry) {
  dgcvs_update_point(own, 1, old, 1, neighbour, geometry, geometry, geometry, old, 4, 3, 0, 0.5);
}
