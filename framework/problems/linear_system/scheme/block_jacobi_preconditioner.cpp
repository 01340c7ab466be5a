#include <array>

#include "problems/linear_system/scheme/device_matrix.hpp"
#include "problems/linear_system/scheme/preconditioner.hpp"
#include "problems/linear_system/setup/block_inverses.hpp"

namespace quoin {
namespace {

BlockInverses inverses_of(const LinearSystemSetup& setup, const SparseMatrix& a) {
  const std::int64_t length = setup.the_case.integer("method.preconditioner.block");
  const bool natural = setup.the_case.text("method.preconditioner.blocks") == "natural";
  return block_inverses(a, natural ? natural_blocks(a.rows, length) : supervariable_blocks(a, length));
}

/// A row of the inverse is a segment, so that its product with a vector has the order that a block's rows would have.
class BlockJacobiPreconditioner final : public Preconditioner {
 public:
  BlockJacobiPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system)
      : BlockJacobiPreconditioner(place, setup, inverses_of(setup, system.matrix)) {}

  void apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& partials,
             const Argument& control) override {
    inverse_->multiply(queue, r, z.list());
    product_.launch(queue, std::array{r.plane(), z.plane(), partials, control});
  }

  [[nodiscard]] std::vector<Figure> figures() const override { return {{"preconditioner.singular_blocks", singular_}}; }

 private:
  BlockJacobiPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const BlockInverses& inverses)
      : inverse_(stored_segments(place, inverses.matrix, setup.storage, " (block-jacobi)")),
        singular_(inverses.singular),
        product_(*place.executor, {"krylov_product", place.precision, {}}, vector_box(setup.rows), place.timer) {}

  std::unique_ptr<Segments> inverse_;
  std::int64_t singular_;
  TimedKernel product_;
};

}  // namespace

PreconditionerMethod block_jacobi_preconditioner(const LinearSystemSetup& setup) {
  const std::int64_t block = setup.the_case.integer("method.preconditioner.block");
  return {.launches = 2,
          .kernels = {},  // those of the matrix and of every method
          .bytes = matrix_bytes(setup.rows, block * setup.rows, setup.storage.format, setup.precision),
          .host = 16.0 * static_cast<double>(block * setup.rows),
          .make = make_preconditioner<BlockJacobiPreconditioner>};
}

}  // namespace quoin
