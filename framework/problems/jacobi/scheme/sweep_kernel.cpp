#include "problems/jacobi/scheme/sweep_kernel.hpp"

#include <algorithm>
#include <array>

#include "device/upload.hpp"
#include "quoin/precision.hpp"

namespace quoin {

KernelSpec sweeps_spec(const Executor& executor, const JacobiSetup& setup, bool rhs_array, std::int64_t most) {
  const auto spec = [&](std::int64_t depth) {
    return KernelSpec{"jacobi_sweeps", setup.method.precision, {{"rhs_array", rhs_array ? 1 : 0}, {"depth", depth}}};
  };
  if (setup.method.variant == JacobiVariant::fused) return spec(1);
  for (std::int64_t depth = most; depth > 1; --depth)
    if (executor.supports(spec(depth))) return spec(depth);
  // Returned unsupported where the case insists on it: creating the kernel reports it.
  return spec(setup.method.variant == JacobiVariant::blocked ? 2 : 1);
}

std::vector<double> cycle_weights(const JacobiSetup& setup) {
  const Stencil stencil(setup.grid);
  if (setup.method.solver == JacobiSolver::jacobi) return {1.0 / stencil.diagonal};
  const Spectrum spectrum = stencil.spectrum(setup.grid);
  return chebyshev_weights(spectrum, chebyshev_cycle(spectrum));
}

SweepKernel::SweepKernel(const std::shared_ptr<Executor>& executor, Queue& queue, const KernelSpec& spec,
                         const Box& box, const Stencil& stencil, std::span<const double> weights, KernelTimer& timer)
    : box_(box),
      stencil_(stencil),
      depth_(spec.constant("depth", 1)),
      weight_bytes_(element_size(spec.precision)),
      weights_(uploaded(executor, queue, in_precision(weights, spec.precision))),
      kernel_(*executor, spec, box, timer) {}

std::array<Argument, 13> SweepKernel::arguments(const Data& data, const Sweeps& sweeps, const Beyond& beyond) {
  return {data.from.argument(),
          data.f,
          data.to.argument(),
          data.partials,
          Argument::real(stencil_.a),
          Argument::real(stencil_.b),
          Argument::real(stencil_.diagonal),
          Argument::buffer(weights_.memory(), static_cast<std::size_t>(sweeps.first) * weight_bytes_),
          Argument::real(data.f_constant),
          Argument::integer(sweeps.count),
          Argument::integer(std::min(beyond.below, sweeps.count - 1)),
          Argument::integer(std::min(beyond.above, sweeps.count - 1)),
          data.control};
}

void SweepKernel::launch(Queue& queue, const Box& box, const Data& data, const Sweeps& sweeps, const Beyond& beyond) {
  const auto count = static_cast<double>(sweeps.count);
  kernel_.launch(queue, box, arguments(data, sweeps, beyond), count / static_cast<double>(depth_), count);
}

void SweepKernel::launch_beside(Queue& queue, const Box& box, const Data& data, const Sweeps& sweeps,
                                const Beyond& beyond) {
  kernel_.launch_beside(queue, box, arguments(data, sweeps, beyond));
}

}  // namespace quoin
