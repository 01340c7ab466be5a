#pragma once

// The catalogue's DG-CVS kernels for backends written in C++, HIP or CUDA; launchers.hpp has the others. A skeleton
// adds one function to those named there:
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
  typename DgCvs<T>::dgcvs_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_update_point(arguments, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgNewtonPoint {
  typename DgCvs<T>::dgcvs_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_newton_point(arguments, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgLinearPoint {
  T* own;
  const T* old;
  const qn_index* neighbour;
  const T* matrices;
  qn_index stride, old_stride, slots;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_linear_point(own, stride, old, old_stride, neighbour, matrices, slots, e);
  }
};

template <class T, template <class, class, int> class LawBodies, int ORDER>
struct DgLimitPoint {
  typename DgCvs<T>::dgcvs_limiter_arguments arguments;
  template <class real>
  QN_CALL void at(qn_index e) const {
    LawBodies<real, T, ORDER>::dgcvs_limit_point(arguments, e);
  }
};

template <class T, class Skeleton>
struct DgLauncher {
  using Arguments = typename DgCvs<T>::dgcvs_arguments;
  static const T* reals(const Resolved& a) { return static_cast<const T*>(a.data); }
  static const qn_index* integers(const Resolved& a) { return static_cast<const qn_index*>(a.data); }

  static Arguments update_arguments(const Resolved* a) {
    return {.own = static_cast<T*>(a[0].data),
            .old = reals(a[1]),
            .neighbour = integers(a[2]),
            .geometry = reals(a[3]),
            .factor = reals(a[4]),
            .moments = reals(a[5]),
            .length = reals(a[6]),
            .law = reals(a[7]),
            .behind = integers(a[8]),
            .face = reals(a[9]),
            .outside = reals(a[10]),
            .rhs = static_cast<T*>(a[18].data),
            .stride = a[0].pitch,
            .old_stride = a[1].pitch,
            .face_stride = a[9].pitch,
            .first_face = a[17].integer,
            .slots = a[11].integer,
            .faces = a[12].integer,
            .sweeps = a[13].integer,
            .from_mean = a[14].integer,
            .parts = a[19].integer,
            .implicit = a[15].integer,
            .tau = static_cast<T>(a[16].real)};
  }

  static typename DgCvs<T>::dgcvs_limiter_arguments limiter_arguments(const Resolved* a) {
    return {.own = static_cast<T*>(a[0].data),
            .old = reals(a[1]),
            .neighbour = integers(a[2]),
            .geometry = reals(a[3]),
            .moments = reals(a[4]),
            .old_moments = reals(a[5]),
            .length = reals(a[6]),
            .threshold = reals(a[7]),
            .law = reals(a[8]),
            .stride = a[0].pitch,
            .old_stride = a[1].pitch,
            .slots = a[9].integer,
            .tau = static_cast<T>(a[10].real)};
  }

  template <template <class, class, int> class LawBodies, int ORDER>
  static void launch(const Skeleton& skeleton, KernelId id, const Range& range, const Resolved* a) {
    if constexpr (LawBodies<T, T, ORDER>::flux_degree == 1) {
      if (id == KernelId::dgcvs_linear) {
        const DgLinearPoint<T, LawBodies, ORDER> point{
            static_cast<T*>(a[0].data), reals(a[1]), integers(a[2]), reals(a[3]), a[0].pitch, a[1].pitch, a[4].integer};
        return skeleton.template map_entities<T>(range, point);
      }
    }
    if (id == KernelId::dgcvs_newton)
      return skeleton.template map_entities<T>(range, DgNewtonPoint<T, LawBodies, ORDER>{update_arguments(a)});
    if constexpr (ORDER > 0) {
      if (id == KernelId::dgcvs_limit) {
        return skeleton.template map_entities<T>(range, DgLimitPoint<T, LawBodies, ORDER>{limiter_arguments(a)});
      }
    }
    skeleton.template map_entities<T>(range, DgUpdatePoint<T, LawBodies, ORDER>{update_arguments(a)});
  }
  template <template <class, class, int> class LawBodies>
  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* a) {
    switch (variant.order) {
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
      if (variant.order == 3) return launch<LawBodies, 3>(skeleton, variant.id, range, a);
      if (variant.order == 4) return launch<LawBodies, 4>(skeleton, variant.id, range, a);
    }
  }

  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* a) {
    switch (variant.law) {
      case Law::advection:
        return launch<Advection>(skeleton, variant, range, a);
      case Law::burgers:
        return launch<Burgers>(skeleton, variant, range, a);
      case Law::shallow_water:
        return launch<ShallowWater>(skeleton, variant, range, a);
    }
  }
};

/// Runs a DG-CVS kernel with the skeleton.
template <class Skeleton>
void launch_dgcvs(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (variant.precision == Precision::float64) {
    DgLauncher<double, Skeleton>::launch(skeleton, variant, range, arguments);
  } else {
    DgLauncher<float, Skeleton>::launch(skeleton, variant, range, arguments);
  }
}

/// Runs any kernel of the catalogue with the skeleton.
template <class Skeleton>
void launch_any(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (is_dgcvs(variant.id)) return launch_dgcvs(skeleton, variant, range, arguments);
  launch_grid(skeleton, variant, range, arguments);
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
