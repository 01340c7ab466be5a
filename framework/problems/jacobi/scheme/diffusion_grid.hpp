#pragma once

// Balances on a device.

#include <array>
#include <memory>
#include <optional>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// The kernels of DiffusionGrid.
std::vector<KernelSpec> diffusion_grid_kernels(const JacobiSetup& setup);

/// Fields with a ring, and sweeps from one to another. Where sides are joined, the ring holds the values of the
/// opposite end, and wrap() puts them there.
class DiffusionGrid {
 public:
  DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
                const Balances& balances);

  [[nodiscard]] Field field(std::int64_t ring = 1) const;
  /// The values of the unknowns, row by row, into a field whose ring is 0 or, where sides are joined, theirs.
  void upload(Queue& queue, Field& field, const std::vector<double>& values);
  void wrap(Queue& queue, Field& field);
  /// au = A u
  void apply(Queue& queue, Field& u, Field& au, const Argument& control);
  /// A sweep with that weight, which leaves the block sums of squared residuals, and a ring of u_new that is ready.
  void sweep(Queue& queue, Field& u, Field& f, Field& u_new, double weight, const Argument& partials,
             const Argument& control);

  const Axis x, y;
  Field kx, ky, sink;

 private:
  std::shared_ptr<Executor> executor_;
  Precision precision_;
  TimedKernel apply_, sweep_;
  std::optional<TimedKernel> pack_, unpack_;  // where sides are joined
  Buffer<std::byte> line_;
};

}  // namespace quoin
