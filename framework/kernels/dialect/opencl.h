/* The OpenCL C dialect of the kernel bodies, for OpenCL C 1.2. The program's options define first:
 *   QN_REAL   the precision, double or float */
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef QN_REAL real;
typedef QN_REAL element;
typedef long qn_index;
typedef int qn_index32;
typedef qn_index lanes;

#define QN_BODY static inline
#define QN_GLOBAL __global
#define QN_PRIVATE __private
#define QN_LOAD(p, k) ((p)[k])
#define QN_STORE(p, k, v) ((p)[k] = (v))
#define QN_LOAD_INDEX(p, k) ((p)[k])
#define QN_GATHER(p, index) ((p)[index])
#define QN_LOAD_WHERE(p, k, bits) (((bits)&1) != 0 ? (p)[k] : (real)0)
#define QN_GATHER_FROM(p, first, apart) (*(apart) != QN_NOTHING ? (p)[(first) + *(apart)] : (real)0)
#define QN_PREFETCH(p) ((void)(p))
#define QN_PREFETCH_AT(p, index) ((void)(p))
#define QN_CHOOSE(x, a, b) ((x) >= 0 ? (a) : (b))
#define QN_ANY(x) ((x) >= 0)
#define QN_MIXED(x) 0
#define QN_LOAD_SIGN(p, k) ((p)[k] >= 0 ? (real)1 : (real)-1)
#define QN_IN_SEQUENCE(list, k) ((list)[k])
#define QN_UNROLL _Pragma("unroll")
#define QN_ROLLED _Pragma("nounroll")
#define QN_BY_FOUR
#define QN_AT_ONCE(count) (count)
#define QN_IN_REGISTERS(count) (count)
#define QN_FMA(a, b, c) fma(a, b, c)
#define QN_SQRT(a) sqrt(a)
