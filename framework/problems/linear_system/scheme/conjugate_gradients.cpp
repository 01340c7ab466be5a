#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "problems/linear_system/scheme/methods.hpp"

namespace quoin {
namespace {

class ConjugateGradients final : public KrylovSolver {
 public:
  ConjugateGradients(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
                     std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        diagonal_(preconditioner_ ? preconditioner_->diagonal() : nullptr),
        direction_(on_line(diagonal_ != nullptr ? "krylov_scaled_direction" : "krylov_direction")),
        step_(on_blocks("krylov_step")),
        alpha_kernel_(on_sums("cg_alpha")),
        beta_kernel_(on_sums("cg_beta")),
        p_(vector()),
        alpha_(number()),
        beta_(number()),
        rho_(number()),
        curvature_(number()) {
    if (diagonal_ != nullptr)
      scaled_product_.emplace(on_blocks("krylov_scaled_product"));
    else if (preconditioner_)
      z_.emplace(vector());
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    find_direction();
    multiply(p_, w_, p_, list(products_));
    alpha_kernel_.launch(queue, std::array{list(products_), rho_.argument(), curvature_.argument(), alpha_.argument(),
                                           Argument::integer(number), control()});
    step_.launch(queue, std::array{p_.plane(), w_.plane(), x_.plane(), r_.plane(), alpha_.argument(), list(squares_),
                                   control()});
    beta_kernel_.launch(queue, std::array{precondition(), rho_.argument(), beta_.argument(), control()});
    look_at_norm(list(squares_), number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    const double curvature = curvature_.value(place_.queue);
    if (!std::isfinite(curvature))
      return fmt::format("p'Ap is not finite in iteration {}; scale the system", found.stopped_at);
    return fmt::format("the matrix is not positive definite: p'Ap = {:.3g} in iteration {}; use bicgstab or gmres",
                       curvature, found.stopped_at);
  }

 private:
  void begin() override {
    sum(precondition(), rho_);
    beta_.set(place_.queue, 0.0);
  }

  std::vector<Part> vectors() override {
    std::vector<Part> own{{"p", &p_}};
    if (z_) own.push_back({"z", &*z_});
    return own;
  }
  std::vector<Number> numbers() override { return {{"rho", &rho_}, {"beta", &beta_}}; }

  /// p = z + beta p
  void find_direction() {
    if (diagonal_ != nullptr)
      direction_.launch(place_.queue, std::array{diagonal_->list(), diagonal_->varies(), diagonal_->same(), r_.list(),
                                                 p_.list(), beta_.argument(), control()});
    else
      direction_.launch(place_.queue, std::array{z_ ? z_->list() : r_.list(), p_.list(), beta_.argument(), control()});
  }
  /// z = M r; gives the block sums of r z. Of a diagonal M, z is never stored.
  Argument precondition() {
    if (!preconditioner_) return list(squares_);
    if (diagonal_ != nullptr) {
      scaled_product_->launch(place_.queue, std::array{diagonal_->plane(), diagonal_->varies(), diagonal_->same(),
                                                       r_.plane(), list(products_), control()});
      return list(products_);
    }
    if (!preconditioner_->apply(place_.queue, r_, *z_, list(products_), control())) product(r_, *z_, list(products_));
    return list(products_);
  }

  Diagonal* diagonal_;  // of the preconditioner; null for others
  std::optional<TimedKernel> scaled_product_;
  TimedKernel direction_, step_, alpha_kernel_, beta_kernel_;
  Vector p_;
  std::optional<Vector> z_;  // without a preconditioner r, of a diagonal one d r
  Scalar alpha_, beta_, rho_, curvature_;
};

}  // namespace

KrylovMethod conjugate_gradients() {
  return {.launches = 7,
          .vectors = 2,
          .saved_vectors = 2,
          .complete = true,
          .kernels = {"krylov_direction", "krylov_scaled_direction", "krylov_scaled_product", "krylov_step", "cg_alpha",
                      "cg_beta"},
          .make = make_solver<ConjugateGradients>};
}

}  // namespace quoin
