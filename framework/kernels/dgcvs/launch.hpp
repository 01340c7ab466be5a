#pragma once

// The kernels of DG-CVS, which are compiled for each law and order.

#include "kernels/dialect/dgcvs.hpp"
#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Whether the declaration has the kernel for that law and order.
template <KernelId id, class T>
constexpr bool dgcvs_exists(Law law, int order) {
  const auto has = [](const ConstantSpec& constant, std::int64_t value) {
    return value >= constant.first && value <= (sizeof(T) == sizeof(double) ? constant.last : constant.last_in_float);
  };
  const auto& constants = entry_of(id).constants;
  return has(constants[0], static_cast<std::int64_t>(law)) && has(constants[1], order);
}

template <KernelId id, class T, template <class, template <class, class, int> class, int> class Point>
struct DgLauncher {
  template <Law law, template <class, class, int> class LawBodies, int ORDER, class Skeleton, class Arguments>
  static void launch(const Skeleton& skeleton, const Range& range, const Arguments& arguments) {
    if constexpr (dgcvs_exists<id, T>(law, ORDER))
      skeleton.template map_entities<T>(range, Point<T, LawBodies, ORDER>{arguments});
  }
  template <Law law, template <class, class, int> class LawBodies, class Skeleton, class Arguments>
  static void launch(const Skeleton& skeleton, int order, const Range& range, const Arguments& arguments) {
    switch (order) {
      case 0:
        return launch<law, LawBodies, 0>(skeleton, range, arguments);
      case 1:
        return launch<law, LawBodies, 1>(skeleton, range, arguments);
      case 2:
        return launch<law, LawBodies, 2>(skeleton, range, arguments);
      case 3:
        return launch<law, LawBodies, 3>(skeleton, range, arguments);
      default:
        return launch<law, LawBodies, 4>(skeleton, range, arguments);
    }
  }
  template <class Skeleton, class Arguments>
  static void launch(const Skeleton& skeleton, const DgShape& shape, const Range& range, const Arguments& arguments) {
    switch (shape.law) {
      case Law::advection:
        return launch<Law::advection, Advection>(skeleton, shape.order, range, arguments);
      case Law::burgers:
        return launch<Law::burgers, Burgers>(skeleton, shape.order, range, arguments);
      case Law::shallow_water:
        return launch<Law::shallow_water, ShallowWater>(skeleton, shape.order, range, arguments);
      case Law::shallow_water_bed:
        return launch<Law::shallow_water_bed, ShallowWaterBed>(skeleton, shape.order, range, arguments);
    }
  }
};

// A kernel whose body takes the arguments that `like` declares, and how it is launched; `twins`: whether packs of
// entities go two by two.
#define QN_DGCVS(Point, kernel, like, twins)                                                                           \
  template <class T, template <class, class, int> class LawBodies, int ORDER>                                          \
  struct Point {                                                                                                       \
    using Law = LawBodies<T, T, ORDER>;                                                                                \
    static constexpr int order = ORDER;                                                                                \
    static constexpr bool in_twins = twins;                                                                            \
    typename Declared<T>::like##_arguments arguments;                                                                  \
    template <class real>                                                                                              \
    QN_CALL void at(qn_index e) const {                                                                                \
      LawBodies<real, T, ORDER>::kernel##_point(arguments, e);                                                         \
    }                                                                                                                  \
  };                                                                                                                   \
  template <class Skeleton>                                                                                            \
  struct Own<KernelId::kernel, Skeleton> {                                                                             \
    template <class T>                                                                                                 \
    static void launch(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* given) {  \
      DgLauncher<KernelId::kernel, T, Point>::launch(skeleton, DgShape(variant), range, bind_##like<T>(range, given)); \
    }                                                                                                                  \
  };
QN_DGCVS(DgUpdatePoint, dgcvs_update, dgcvs_update, false)
QN_DGCVS(DgNewtonPoint, dgcvs_newton, dgcvs_update, false)
QN_DGCVS(DgLinearPoint, dgcvs_linear, dgcvs_linear, true)
QN_DGCVS(DgLimitPoint, dgcvs_limit, dgcvs_limit, false)
#undef QN_DGCVS

}  // namespace QN_ISA
}  // namespace quoin::kernels
