#include <fmt/format.h>

#include <array>

#include "problems/linear_system/scheme/methods.hpp"
#include "problems/linear_system/scheme/shadow_solver.hpp"

namespace quoin {
namespace {

class BiCgStab final : public ShadowSolver {
 public:
  BiCgStab(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system, std::int64_t longest)
      : ShadowSolver(place, setup, system, longest),
        direction_(on_line("bicgstab_direction")),
        omega_kernel_(on_sums("bicgstab_omega")),
        p_(vector()),
        v_(vector()),
        image_(vector()),
        omega_(number()),
        ts_(number()) {}

  void launch(std::int64_t number, std::int64_t slot, double tolerance) override {
    Queue& queue = place_.queue;
    product(shadow_, r_, list(products_));
    find_beta(number, alpha_, omega_);
    direction_.launch(queue,
                      std::array{r_.list(), v_.list(), p_.list(), beta_.argument(), omega_.argument(), control()});
    precondition(p_, image_, copy_);
    multiply(image_, v_, shadow_, list(products_));
    find_alpha(number);
    // r becomes s; where its norm is small enough, this is the solution.
    step(image_, v_, alpha_);
    look_at_norm(squares_, number, slot, tolerance);
    precondition(r_, image_, copy_);
    multiply(image_, w_, r_, list(products_));
    sum(products_, ts_);
    product(w_, w_, list(products_));
    omega_kernel_.launch(
        queue, std::array{joined(products_), ts_.argument(), omega_.argument(), Argument::integer(number), control()});
    step(image_, w_, omega_);
    look_at_norm(squares_, number, slot, tolerance);
  }

  std::string breakdown(const Found& found) override {
    const char* what = found.code == 2 ? "the residual is orthogonal to the first one or not finite"
                       : found.code == 3
                           ? "the matrix times the direction is orthogonal to the first residual or not finite"
                           : "the matrix times the residual is zero, orthogonal to it or not finite";
    return fmt::format("bicgstab breaks down in iteration {}: {}", found.stopped_at, what);
  }

 private:
  std::vector<Part> vectors() override { return {{"shadow", &shadow_}, {"p", &p_}, {"v", &v_}}; }
  std::vector<Number> numbers() override { return {{"rho", &rho_}, {"alpha", &alpha_}, {"omega", &omega_}}; }

  TimedKernel direction_, omega_kernel_;
  Vector p_, v_, image_;
  Scalar omega_, ts_;
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
