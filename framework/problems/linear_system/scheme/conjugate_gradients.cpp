#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "problems/linear_system/scheme/methods.hpp"

namespace quoin {
namespace {

/// An iteration ends with the direction of the next one. Of a diagonal M, z = M r is never stored, and x waits for the
/// pass that finds the direction, which reads p anyway.
class ConjugateGradients final : public KrylovSolver {
 public:
  ConjugateGradients(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
                     std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        alpha_kernel_(on_sums("cg_alpha")),
        beta_kernel_(on_sums("cg_beta")),
        p_(vector()),
        alpha_(number()),
        beta_(number()),
        rho_(number()),
        curvature_(number()) {
    if (!preconditioner_) identity_.emplace(place, std::vector<double>{1.0});
    Diagonal* const diagonal = preconditioner_ ? preconditioner_->diagonal() : &*identity_;
    if (diagonal != nullptr)
      by_diagonal_.emplace(
          ByDiagonal{*diagonal, on_blocks("krylov_scale"), on_blocks("cg_residual"), on_blocks("cg_advance")});
    else
      by_image_.emplace(ByImage{vector(), on_line("krylov_direction"), on_blocks("krylov_step")});
  }

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    multiply(p_, w_, p_, list(products_));
    alpha_kernel_.launch(queue, std::array{joined(products_), rho_.argument(), curvature_.argument(), alpha_.argument(),
                                           Argument::integer(number), control()});
    find_residual();
    beta_kernel_.launch(queue, std::array{joined(products_), rho_.argument(), beta_.argument(), control()});
    find_direction();
    look_at_norm(squares_, number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    const double curvature = curvature_.value(place_.queue);
    if (!std::isfinite(curvature))
      return fmt::format("p'Ap is not finite in iteration {}; scale the system", found.stopped_at);
    return fmt::format("the matrix is not positive definite: p'Ap = {:.3g} in iteration {}; use bicgstab or gmres",
                       curvature, found.stopped_at);
  }

 private:
  struct ByDiagonal {
    Diagonal& d;
    TimedKernel scale, residual, advance;
  };
  struct ByImage {
    Vector z;
    TimedKernel direction, step;
  };

  /// p = z, and rho.
  void begin() override {
    if (by_diagonal_) {
      auto& [d, scale, residual, advance] = *by_diagonal_;
      scale.launch(place_.queue,
                   std::array{d.plane(), d.varies(), d.same(), r_.plane(), p_.plane(), list(products_), control()});
    } else {
      precondition();
      beta_.set(place_.queue, 0.0);
      find_direction();
    }
    sum(products_, rho_);
  }

  std::vector<Part> vectors() override { return {{"p", &p_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}}; }

  /// r, with the block sums of r z.
  void find_residual() {
    if (by_diagonal_) {
      auto& [d, scale, residual, advance] = *by_diagonal_;
      residual.launch(place_.queue, std::array{d.plane(), d.varies(), d.same(), w_.plane(), r_.plane(),
                                               alpha_.argument(), list(products_), control()});
    } else {
      by_image_->step.launch(place_.queue, std::array{p_.plane(), w_.plane(), x_.plane(), r_.plane(), alpha_.argument(),
                                                      list(squares_), control()});
      precondition();
    }
  }
  /// p = z + beta p. After it, the squares are those of r.
  void find_direction() {
    if (by_diagonal_) {
      auto& [d, scale, residual, advance] = *by_diagonal_;
      advance.launch(place_.queue, std::array{d.plane(), d.varies(), d.same(), r_.plane(), x_.plane(), p_.plane(),
                                              alpha_.argument(), beta_.argument(), list(squares_), control()});
    } else {
      by_image_->direction.launch(place_.queue,
                                  std::array{by_image_->z.list(), p_.list(), beta_.argument(), control()});
    }
  }
  /// z = M r, with the block sums of r z.
  void precondition() {
    Vector& z = by_image_->z;
    if (!preconditioner_->apply(place_.queue, r_, z, list(products_), control())) product(r_, z, list(products_));
  }

  std::optional<Diagonal> identity_;  // without a preconditioner
  std::optional<ByDiagonal> by_diagonal_;
  std::optional<ByImage> by_image_;
  TimedKernel alpha_kernel_, beta_kernel_;
  Vector p_;
  Scalar alpha_, beta_, rho_, curvature_;
};

}  // namespace

KrylovMethod conjugate_gradients() {
  return {.launches = 7,
          .vectors = 2,
          .saved_vectors = 1,
          .complete = true,
          .kernels = {"krylov_direction", "krylov_step", "krylov_scale", "cg_residual", "cg_advance", "cg_alpha",
                      "cg_beta"},
          .make = make_solver<ConjugateGradients>};
}

}  // namespace quoin
