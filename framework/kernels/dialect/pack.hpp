#pragma once

// A SIMD pack: `Width` values of T that are operated on together. CPU backends use it as `real`.

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

template <class T, int Width>
struct Pack {
  typedef T Vector __attribute__((vector_size(Width * sizeof(T))));
  typedef T Unaligned __attribute__((vector_size(Width * sizeof(T)), aligned(alignof(T)), may_alias));
  Vector v;

  Pack() = default;
  QN_CALL explicit Pack(T value) : v(value - Vector{}) {}  // value - 0 keeps the sign of zero
  QN_CALL static Pack of(Vector vector) {
    Pack pack;
    pack.v = vector;
    return pack;
  }
  QN_CALL friend Pack operator+(Pack a, Pack b) { return of(a.v + b.v); }
  QN_CALL friend Pack operator-(Pack a, Pack b) { return of(a.v - b.v); }
  QN_CALL friend Pack operator*(Pack a, Pack b) { return of(a.v * b.v); }
  QN_CALL friend Pack operator/(Pack a, Pack b) { return of(a.v / b.v); }
  QN_CALL friend Pack operator-(Pack a) { return of(-a.v); }
};

/// Two packs side by side, for a body that reads much which all entities share: each number of that serves both.
template <class P>
struct Twin {
  P low, high;

  Twin() = default;
  template <class T>
  QN_CALL explicit Twin(T value) : low(value), high(value) {}
  QN_CALL Twin(P low_, P high_) : low(low_), high(high_) {}
};

/// Indices of the elements that a pack gathers. Those that lie side by side are one load, and two such stretches, as
/// where a row of entities ends, are two with AVX-512.
template <int Width>
struct PackIndex {
  const qn_index* at;
  bool adjacent;
  bool two = false;        ///< stretches
  std::uint8_t first = 0;  ///< lanes of the first, a bit each
};

template <class T, int Width>
struct Access<Pack<T, Width>> {
  using P = Pack<T, Width>;
  QN_CALL static P load(const T* at) { return P::of(*reinterpret_cast<const typename P::Unaligned*>(at)); }
  QN_CALL static void store(T* at, P value) { *reinterpret_cast<typename P::Unaligned*>(at) = value.v; }

  QN_CALL static P load_where(const T* at, qn_index32 bits) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
    if constexpr (Width == 8 && sizeof(T) == 8)
      return P::of(_mm512_maskz_loadu_pd(static_cast<__mmask8>(bits), at));
    else if constexpr (Width == 8)
      return P::of(_mm256_maskz_loadu_ps(static_cast<__mmask8>(bits), at));
#endif
    typename P::Vector values{};
    for (int lane = 0; lane < Width; ++lane) values[lane] = ((bits >> lane) & 1) != 0 ? at[lane] : T(0);
    return P::of(values);
  }
  QN_CALL static P gather_from(const T* from, const qn_index32* apart) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
    if constexpr (Width == 8) {
      const __m256i places = _mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(apart));
      const __mmask8 there = _mm256_cmpneq_epi32_mask(places, _mm256_set1_epi32(QN_NOTHING));
      if constexpr (sizeof(T) == 8)
        return P::of(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), there, places, from, sizeof(T)));
      else
        return P::of(_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), there, places, from, sizeof(T)));
    }
#endif
    typename P::Vector values{};
    for (int lane = 0; lane < Width; ++lane) values[lane] = Access<T>::gather_from(from, apart + lane);
    return P::of(values);
  }

  using Index = PackIndex<Width>;
  QN_CALL static Index load_index(const qn_index* at) {
#if defined(__AVX512F__)
    if constexpr (Width == 8) {
      const __m512i steps = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
      const __m512i starts = _mm512_sub_epi64(_mm512_loadu_si512(at), steps);  // of the stretches that lanes lie in
      const __mmask8 first = _mm512_cmpeq_epi64_mask(starts, _mm512_set1_epi64(at[0]));
      const __mmask8 last = _mm512_cmpeq_epi64_mask(starts, _mm512_set1_epi64(at[7] - 7));
      return {at, first == 0xff, (first | last) == 0xff, first};
    }
#endif
    bool adjacent = true;
    for (int lane = 1; lane < Width; ++lane) adjacent = adjacent && at[lane] == at[0] + lane;
    return {at, adjacent};
  }
  QN_CALL static P gather(const T* from, Index index) {
    if (index.adjacent) return load(from + index.at[0]);
#if defined(__AVX512F__) && defined(__AVX512VL__)
    if constexpr (Width == 8)
      if (index.two) {
        const auto first = static_cast<__mmask8>(index.first);
        const auto last = static_cast<__mmask8>(~index.first);
        if constexpr (sizeof(T) == 8)
          return P::of(
              _mm512_mask_loadu_pd(_mm512_maskz_loadu_pd(last, from + index.at[7] - 7), first, from + index.at[0]));
        else
          return P::of(
              _mm256_mask_loadu_ps(_mm256_maskz_loadu_ps(last, from + index.at[7] - 7), first, from + index.at[0]));
      }
#endif
    typename P::Vector values{};
    for (int lane = 0; lane < Width; ++lane) values[lane] = from[index.at[lane]];
    return P::of(values);
  }
  QN_CALL static P load_sign(const qn_index* at) {
    typename P::Vector signs{};
    for (int lane = 0; lane < Width; ++lane) signs[lane] = at[lane] >= 0 ? T(1) : T(-1);
    return P::of(signs);
  }
  QN_CALL static qn_index in_sequence(const qn_index*, qn_index k) { return k; }
  QN_CALL static void prefetch(const T* at) { __builtin_prefetch(at + Width); }
  QN_CALL static void prefetch(const T* from, Index index) { prefetch(from + index.at[0]); }
};

