#include <array>

#include "problems/linear_system/scheme/preconditioner.hpp"

namespace quoin {
namespace {

std::vector<double> inverse_diagonal(const SparseMatrix& a, const RowRange& rows) {
  std::vector<double> inverse;
  for (std::int64_t row = rows.first; row < rows.last; ++row) inverse.push_back(1.0 / diagonal(a, row));
  return inverse;
}

class JacobiPreconditioner final : public Preconditioner {
 public:
  JacobiPreconditioner(const DevicePlace& place, const LinearSystemSetup& /*setup*/, const LinearSystem& system)
      : JacobiPreconditioner(place, system.cuts[place.ranks.rank()], system.matrix) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
             const Argument& control) override {
    scale_.launch(queue, std::array{inverse_.plane(), inverse_.varies(), inverse_.same(), r.plane(), z.plane(),
                                    partials, control});
    return true;
  }
  [[nodiscard]] Diagonal* diagonal() override { return &inverse_; }

 private:
  JacobiPreconditioner(const DevicePlace& place, const RowRange& own, const SparseMatrix& a)
      : inverse_(place, inverse_diagonal(a, own)), scale_(kernel_on_blocks(place, "krylov_scale", own.stored())) {}

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
