#pragma once

// The launches of Jacobi iterations, in variants with the same iterates to the last bit.

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

  /// Sets the iterate. `sides` fills rows with the ring of side values alone, `iterate` with the ring and the values
  /// inside.
  virtual void load(Queue& queue, const Field::Fill& sides, const Field::Fill& iterate) = 0;
  /// Launches a pass of `count` sweeps, at most depth_of(), which leaves the block sums of each.
  virtual void launch(Queue& queue, std::int64_t count) = 0;
  /// Of the sweeps launched since the last call, the first `done` count: iterate() is theirs.
  virtual void settle(Queue& queue, std::int64_t done) = 0;
  [[nodiscard]] virtual const Field& iterate() const = 0;
};

/// Most sweeps of a pass in the case's variant on that device.
std::int64_t depth_of(const Executor& executor, const JacobiSetup& setup);

/// Launches of one pass.
std::size_t launches_per_pass(const JacobiSetup& setup);

/// Bytes of device memory that the fields of the variant take, and the block sums of its passes.
double sweeps_bytes(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
