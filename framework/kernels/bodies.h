/* Every kernel body, in the part of C99 that is also C++ and OpenCL C. The includer defines first:
 *   real, element   the arithmetic type (double, float or a SIMD pack) and the type in memory
 *   qn_index        a signed 64-bit integer
 *   QN_BODY         storage class and attributes of a body
 *   QN_GLOBAL, QN_PRIVATE   address spaces of device and private memory
 *   QN_LOAD(p, k), QN_STORE(p, k, v)   `real` values at element k
 *   QN_FMA, QN_SQRT         correctly rounded
 * Bodies call nothing else, do not branch on a `real` and fix the order of every operation, so that all
 * backends give the same bits. There is no include guard: a dialect decides how often it needs them. */
#include "kernels/dgcvs/observe.h"
#include "kernels/halo/lines.h"
#include "kernels/jacobi/points.h"
#include "kernels/jacobi/transfers.h"
#include "kernels/reduce/tree.h"
#include "kernels/stream/points.h"
