#pragma once

// What the methods share that take products with a shadow residual: that of the start, or of the transposed system.

#include "problems/linear_system/scheme/krylov_solver.hpp"

namespace quoin {

class ShadowSolver : public KrylovSolver {
 public:
  [[nodiscard]] bool restarts() const override { return true; }

 protected:
  ShadowSolver(const DevicePlace& place, const LinearSystemSetup& setup, const LinearSystem& system,
               std::int64_t longest);

  /// The shadow is the residual, the method's other vectors are zero, and its numbers are 1.
  void begin() override;

  /// From products_, those of the shadow and the residual: beta = (product / rho) (alpha / omega), and rho.
  void find_beta(std::int64_t number, Scalar& alpha, Scalar& omega);
  /// beta = product / rho, and rho.
  void find_beta(std::int64_t number) { find_beta(number, one_, one_); }
  /// From products_: alpha = rho / product.
  void find_alpha(std::int64_t number);
  /// x = x + length image, r = r - length product
  void step(const VectorPlace& image, const VectorPlace& product, Scalar& length);

  TimedKernel copy_;
  Vector shadow_;
  Scalar rho_, alpha_, beta_;

 private:
  TimedKernel beta_kernel_, alpha_kernel_, step_;
  Scalar one_;
};

}  // namespace quoin
