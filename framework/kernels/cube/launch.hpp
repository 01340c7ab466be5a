#pragma once

// Sweeps in space of which a pass holds several, where a backend does.

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

template <class Skeleton>
struct Own<KernelId::cube_sweeps, Skeleton> {
  template <class T>
  static void launch(const Skeleton& skeleton, const Variant& /*variant*/, const Range& box, const Resolved* given) {
    const auto a = bind_cube_sweeps<T>(box, given);
    const CubePass<T> pass{row_pass(a, a.plane), a.inside, a.a, a.b, a.c, a.diagonal};
    const qn_index* const control = stop_cube_sweeps(given);
    if constexpr (requires { skeleton.sweep_rows(pass, control); }) skeleton.sweep_rows(pass, control);
  }
};

template <class Skeleton>
struct Own<KernelId::cube_flow_sweeps, Skeleton> {
  template <class T>
  static void launch(const Skeleton& skeleton, const Variant& /*variant*/, const Range& box, const Resolved* given) {
    const auto a = bind_cube_flow_sweeps<T>(box, given);
    const FlowPass<T, true> pass{row_pass(a, a.plane), {a.kx, a.kx_pitch},     {a.ky, a.ky_pitch},
                                 {a.kz, a.kz_pitch},   {a.sink, a.sink_pitch}, a.inside};
    const qn_index* const control = stop_cube_flow_sweeps(given);
    if constexpr (requires { skeleton.sweep_rows(pass, control); }) skeleton.sweep_rows(pass, control);
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
