#pragma once

// The kernels of DG-CVS, which are compiled for each law and order. A skeleton adds one function to those that
// launchers.hpp names:
//
//   template <class T, class Point> void map_entities(const Range&, const Point&) const;
//     calls point.template at<real>(e) for each entity e of [i0, i1), where real is T, or a pack of T that covers
//     entities e to e + Width - 1. Both ends are multiples of entity_group. An entity costs thousands of operations.

#include "kernels/dialect/dgcvs.hpp"
#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgUpdatePoint {
  using Law = LawBodies<T, T, ORDER>;
  static constexpr int order = ORDER;
  typename Declared<T>::dgcvs_update_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_update_point(arguments, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgNewtonPoint {
  typename Declared<T>::dgcvs_update_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_newton_point(arguments, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgLinearPoint {
  typename Declared<T>::dgcvs_linear_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_linear_point(arguments, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgLimitPoint {
  typename Declared<T>::dgcvs_limit_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_limit_point(arguments, e);
  }
};

template <class T, class Skeleton>
struct DgLauncher {
  template <template <class, class, int> class LawBodies, int ORDER>
  static void launch(const Skeleton& skeleton, KernelId id, const Range& range, const Resolved* a) {
    if constexpr (LawBodies<T, T, ORDER>::flux_degree == 1) {
      if (id == KernelId::dgcvs_linear) {
        return skeleton.template map_entities<T>(range,
                                                 DgLinearPoint<T, LawBodies, ORDER>{bind_dgcvs_linear<T>(range, a)});
      }
    }
    if (id == KernelId::dgcvs_newton)
      return skeleton.template map_entities<T>(range,
                                               DgNewtonPoint<T, LawBodies, ORDER>{bind_dgcvs_update<T>(range, a)});
    if constexpr (ORDER > 0) {
      if (id == KernelId::dgcvs_limit) {
        return skeleton.template map_entities<T>(range,
                                                 DgLimitPoint<T, LawBodies, ORDER>{bind_dgcvs_limit<T>(range, a)});
      }
    }
    skeleton.template map_entities<T>(range, DgUpdatePoint<T, LawBodies, ORDER>{bind_dgcvs_update<T>(range, a)});
  }
  template <template <class, class, int> class LawBodies>
  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* a) {
    const DgShape shape(variant);
    switch (shape.order) {
      case 0:
        return launch<LawBodies, 0>(skeleton, variant.id, range, a);
      case 1:
        return launch<LawBodies, 1>(skeleton, variant.id, range, a);
      case 2:
        return launch<LawBodies, 2>(skeleton, variant.id, range, a);
      default:
        break;
    }
    if constexpr (sizeof(T) == sizeof(double)) {
      if (shape.order == 3) return launch<LawBodies, 3>(skeleton, variant.id, range, a);
      if (shape.order == 4) return launch<LawBodies, 4>(skeleton, variant.id, range, a);
    }
  }

  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* a) {
    switch (DgShape(variant).law) {
      case Law::advection:
        return launch<Advection>(skeleton, variant, range, a);
      case Law::burgers:
        return launch<Burgers>(skeleton, variant, range, a);
      case Law::shallow_water:
        return launch<ShallowWater>(skeleton, variant, range, a);
    }
  }
};

/// Runs a kernel over entities with the skeleton.
template <class Skeleton>
void launch_entities(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (variant.precision == Precision::float64) {
    DgLauncher<double, Skeleton>::launch(skeleton, variant, range, arguments);
  } else {
    DgLauncher<float, Skeleton>::launch(skeleton, variant, range, arguments);
  }
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
