#include <fmt/format.h>

#include <array>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"
#include "problems/linear_system/scheme/shadow_solver.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

/// The shadow residual and its direction are those of the transposed system.
class BiCg final : public ShadowSolver {
 public:
  BiCg(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : ShadowSolver(place, setup, system, longest),
        transposed_(place, transposed(system.matrix), cuts_, cuts_, setup.storage),
        direction_(on_line("krylov_direction")),
        subtract_(on_blocks("gmres_subtract")),
        p_(vector()),
        shadow_p_(place, rows_, transposed_.room()) {
    if (preconditioner_) image_.emplace(vector());
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    const VectorPlace z = preconditioned(r_, image_);
    product(shadow_, z, list(products_));
    find_beta(number);
    direct(z, p_);
    direct(preconditioned(shadow_, image_), shadow_p_);  // the preconditioner is its own transpose
    multiply(p_, w_, shadow_p_, list(products_));
    find_alpha(number);
    step(p_, w_, alpha_);
    transposed_.multiply(queue, shadow_p_, w_);
    subtract_.launch(queue, std::array{w_.plane(), alpha_.argument(), shadow_.plane(), list(products_),
                                       Argument::integer(1), Argument::integer(vector_rows()), control()});
    look_at_norm(squares_, number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    return fmt::format("bicg breaks down in iteration {}: {}", found.stopped_at,
                       found.code == 2
                           ? "the residual is orthogonal to that of the transposed system or not finite"
                           : "the matrix times the direction is orthogonal to that of the transposed system or not "
                             "finite");
  }

 private:
  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"shadow_p", &shadow_p_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}}; }

  /// p = z + beta p
  void direct(const VectorPlace& z, Vector& p) {
    direction_.launch(place_.queue, std::array{z.list(), p.list(), beta_.argument(), control()});
  }

  PartMatrix transposed_;
  TimedKernel direction_, subtract_;
  Vector p_, shadow_p_;
  std::optional<Vector> image_;  // of r, then of the shadow
};

}  // namespace

KrylovMethod bicg() {
  return {.launches = 9,
          .products = 2,
          .applications = 2,
          .transposed = true,
          .vectors = 4,
          .saved_vectors = 3,
          .complete = true,
          .kernels = {"bicgstab_beta", "bicgstab_alpha", "krylov_direction", "stream_copy", "gmres_subtract",
                      "krylov_step"},
          .make = make_solver<BiCg>};
}

}  // namespace quoin
