#include <fmt/format.h>

#include <array>

#include "problems/linear_system/scheme/methods.hpp"

namespace quoin {
namespace {

class BiCgStab final : public KrylovSolver {
 public:
  BiCgStab(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : KrylovSolver(place, setup, system, longest),
        beta_kernel_(on_sums("bicgstab_beta")),
        direction_(on_line("bicgstab_direction")),
        alpha_kernel_(on_sums("bicgstab_alpha")),
        omega_kernel_(on_sums("bicgstab_omega")),
        step_(on_blocks("krylov_step")),
        copy_(on_line("stream_copy")),
        shadow_(vector()),
        p_(vector()),
        v_(vector()),
        image_(vector()),
        rho_(number()),
        alpha_(number()),
        omega_(number()),
        beta_(number()),
        ts_(number()) {}

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    const Argument iteration = Argument::integer(number);
    product(shadow_, r_, list(products_));
    beta_kernel_.launch(queue, std::array{list(products_), rho_.argument(), alpha_.argument(), omega_.argument(),
                                          beta_.argument(), iteration, control()});
    direction_.launch(queue,
                      std::array{r_.list(), v_.list(), p_.list(), beta_.argument(), omega_.argument(), control()});
    precondition(p_);
    matrix_.multiply(queue, image_, v_);
    product(shadow_, v_, list(products_));
    alpha_kernel_.launch(queue, std::array{list(products_), rho_.argument(), alpha_.argument(), iteration, control()});
    // r becomes s; where its norm is small enough, this is the solution.
    step(v_, alpha_);
    look_at_norm(list(squares_), number, slot, tolerance);
    precondition(r_);
    matrix_.multiply(queue, image_, w_);
    product(w_, r_, list(products_));
    sum(list(products_), ts_);
    product(w_, w_, list(products_));
    omega_kernel_.launch(queue, std::array{list(products_), ts_.argument(), omega_.argument(), iteration, control()});
    step(w_, omega_);
    look_at_norm(list(squares_), number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    const char* what = found.code == 2 ? "the residual is orthogonal to the first one or not finite"
                       : found.code == 3
                           ? "the matrix times the direction is orthogonal to the first residual or not finite"
                           : "the matrix times the residual is zero, orthogonal to it or not finite";
    return fmt::format("bicgstab breaks down in iteration {}: {}", found.stopped_at, what);
  }
  [[nodiscard]] bool restarts() const override { return true; }

 private:
  void begin() override {
    Queue& queue = place_.queue;
    copy_.launch(queue, std::array{r_.list(), shadow_.list()});
    p_.clear(queue);
    v_.clear(queue);
    for (Scalar* one : {&rho_, &alpha_, &omega_}) one->set(queue, 1.0);
  }

  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"v", &v_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}, {"alpha", &alpha_}, {"omega", &omega_}}; }

  /// image = M u
  void precondition(Vector& u) {
    if (preconditioner_)
      preconditioner_->apply(place_.queue, u, image_, list(products_), control());
    else
      copy_.launch(place_.queue, std::array{u.list(), image_.list()});
  }

  /// x = x + length image, r = r - length product
  void step(Vector& product, Scalar& length) {
    step_.launch(place_.queue, std::array{image_.plane(), product.plane(), x_.plane(), r_.plane(), length.argument(),
                                          list(squares_), control()});
  }

  TimedKernel beta_kernel_, direction_, alpha_kernel_, omega_kernel_, step_, copy_;
  Vector shadow_, p_, v_, image_;
  Scalar rho_, alpha_, omega_, beta_, ts_;
};

}  // namespace

KrylovMethod bicgstab() {
  return {.launches = 14,
          .products = 2,
          .applications = 2,
          .vectors = 4,
          .saved_vectors = 3,
          .kernels = {"bicgstab_beta", "bicgstab_direction", "bicgstab_alpha", "bicgstab_omega", "krylov_step",
                      "stream_copy"},
          .make = make_solver<BiCgStab>};
}

}  // namespace quoin
