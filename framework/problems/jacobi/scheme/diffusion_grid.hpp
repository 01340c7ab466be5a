#pragma once

// The equations of a grid on a device: balances with coefficients, or in space the seven points of Poisson's equation.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "problems/jacobi/scheme/stencil.hpp"
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
  /// Of Poisson's equation in space.
  DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer);

  [[nodiscard]] Field field(std::int64_t ring = 1) const { return planes.field(executor_, ring, precision_); }
  /// Rows of the grid, into a field whose ring is 0.
  void upload(Queue& queue, Field& field, const Field::Fill& rows);
  /// The same of the values of the unknowns, row by row.
  void upload(Queue& queue, Field& field, const std::vector<double>& values);
  void wrap(Queue& queue, Field& field);
  /// au = A u
  void apply(Queue& queue, Field& u, Field& au, const Argument& control);
  /// r = f - au, and what a sweep makes of u, whose ring is ready then.
  void update(Queue& queue, Field& u, Field& f, Field& au, Field& r, double weight, const Argument& control);
  /// A sweep with that weight, which leaves the block sums of squared residuals, and a ring of u_new that is ready.
  void sweep(Queue& queue, Field& u, Field& f, Field& u_new, double weight, const Argument& partials,
             const Argument& control);
  /// What the kernels of sweeps take before the weight.
  std::vector<Argument> sweep_arguments(Field& u, Field& f, Field& u_new, const Argument& partials);
  /// In space: which rows of fields are the grid's, and how far apart planes are.
  Argument inside() { return Argument::buffer(inside_.memory()); }
  [[nodiscard]] Argument apart() const { return Argument::integer(planes.apart); }

  const Axis x, y, z;
  const Planes planes;

 private:
  DiffusionGrid(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup, Queue& queue, KernelTimer& timer,
                const Axis& x, const Axis& y, const Axis& z);
  std::vector<Argument> coefficients();

  std::shared_ptr<Executor> executor_;
  Precision precision_;
  std::optional<Stencil> stencil_;   // of Poisson's equation
  std::vector<Field> coefficients_;  // of others: kx, ky, in space kz, sink
  Buffer<std::byte> inside_;         // in space
  TimedKernel apply_, sweep_;
  std::optional<TimedKernel> update_;         // of the classic variant
  std::optional<TimedKernel> pack_, unpack_;  // where sides are joined
  Buffer<std::byte> line_;
};

}  // namespace quoin
