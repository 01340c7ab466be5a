#pragma once

// Every catalogue kernel for backends written in C++, HIP or CUDA: the body is bound to the arguments, and the
// backend's skeleton runs it over the points. A skeleton is a class with
//
//   template <class T, class Point> void map(const Range&, const qn_index* control, const Point&) const;
//     calls point.template at<real>(i, j) for each point of the range, where real is T, or a pack of T
//     that covers columns i to i + Width - 1 if Point::packs allows it
//   template <class T, class Point> void map_blocks(const Range&, View<T> partials, const qn_index* control,
//                                                   const Point&) const;
//     the same; at() returns a value, and the sum over each block of 16 x 32 points goes to partials
//   template <class T, class Point> void reduce(const Range&, View<const T> lists, const Point&) const;
//     calls point(k, sum) for each row j0 + k of the range with the sum of its columns over the pairwise tree; does
//     nothing where point.stopped() when the launch begins
//   template <class T, bool RhsArray> void sweep(const SweepPass<T, RhsArray>&, const qn_index* control) const;
//     only where a pass of the backend can hold several sweeps; one alone is a map_blocks()
//   template <class Pass> void sweep_rows(const Pass&, const qn_index* control) const;
//     the same of a CubePass or FlowPass
//
// and which, but for reduce, does nothing where `control` is not null and control[0] is not zero when the launch runs.

#include "kernels/launch.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Jacobi sweeps over all nodes of a box in one pass.
template <class T, bool RhsArray>
struct SweepPass {
  View<const T> u, f;
  View<T> u_new;
  View<T> partials;  ///< of the first sweep
  const T* weights;  ///< of each sweep
  T a, b, diagonal, f_constant;
  qn_index count;
  Range box;
  qn_index below, above;  ///< rows of nodes that go on beyond the box

  /// Elements from the partials of a sweep to those of the next.
  [[nodiscard]] QN_CALL qn_index plane() const {
    return (box.j1 - box.j0 + block_rows - 1) / block_rows * partials.pitch;
  }
};

/// What passes of other sweeps have in common, whose rows may be those of planes, one plane after the other.
template <class T>
struct RowPass {
  using Element = T;
  View<const T> u, f;
  View<T> u_new;
  View<T> partials;  ///< of the first sweep
  const T* weights;  ///< of each sweep
  qn_index count;
  qn_index plane;  ///< rows from a plane to the next; 1 in the plane
  Range box;

  /// Elements from the partials of a sweep to those of the next.
  [[nodiscard]] QN_CALL qn_index sums() const {
    return (box.j1 - box.j0 + block_rows - 1) / block_rows * partials.pitch;
  }
};

/// Of seven points in space.
template <class T>
struct CubePass : RowPass<T> {
  static constexpr bool in_space = true;
  static constexpr bool coefficients = false;
  const T* inside;  ///< of each row: 1 where sweeps change it, else 0
  T a, b, c, diagonal;
};

/// With coefficients on faces.
template <class T, bool InSpace>
struct FlowPass : RowPass<T> {
  static constexpr bool in_space = InSpace;
  static constexpr bool coefficients = true;
  View<const T> kx, ky, kz, sink;
  const T* inside;
};

/// What these passes take from the arguments of their kernels.
template <class Arguments>
auto row_pass(const Arguments& a, qn_index plane) {
  using T = std::remove_reference_t<decltype(*a.u_new)>;
  return RowPass<T>{{a.u, a.u_pitch},
                    {a.f, a.f_pitch},
                    {a.u_new, a.u_new_pitch},
                    {a.partials, a.partials_pitch},
                    a.weights,
                    a.count,
                    plane,
                    a.box};
}

