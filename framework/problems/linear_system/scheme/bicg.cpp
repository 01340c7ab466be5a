#include <fmt/format.h>

#include <array>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"
#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

/// The shadow residual and its direction are those of the transposed system. With alpha = omega = 1, beta is that of
/// BiCGSTAB.
class BiCg final : public KrylovSolver {
 public:
  BiCg(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        transposed_(place, transposed(system.matrix), setup.storage),
        beta_kernel_(on_sums("bicgstab_beta")),
        alpha_kernel_(on_sums("bicgstab_alpha")),
        direction_(on_line("krylov_direction")),
        copy_(on_line("stream_copy")),
        subtract_(on_blocks("gmres_subtract")),
        step_(on_blocks("krylov_step")),
        shadow_(vector()),
        p_(vector()),
        shadow_p_(vector()),
        rho_(number()),
        alpha_(number()),
        beta_(number()),
        one_(number()) {
    if (preconditioner_) image_.emplace(vector());
    one_.set(place.queue, 1.0);
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    const Argument iteration = Argument::integer(number);
    const VectorPlace z = preconditioned(r_, image_);
    product(shadow_, z, list(products_));
    beta_kernel_.launch(queue, std::array{list(products_), rho_.argument(), one_.argument(), one_.argument(),
                                          beta_.argument(), iteration, control()});
    direct(z, p_);
    direct(preconditioned(shadow_, image_), shadow_p_);  // the preconditioner is its own transpose
    matrix_.multiply(queue, p_, w_);
    product(shadow_p_, w_, list(products_));
    alpha_kernel_.launch(queue, std::array{list(products_), rho_.argument(), alpha_.argument(), iteration, control()});
    step_.launch(queue, std::array{p_.plane(), w_.plane(), x_.plane(), r_.plane(), alpha_.argument(), list(squares_),
                                   control()});
    transposed_.multiply(queue, shadow_p_, w_);
    subtract_.launch(queue, std::array{w_.plane(), alpha_.argument(), shadow_.plane(), list(products_),
                                       Argument::integer(1), Argument::integer(vector_rows()), control()});
    look_at_norm(list(squares_), number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    return fmt::format("bicg breaks down in iteration {}: {}", found.stopped_at,
                       found.code == 2
                           ? "the residual is orthogonal to that of the transposed system or not finite"
                           : "the matrix times the direction is orthogonal to that of the transposed system or not "
                             "finite");
  }
  [[nodiscard]] bool restarts() const override { return true; }

 private:
  void begin() override {
    Queue& queue = place_.queue;
    copy_.launch(queue, std::array{r_.list(), shadow_.list()});
    p_.clear(queue);
    shadow_p_.clear(queue);
    rho_.set(queue, 1.0);
  }

  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"shadow_p", &shadow_p_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}}; }

  /// p = z + beta p
  void direct(const VectorPlace& z, Vector& p) {
    direction_.launch(place_.queue, std::array{z.list(), p.list(), beta_.argument(), control()});
  }

  DeviceMatrix transposed_;
  TimedKernel beta_kernel_, alpha_kernel_, direction_, copy_, subtract_, step_;
  Vector shadow_, p_, shadow_p_;
  std::optional<Vector> image_;  // of r, then of the shadow
  Scalar rho_, alpha_, beta_, one_;
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
