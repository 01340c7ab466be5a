#pragma once

// The C++ dialect of the kernel bodies: they become static members of a class template over the
// arithmetic type, so one inclusion serves double, float and SIMD packs alike.

#include <cstdint>

#include "kernels/families.h"

#ifndef QN_CALL  // how a function that runs on the device is declared; a device dialect defines its own
#define QN_CALL inline __attribute__((always_inline))
#endif
#ifndef QN_UNROLL  // what checks others defines it as nothing, and so does a build under sanitizers
#if defined(__clang__) || defined(__CUDACC__)
#define QN_UNROLL _Pragma("unroll")
#else
#define QN_UNROLL _Pragma("GCC unroll 64")
#endif
#if defined(__clang__) && !defined(__HIP__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
#define QN_BY_FOUR _Pragma("unroll 4")
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define QN_BY_FOUR _Pragma("GCC unroll 4")
#endif
#endif
#ifndef QN_BY_FOUR  // for processors
#define QN_BY_FOUR
#endif
#if defined(__clang__)
#define QN_ROLLED _Pragma("nounroll")
#elif defined(__CUDACC__)
#define QN_ROLLED _Pragma("unroll 1")
#else
#define QN_ROLLED _Pragma("GCC unroll 1")
#endif
#if defined(__CUDACC__) || defined(__HIP__) || defined(__NVPTX__) || defined(__AMDGCN__)
#define QN_AT_ONCE(count) (count)
#define QN_IN_REGISTERS(count) (count)
#else  // side by side they would not fit into a processor's registers
#define QN_AT_ONCE(count) 1
#define QN_IN_REGISTERS(count) sums_in_registers<(count)>
#endif
#ifndef QN_ISA  // kernels compiled more than once for several instruction sets need distinct names
#define QN_ISA portable
#endif

