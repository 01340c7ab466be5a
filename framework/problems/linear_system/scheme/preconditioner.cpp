#include "problems/linear_system/scheme/preconditioner.hpp"

#include <array>

namespace quoin {
namespace {

/// The inverse of the diagonal.
class JacobiPreconditioner final : public Preconditioner {
 public:
  JacobiPreconditioner(const DevicePlace& place, const LinearSystem& system)
      : inverse_(place, system.matrix.rows),
        scale_(*place.executor, {"krylov_scale", place.precision, {}}, vector_box(system.matrix.rows), place.timer) {
    inverse_.upload(place.queue, system.scale);
  }

  void apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
             const Argument& control) override {
    scale_.launch(queue, std::array{inverse_.plane(), r.plane(), z.plane(), partials, control});
  }

 private:
  Vector inverse_;
  TimedKernel scale_;
};

}  // namespace

std::unique_ptr<Preconditioner> preconditioner_of(const DevicePlace& place, const LinearSystemSetup& setup,
                                                  const LinearSystem& system) {
  if (!setup.scaled) return nullptr;
  return std::make_unique<JacobiPreconditioner>(place, system);
}

std::vector<KernelSpec> preconditioner_kernels(const LinearSystemSetup& setup) {
  if (!setup.scaled) return {};
  return {{"krylov_scale", setup.precision, {}}};
}

double preconditioner_bytes(const LinearSystemSetup& setup) {
  return setup.scaled ? vector_bytes(setup.rows, setup.precision) : 0.0;
}

}  // namespace quoin
