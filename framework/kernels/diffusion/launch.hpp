#pragma once

// Sweeps with coefficients of which a pass holds several, where a backend does.

#include "kernels/launchers.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

template <class Skeleton>
struct Own<KernelId::diffusion_sweeps, Skeleton> {
  template <class T>
  static void launch(const Skeleton& skeleton, const Variant& /*variant*/, const Range& box, const Resolved* given) {
    const auto a = bind_diffusion_sweeps<T>(box, given);
    const FlowPass<T, false> pass{row_pass(a, 1), {a.kx, a.kx_pitch},     {a.ky, a.ky_pitch},
                                  {nullptr, 0},   {a.sink, a.sink_pitch}, nullptr};
    const qn_index* const control = stop_diffusion_sweeps(given);
    if constexpr (requires { skeleton.sweep_rows(pass, control); }) skeleton.sweep_rows(pass, control);
  }
};

}  // namespace QN_ISA
}  // namespace quoin::kernels
