#pragma once

// The launches of one Jacobi iteration, in two variants with the same iterates to the last bit.

#include <cstdint>
#include <memory>

#include "problems/jacobi/field.hpp"
#include "problems/jacobi/residual_norm.hpp"
#include "problems/jacobi/setup.hpp"
#include "run/kernel_timer.hpp"

namespace quoin {

class JacobiSweeps {
 public:
  JacobiSweeps() = default;
  JacobiSweeps(const JacobiSweeps&) = delete;
  JacobiSweeps& operator=(const JacobiSweeps&) = delete;
  virtual ~JacobiSweeps() = default;

  /// Sets iterate `iteration` (0: the initial guess). `sides` fills rows with the ring of side values alone,
  /// `iterate` with the ring and the values inside.
  virtual void load(Queue& queue, std::int64_t iteration, const Field::Fill& sides, const Field::Fill& iterate) = 0;
  /// Launches one sweep that turns iterate `iteration` - 1 into iterate `iteration` and leaves its block sums.
  virtual void launch(Queue& queue, std::int64_t iteration) = 0;
  /// Where iterate `iteration` lies.
  [[nodiscard]] virtual const Field& iterate(std::int64_t iteration) const = 0;
};

/// Launches of one iteration in `variant`, the residual norm included.
std::size_t launches_per_iteration(const JacobiSetup& setup);

/// Bytes of device memory that the fields of the variant take.
double sweeps_bytes(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
