#include "problems/linear_system/scheme/shadow_solver.hpp"

#include <array>

namespace quoin {

ShadowSolver::ShadowSolver(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
                           std::int64_t longest)
    : KrylovSolver(place, setup, system, longest),
      copy_(on_line("stream_copy")),
      shadow_(vector()),
      rho_(number()),
      alpha_(number()),
      beta_(number()),
      beta_kernel_(on_sums("bicgstab_beta")),
      alpha_kernel_(on_sums("bicgstab_alpha")),
      step_(on_blocks("krylov_step")),
      one_(number()) {
  one_.set(place.queue, 1.0);
}

void ShadowSolver::begin() {
  for (const Part& part : vectors())
    if (part.vector != &shadow_) part.vector->clear(place_.queue);
  copy_.launch(place_.queue, std::array{r_.list(), shadow_.list()});
  for (const Number& part : numbers()) part.scalar->set(place_.queue, 1.0);
}

void ShadowSolver::find_beta(std::int64_t number, Scalar& alpha, Scalar& omega) {
  beta_kernel_.launch(place_.queue, std::array{joined(products_), rho_.argument(), alpha.argument(), omega.argument(),
                                               beta_.argument(), Argument::integer(number), control()});
}

void ShadowSolver::find_alpha(std::int64_t number) {
  alpha_kernel_.launch(place_.queue, std::array{joined(products_), rho_.argument(), alpha_.argument(),
                                                Argument::integer(number), control()});
}

void ShadowSolver::step(const VectorPlace& image, const VectorPlace& product, Scalar& length) {
  step_.launch(place_.queue, std::array{image.plane(), product.plane(), x_.plane(), r_.plane(), length.argument(),
                                        list(squares_), control()});
}

}  // namespace quoin