/// A node of a pass of one sweep.
template <class T, bool RhsArray>
struct SweepPoint {
  static constexpr bool packs = true;
  SweepPass<T, RhsArray> pass;
  template <class real>
  QN_CALL real at(qn_index i, qn_index j) const {
    real rhs = real(pass.f_constant);
    if constexpr (RhsArray) rhs = Access<real>::load(pass.f.at(i, j));
    return Bodies<real, T>::jacobi_sweep_point(pass.u.at(i, j), pass.u.at(i, j - 1), pass.u.at(i, j + 1), rhs,
                                               pass.u_new.at(i, j), real(pass.a), real(pass.b), real(pass.diagonal),
                                               real(*pass.weights));
  }
};

/// The kernels that take constants of their own, as their families' launch.hpp has them:
///   template <class T> static void launch(const Skeleton&, const Variant&, const Range& box, const Resolved* given);
template <KernelId id, class Skeleton>
struct Own;

// NAME_call: what a skeleton calls for the kernel NAME.
#define QN_CALLED(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) QN_CALLED_##pattern(name)
#define QN_CALLED_points(name, Result, together)      \
  template <class T>                                  \
  struct name##_call {                                \
    static constexpr bool packs = together;           \
    typename Declared<T>::name##_arguments a;         \
    template <class real>                             \
    QN_CALL Result at(qn_index i, qn_index j) const { \
      return Bodies<real, T>::name##_point(a, i, j);  \
    }                                                 \
  };
#define QN_CALLED_map(name) QN_CALLED_points(name, void, true)
#define QN_CALLED_map_single(name) QN_CALLED_points(name, void, false)
#define QN_CALLED_map_groups(name)                  \
  template <class T>                                \
  struct name##_call {                              \
    static constexpr bool packs = false;            \
    static constexpr int group = group_points;      \
    typename Declared<T>::name##_arguments a;       \
    template <class real>                           \
    QN_CALL void at(qn_index i, qn_index j) const { \
      Bodies<real, T>::name##_point(a, i, j);       \
    }                                               \
  };
#define QN_CALLED_block_sums(name) QN_CALLED_points(name, real, true)
/* The nodes next to the box's sides are addressed by their number (k, 0). */
#define QN_CALLED_map_rim(name)                                                                  \
  template <class T>                                                                             \
  struct name##_call {                                                                           \
    static constexpr bool packs = false;                                                         \
    typename Declared<T>::name##_arguments a;                                                    \
    template <class real>                                                                        \
    QN_CALL void at(qn_index k, qn_index) const {                                                \
      qn_index row = 0;                                                                          \
      const Range& box = a.box;                                                                  \
      const qn_index column = Bodies<T, T>::rim_node(k, box.i1 - box.i0, box.j1 - box.j0, &row); \
      Bodies<T, T>::name##_point(a, box.i0 + column, box.j0 + row);                              \
    }                                                                                            \
  };
