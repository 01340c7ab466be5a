#pragma once

// What a launch is to a backend written in C++, HIP or CUDA, and how it is bound to the arguments of a body.

#include "kernels/dialect/cpp.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::kernels {

/// An argument with its memory resolved to an address.
struct Resolved {
  void* data;
  std::int64_t pitch;
  double real;
  std::int64_t integer;
};

inline namespace QN_ISA {

/// A field: element (0, 0) and the distance between rows.
template <class T>
struct View {
  T* origin;
  qn_index pitch;
  QN_CALL T* at(qn_index i, qn_index j) const { return origin + j * pitch + i; }
};

// For each kernel of the families: its arguments as the body takes them, bind_NAME(), and the run's two integers,
// stop_NAME(), null where it has none.
#define QN_BIND(name, kind, use, extent) QN_BIND_##kind(name, QN_CONST_##use)
#define QN_BIND_reals(name, constness) static_cast<constness T*>(given[at::name].data), given[at::name].pitch,
#define QN_BIND_integers(name, constness) static_cast<constness qn_index*>(given[at::name].data), given[at::name].pitch,
#define QN_BIND_indices(name, constness) \
  static_cast<constness qn_index32*>(given[at::name].data), given[at::name].pitch,
#define QN_BIND_stop(name, constness)
#define QN_BIND_real(name, constness) static_cast<T>(given[at::name].real),
#define QN_BIND_integer(name, constness) given[at::name].integer,
#define QN_STOP(name, kind, use, extent) QN_STOP_##kind(name)
#define QN_STOP_reals(name)
#define QN_STOP_integers(name)
#define QN_STOP_indices(name)
#define QN_STOP_real(name)
#define QN_STOP_integer(name)
#define QN_STOP_stop(name) stop = static_cast<const qn_index*>(given[at::name].data);
#define QN_BINDING(name, pattern, meaning, ARGUMENTS, CONSTANTS, cost)                          \
  template <class T>                                                                            \
  typename Declared<T>::name##_arguments bind_##name(const Range& box, const Resolved* given) { \
    using at [[maybe_unused]] = name##_index;                                                   \
    return {box, ARGUMENTS(QN_BIND)};                                                           \
  }                                                                                             \
  inline const qn_index* stop_##name([[maybe_unused]] const Resolved* given) {                  \
    using at [[maybe_unused]] = name##_index;                                                   \
    const qn_index* stop = nullptr;                                                             \
    ARGUMENTS(QN_STOP)                                                                          \
    return stop;                                                                                \
  }
QUOIN_FAMILIES(QN_BINDING)

}  // namespace QN_ISA
}  // namespace quoin::kernels
