#pragma once

// Conjugate gradients with their numbers on the device, so that no launch waits for the host. M. R. Hestenes, E.
// Stiefel, Methods of conjugate gradients for solving linear systems, J. Res. Natl. Bur. Stand. 49 (1952) 409-436.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "problems/linear_system/scheme/csr_matrix.hpp"
#include "problems/linear_system/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

class ConjugateGradients {
 public:
  /// `longest`: iterations launched at most before the host looks.
  ConjugateGradients(const std::shared_ptr<Executor>& executor, Queue& queue, const LinearSystem& system,
                     Precision precision, KernelTimer& timer, std::int64_t longest);

  /// The norm of b.
  [[nodiscard]] double rhs_norm();
  /// The norm of b - A x, which start() can go on from. It leaves the iteration as it is.
  double measure();
  /// Starts, or starts again, from x and the residual that measure() has found.
  void start();
  /// Queues iteration `number`, from 1, whose norm goes to `slot`.
  void launch(std::int64_t number, std::int64_t slot, double tolerance);

  enum class End { none, norm, breakdown };
  struct Found {
    std::int64_t stopped_at = 0;  ///< the iteration that has ended the run; 0: none has
    End end = End::none;          ///< by its norm, met or not finite, or by p'Ap
    std::vector<double> norms;    ///< of the slots
  };
  /// What has become of `count` launches. The queue has been waited for.
  [[nodiscard]] Found look(std::int64_t count);
  /// p'Ap of the newest iteration.
  [[nodiscard]] double curvature() { return curvature_.value(queue_); }

  [[nodiscard]] std::vector<std::byte> solution() const { return x_.values(queue_); }
  void save(CheckpointWriter& writer);
  void restore(CheckpointReader& reader);

  /// Launches of an iteration at most.
  static constexpr std::size_t most_launches = most_product_launches + 7;

 private:
  [[nodiscard]] double norm_of(Buffer<std::byte>& partials);
  void reset();
  [[nodiscard]] Argument control() { return Argument::buffer(control_.memory()); }
  [[nodiscard]] Vector& z() { return z_ ? *z_ : r_; }
  template <class Visit>
  void each_part(Visit&& visit);

  Queue& queue_;
  Precision precision_;
  CsrMatrix matrix_;
  TimedKernel product_, residual_, direction_, step_, alpha_kernel_, beta_kernel_, norm_, sum_;
  std::optional<TimedKernel> scale_;
  Vector b_, x_, r_, p_, w_, measured_;
  std::optional<Vector> scale_vector_, z_;  // z is r without a preconditioner
  Buffer<std::byte> products_, squares_;    // partials
  Scalar alpha_, beta_, rho_, curvature_, total_;
  Buffer<std::byte> norms_;
  Buffer<std::int64_t> control_;
};

/// Bytes on the device.
double device_bytes(const LinearSystemSetup& setup, std::int64_t longest);
/// The kernels that it makes.
std::vector<KernelSpec> cg_kernels(const LinearSystemSetup& setup);

}  // namespace quoin