#define QN_CALLED_list_sums(name)                                                               \
  template <class T>                                                                            \
  struct name##_call {                                                                          \
    typename Declared<T>::name##_arguments a;                                                   \
    [[nodiscard]] QN_CALL bool stopped() const { return Bodies<T, T>::name##_stopped(a) != 0; } \
    QN_CALL void operator()(qn_index k, T sum) const { Bodies<T, T>::name##_point(a, k, sum); } \
  };
#define QN_CALLED_own_map(name)
#define QN_CALLED_own_sweeps(name)
#define QN_CALLED_own_entities(name)
QUOIN_FAMILIES(QN_CALLED)

/// Work-items of a work-group that visits points: as many as the kernel's pattern asks for, or else `otherwise`.
template <class Point>
constexpr int group_of(int otherwise) {
  if constexpr (requires { Point::group; }) return Point::group;
  return otherwise;
}

template <class T, class Skeleton>
struct Launcher {
#define QN_LAUNCH(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) \
  case KernelId::name: {                                              \
    QN_LAUNCH_##pattern(name) break;                                  \
  }
#define QN_CALL_OF(name) \
  name##_call<T> { bind_##name<T>(box, given) }
#define QN_LAUNCH_map(name) skeleton.template map<T>(box, stop_##name(given), QN_CALL_OF(name));
#define QN_LAUNCH_map_single(name) QN_LAUNCH_map(name)
#define QN_LAUNCH_map_groups(name) QN_LAUNCH_map(name)
#define QN_LAUNCH_map_rim(name) skeleton.template map<T>(rim_of(box), stop_##name(given), QN_CALL_OF(name));
#define QN_LAUNCH_block_sums(name)    \
  const auto call = QN_CALL_OF(name); \
  skeleton.template map_blocks<T>(box, View<T>{call.a.partials, call.a.partials_pitch}, stop_##name(given), call);
#define QN_LAUNCH_list_sums(name)     \
  const auto call = QN_CALL_OF(name); \
  skeleton.template reduce<T>(box, View<const T>{call.a.values, call.a.values_pitch}, call);
#define QN_LAUNCH_own_map(name) Own<KernelId::name, Skeleton>::template launch<T>(skeleton, variant, box, given);
#define QN_LAUNCH_own_sweeps(name) QN_LAUNCH_own_map(name)
#define QN_LAUNCH_own_entities(name) /* launch_entities() runs them */

#define QN_OVER_ENTITIES(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost) QN_OVER_ENTITIES_##pattern(name)
#define QN_OVER_ENTITIES_map(name)
#define QN_OVER_ENTITIES_map_single(name)
#define QN_OVER_ENTITIES_map_groups(name)
#define QN_OVER_ENTITIES_map_rim(name)
#define QN_OVER_ENTITIES_block_sums(name)
#define QN_OVER_ENTITIES_list_sums(name)
#define QN_OVER_ENTITIES_own_map(name)
#define QN_OVER_ENTITIES_own_sweeps(name)
#define QN_OVER_ENTITIES_own_entities(name) \
  if (variant.id == KernelId::name) Own<KernelId::name, Skeleton>::template launch<T>(skeleton, variant, box, given);

  static void launch(const Skeleton& skeleton, const Variant& variant, const Range& box, const Resolved* given) {
    switch (variant.id) { QUOIN_FAMILIES(QN_LAUNCH) }  // NOLINT(bugprone-branch-clone): made from the families
  }
  static void launch_entities([[maybe_unused]] const Skeleton& skeleton, [[maybe_unused]] const Variant& variant,
                              [[maybe_unused]] const Range& box, [[maybe_unused]] const Resolved* given) {
    QUOIN_FAMILIES(QN_OVER_ENTITIES)
  }

 private:
  /// The numbers of the nodes next to the sides.
  static Range rim_of(const Range& box) { return {0, Bodies<T, T>::rim_count(box.i1 - box.i0, box.j1 - box.j0), 0, 1}; }
};

/// Runs any kernel but those over entities with the skeleton.
template <class Skeleton>
void launch_grid(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (variant.precision == Precision::float64) {
    Launcher<double, Skeleton>::launch(skeleton, variant, range, arguments);
  } else {
    Launcher<float, Skeleton>::launch(skeleton, variant, range, arguments);
  }
}

/// Runs a kernel over entities with the skeleton, which then has one function more:
///
///   template <class T, class Point> void map_entities(const Range&, const Point&) const;
///     calls point.template at<real>(e) for each entity e of [i0, i1), where real is T, or a pack of T that covers
///     entities e to e + Width - 1. Both ends are multiples of entity_group. An entity costs thousands of operations.
template <class Skeleton>
void launch_entities(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (variant.precision == Precision::float64) {
    Launcher<double, Skeleton>::launch_entities(skeleton, variant, range, arguments);
  } else {
    Launcher<float, Skeleton>::launch_entities(skeleton, variant, range, arguments);
  }
}

/// Runs any kernel of the catalogue with the skeleton.
template <class Skeleton>
void launch_any(const Skeleton& skeleton, const Variant& variant, const Range& range, const Resolved* arguments) {
  if (over_entities(variant.id)) return launch_entities(skeleton, variant, range, arguments);
  launch_grid(skeleton, variant, range, arguments);
}

}  // namespace QN_ISA
}  // namespace quoin::kernels

#include "kernels/families_launch.hpp"