template <class T, int Width>
struct Access<Twin<Pack<T, Width>>> {
  using Half = Access<Pack<T, Width>>;
  using Both = Twin<Pack<T, Width>>;
  struct Index {
    typename Half::Index low, high;
  };
  QN_CALL static void store(T* at, const Both& value) {
    Half::store(at, value.low);
    Half::store(at + Width, value.high);
  }
  QN_CALL static Index load_index(const qn_index* at) { return {Half::load_index(at), Half::load_index(at + Width)}; }
  QN_CALL static Both gather(const T* from, const Index& index) {
    return {Half::gather(from, index.low), Half::gather(from, index.high)};
  }
};

template <class T, int Width>
QN_CALL Pack<T, Width> qn_choose(Pack<T, Width> x, Pack<T, Width> a, Pack<T, Width> b) {
  return Pack<T, Width>::of(x.v >= 0 ? a.v : b.v);
}
template <class T, int Width>
QN_CALL int qn_count(Pack<T, Width> x) {
  int count = 0;
  for (int lane = 0; lane < Width; ++lane) count += x.v[lane] >= 0 ? 1 : 0;
  return count;
}
template <class T, int Width>
QN_CALL bool qn_any(Pack<T, Width> x) {
  return qn_count(x) > 0;
}
template <class T, int Width>
QN_CALL bool qn_mixed(Pack<T, Width> x) {
  return qn_count(x) > 0 && qn_count(x) < Width;
}
template <class T, int Width>
QN_CALL Pack<T, Width> qn_sqrt(Pack<T, Width> a) {
  typename Pack<T, Width>::Vector root{};
  for (int lane = 0; lane < Width; ++lane) root[lane] = qn_sqrt(a.v[lane]);
  return Pack<T, Width>::of(root);
}

// Vector extensions have no fma, and compilers may not contract on their own: the instruction by name.
#if defined(__AVX2__) && defined(__FMA__)
QN_CALL Pack<double, 4> qn_fma(Pack<double, 4> a, Pack<double, 4> b, Pack<double, 4> c) {
  return Pack<double, 4>::of(_mm256_fmadd_pd(a.v, b.v, c.v));
}
QN_CALL Pack<float, 8> qn_fma(Pack<float, 8> a, Pack<float, 8> b, Pack<float, 8> c) {
  return Pack<float, 8>::of(_mm256_fmadd_ps(a.v, b.v, c.v));
}
#endif
// Stores past the caches, to where a pack is aligned; they are done when qn_fence() returns.
#if defined(__AVX2__) && defined(__FMA__)
QN_CALL void qn_stream(double* at, Pack<double, 4> value) { _mm256_stream_pd(at, value.v); }
QN_CALL void qn_stream(float* at, Pack<float, 8> value) { _mm256_stream_ps(at, value.v); }
QN_CALL void qn_fence() { _mm_sfence(); }
#endif
#if defined(__AVX512F__)
QN_CALL void qn_stream(double* at, Pack<double, 8> value) { _mm512_stream_pd(at, value.v); }
QN_CALL Pack<double, 8> qn_fma(Pack<double, 8> a, Pack<double, 8> b, Pack<double, 8> c) {
  return Pack<double, 8>::of(_mm512_fmadd_pd(a.v, b.v, c.v));
}
#endif

template <class P>
QN_CALL Twin<P> qn_fma(const Twin<P>& a, const Twin<P>& b, const Twin<P>& c) {
  return {qn_fma(a.low, b.low, c.low), qn_fma(a.high, b.high, c.high)};
}

/// The value before each of `here`, where `before` ends with the one before the first.
template <class T>
QN_CALL T lane_before(T before, T) {
  return before;
}
template <class T, int Width, std::size_t... Lane>
QN_CALL Pack<T, Width> lane_before(Pack<T, Width> before, Pack<T, Width> here, std::index_sequence<Lane...>) {
  return Pack<T, Width>::of(__builtin_shufflevector(before.v, here.v, (Width - 1 + Lane)...));
}
template <class T, int Width>
QN_CALL Pack<T, Width> lane_before(Pack<T, Width> before, Pack<T, Width> here) {
  return lane_before(before, here, std::make_index_sequence<Width>{});
}

/// Sums of adjacent lanes of the values low followed by high: the pair sums of the reduction tree.
template <class T, int Width, std::size_t... Lane>
QN_CALL Pack<T, Width> pair_sums(Pack<T, Width> low, Pack<T, Width> high, std::index_sequence<Lane...>) {
  return Pack<T, Width>::of(__builtin_shufflevector(low.v, high.v, (2 * Lane)...) +
                            __builtin_shufflevector(low.v, high.v, (2 * Lane + 1)...));
}
template <class T, int Width>
QN_CALL Pack<T, Width> pair_sums(Pack<T, Width> low, Pack<T, Width> high) {
  return pair_sums(low, high, std::make_index_sequence<Width>{});
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