namespace quoin::kernels {

/// The points [i0, i1) x [j0, j1).
struct Range {
  std::int64_t i0, i1, j0, j1;
};

inline namespace QN_ISA {

using qn_index = std::int64_t;
using qn_index32 = std::int32_t;

#if defined(__CUDACC__) || defined(__HIP__)  // the builtins would round fp32 square roots less well on AMD devices
QN_CALL double qn_fma(double a, double b, double c) { return ::fma(a, b, c); }
QN_CALL float qn_fma(float a, float b, float c) { return ::fmaf(a, b, c); }
QN_CALL double qn_sqrt(double a) { return ::sqrt(a); }
QN_CALL float qn_sqrt(float a) { return ::sqrtf(a); }
#else
QN_CALL double qn_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
QN_CALL float qn_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
QN_CALL double qn_sqrt(double a) { return __builtin_sqrt(a); }
QN_CALL float qn_sqrt(float a) { return __builtin_sqrtf(a); }
#endif

/// Makes *least the value, unless it holds a smaller one or this is the first (then it is zero), also where lanes of a
/// device do so at once.
QN_CALL void lower(qn_index* least, qn_index value) {
#if defined(__CUDA_ARCH__) && !defined(__clang__)
  unsigned long long seen = 0;
  do {
    const unsigned long long held = seen;
    seen = atomicCAS(reinterpret_cast<unsigned long long*>(least), held, static_cast<unsigned long long>(value));
    if (seen == held) return;
  } while (static_cast<qn_index>(seen) > value);
#else
  qn_index held = 0;
  while (!__atomic_compare_exchange_n(least, &held, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) && held > value) {
  }
#endif
}

/// Adds to *sum, also where lanes of the device do so at once.
QN_CALL void add_at_once(qn_index32* sum, qn_index32 value) {
#if defined(__CUDA_ARCH__) && !defined(__clang__)
  atomicAdd(sum, value);
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_fetch_add(sum, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#elif defined(__AMDGCN__) && !defined(__HIP__)
  __scoped_atomic_fetch_add(sum, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}
/// The same where the host adds to it meanwhile. Clang 19 knows no wider scope of NVIDIA's than the device, but by
/// name.
QN_CALL void add_shared(qn_index32* sum, qn_index32 value) {
#if defined(__CUDA_ARCH__) && !defined(__clang__)
  atomicAdd_system(sum, value);
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_fetch_add(sum, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
#elif defined(__NVPTX__)
  __nvvm_atom_sys_add_gen_i(sum, value);
#else
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#endif
}

constexpr int largest_divisor(int count, int most) {
  int divisor = count < most ? count : most;
  while (count % divisor != 0) --divisor;
  return divisor;
}
/// Of `count` sums for each of two packs, how many a processor computes at a time, so that they all stay in registers.
template <int count>
#if defined(__AVX512F__)
inline constexpr int sums_in_registers = largest_divisor(count, 10);
#else
inline constexpr int sums_in_registers = largest_divisor(count, 5);
#endif

template <class Real>
QN_CALL Real qn_choose(Real x, Real a, Real b) {
  return x >= 0 ? a : b;
}
template <class Real>
QN_CALL bool qn_any(Real x) {
  return x >= 0;
}
template <class Real>
QN_CALL bool qn_mixed(Real) {
  return false;
}

/// How a `real` meets memory; a SIMD pack specialises it.
template <class Real>
struct Access {
  QN_CALL static Real load(const Real* at) { return *at; }
  QN_CALL static void store(Real* at, Real value) { *at = value; }

  /// Where bit l of `bits` is set, value l; else zero, and nothing is read.
  QN_CALL static Real load_where(const Real* at, qn_index32 bits) { return (bits & 1) != 0 ? *at : Real(0); }
  /// Value l lies *(apart + l) behind `from`; where that is nothing, it is zero.
  QN_CALL static Real gather_from(const Real* from, const qn_index32* apart) {
    return *apart != QN_NOTHING ? from[*apart] : Real(0);
  }

  using Index = qn_index;
  QN_CALL static Index load_index(const qn_index* at) { return *at; }
  QN_CALL static Real gather(const Real* from, Index index) { return from[index]; }
  QN_CALL static Real load_sign(const qn_index* at) { return *at >= 0 ? Real(1) : Real(-1); }
  QN_CALL static qn_index in_sequence(const qn_index* list, qn_index k) { return list[k]; }
  QN_CALL static void prefetch(const Real*) {}
  QN_CALL static void prefetch(const Real*, Index) {}
};

#define QN_BODY QN_CALL static
#define QN_GLOBAL
#define QN_PRIVATE
#define QN_LOAD(p, k) Access<real>::load((p) + (k))
#define QN_STORE(p, k, v) Access<real>::store((p) + (k), v)
#define QN_LOAD_WHERE(p, k, bits) Access<real>::load_where((p) + (k), bits)
#define QN_GATHER_FROM(p, first, apart) Access<real>::gather_from((p) + (first), apart)
#define QN_LOAD_INDEX(p, k) Access<real>::load_index((p) + (k))
#define QN_GATHER(p, index) Access<real>::gather(p, index)
#define QN_FMA(a, b, c) qn_fma(a, b, c)
#define QN_PREFETCH(p) Access<real>::prefetch(p)
#define QN_PREFETCH_AT(p, index) Access<real>::prefetch(p, index)
#define QN_CHOOSE(x, a, b) qn_choose(x, a, b)
#define QN_ANY(x) qn_any(x)
#define QN_MIXED(x) qn_mixed(x)
#define QN_LOAD_SIGN(p, k) Access<real>::load_sign((p) + (k))
#define QN_IN_SEQUENCE(list, k) Access<real>::in_sequence(list, k)
#define QN_SQRT(a) qn_sqrt(a)
#define QN_LOWER(p, value) lower(p, value)
#define QN_ADD(p, value) add_at_once(p, value)
#define QN_ADD_SHARED(p, value) add_shared(p, value)

/// The arguments of all bodies.
template <class Element>
struct Declared {
  using element = Element;
  using qn_box = Range;
  QUOIN_FAMILIES(QN_STRUCT)
};

#define QN_NAMES(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  using name##_arguments = typename Declared<Element>::name##_arguments;

template <class Real, class Element>
struct Bodies {
  using real = Real;
  using element = Element;
  QUOIN_FAMILIES(QN_NAMES)
#include "kernels/bodies.h"
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
