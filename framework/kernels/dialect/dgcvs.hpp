#pragma once

// The bodies of DG-CVS in C++: a class template for each law, over the arithmetic type and the order.

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

template <class Element>
struct DgCvs {
  using element = Element;
#include "kernels/dgcvs/arguments.h"
};

#define QN_DGCVS_TYPES                                              \
  using real = Real;                                                \
  using element = Element;                                          \
  using lanes = typename Access<Real>::Index;                       \
  using dgcvs_arguments = typename DgCvs<Element>::dgcvs_arguments; \
  using dgcvs_limiter_arguments = typename DgCvs<Element>::dgcvs_limiter_arguments;

template <class Real, class Element, int ORDER>
struct Advection {
  static constexpr bool linear = true;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/advection.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"
};

template <class Real, class Element, int ORDER>
struct Burgers {
  static constexpr bool linear = false;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/burgers.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"  // NOLINT(readability-duplicate-include): for another law
};

template <class Real, class Element, int ORDER>
struct ShallowWater {
  static constexpr bool linear = false;
  QN_DGCVS_TYPES
#include "kernels/dgcvs/laws/shallow_water.h"
// The law comes first.
#include "kernels/dgcvs/limit.h"  // NOLINT(readability-duplicate-include): for another law
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
