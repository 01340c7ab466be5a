#pragma once

// The bodies of DG-CVS in C++: a class template for each law, over the arithmetic type and the order.

#include "kernels/dgcvs/facts.hpp"
#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

#include "kernels/dgcvs/arguments.h"
static_assert(DG_LATERAL == dgcvs_lateral && DG_BOTTOM == dgcvs_bottom && DG_JOIN == dgcvs_join &&
              DG_SOLVE == dgcvs_solve && DG_ALL == dgcvs_all && DG_BY_FACE_LANE == dgcvs_by_face_lane &&
              DG_BY_SEQUENCE == dgcvs_by_sequence && DG_GEOMETRY == dgcvs_geometry && DG_REGION == dgcvs_region &&
              DG_FACE == dgcvs_face);

#define QN_DGCVS_TYPES                        \
  using real = Real;                          \
  using element = Element;                    \
  using lanes = typename Access<Real>::Index; \
  QUOIN_FAMILIES(QN_NAMES)

template <class Real, class Element, int ORDER>
struct Burgers {
  static constexpr int variables = 1;
  static constexpr int flux_degree = 2;  ///< of the flux, 0 where it is no multiple of a power of u
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/burgers.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"
};

#if defined(__CUDACC__)  // nvcc 13 unrolls the other laws badly: wrong shallow water at order 3, advection half as fast
#pragma push_macro("QN_UNROLL")
#pragma push_macro("QN_AT_ONCE")
#undef QN_UNROLL
#define QN_UNROLL
#undef QN_AT_ONCE
#define QN_AT_ONCE(count) 1
#endif

template <class Real, class Element, int ORDER>
struct Advection {
  static constexpr int variables = 1;
  static constexpr int flux_degree = 1;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/advection.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"  // NOLINT(readability-duplicate-include): for another law
};

template <class Real, class Element, int ORDER>
struct ShallowWater {
  static constexpr int variables = 3;
  static constexpr int flux_degree = 0;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/shallow_water.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"  // NOLINT(readability-duplicate-include): for another law
};

template <class Real, class Element, int ORDER>
struct ShallowWaterBed {
  static constexpr int variables = 3;
  static constexpr int flux_degree = 0;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/shallow_water_bed.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"  // NOLINT(readability-duplicate-include): for another law
};

#if defined(__CUDACC__)
#pragma pop_macro("QN_AT_ONCE")
#pragma pop_macro("QN_UNROLL")
#endif

}  // namespace QN_ISA
}  // namespace quoin::kernels
