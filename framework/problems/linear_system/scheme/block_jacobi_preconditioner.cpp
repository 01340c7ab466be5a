#include "problems/linear_system/scheme/part_matrix.hpp"
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
      : BlockJacobiPreconditioner(place, setup, system.cuts, inverses_of(setup, system.matrix)) {}

  bool apply(Queue& queue, const VectorPlace& r, const VectorPlace& z, const Argument& /*partials*/,
             const Argument& /*control*/) override {
    inverse_.multiply(queue, r, z);
    return false;
  }
  [[nodiscard]] Room room() const override { return inverse_.room(); }

  [[nodiscard]] std::vector<Figure> figures() const override { return {{"preconditioner.singular_blocks", singular_}}; }

 private:
  BlockJacobiPreconditioner(const DevicePlace& place, const LinearSystemSetup& setup, const Cuts& cuts,
                            const BlockInverses& inverses)
      : inverse_(place, inverses.matrix, cuts, cuts, setup.storage, " (block-jacobi)"), singular_(inverses.singular) {}

  PartMatrix inverse_;
  std::int64_t singular_;
};

}  // namespace

PreconditionerMethod block_jacobi_preconditioner(const LinearSystemSetup& setup) {
  const std::int64_t block = setup.the_case.integer("method.preconditioner.block");
  return {.launches = 2,  // of a hybrid
          .kernels = {},  // those of the matrix
          .bytes = matrix_bytes(setup.rows, block * setup.rows, setup.storage.format, setup.precision),
          .host = 16.0 * static_cast<double>(block * setup.rows),
          .make = make_preconditioner<BlockJacobiPreconditioner>};
}

}  // namespace quoin
