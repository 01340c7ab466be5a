#include <array>

#include "problems/linear_system/scheme/preconditioner.hpp"

namespace quoin {
namespace {

std::vector<double> inverse_diagonal(const SparseMatrix& a) {
  std::vector<double> inverse(static_cast<std::size_t>(a.rows));
  for (std::int64_t row = 0; row < a.rows; ++row) inverse[static_cast<std::size_t>(row)] = 1.0 / diagonal(a, row);
  return inverse;
}

class JacobiPreconditioner final : public Preconditioner {
 public:
  JacobiPreconditioner(const DevicePlace& place, const LinearSystemSetup& /*setup*/, const LinearSystem& system)
      : inverse_(place, inverse_diagonal(system.matrix)),
        scale_(kernel_on_blocks(place, "krylov_scale", system.matrix.rows)) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
             const Argument& control) override {
    scale_.launch(queue, std::array{inverse_.plane(), inverse_.varies(), inverse_.same(), r.plane(), z.plane(),
                                    partials, control});
    return true;
  }
  [[nodiscard]] Diagonal* diagonal() override { return &inverse_; }

 private:
  Diagonal inverse_;
  TimedKernel scale_;
};

}  // namespace

PreconditionerMethod jacobi_preconditioner(const LinearSystemSetup& setup) {
  return {.launches = 1,
          .kernels = {"krylov_scale"},
          .bytes = vector_bytes(setup.rows, setup.precision),
          .symmetric = true,
          .make = make_preconditioner<JacobiPreconditioner>};
}

}  // namespace quoin
