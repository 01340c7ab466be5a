#pragma once

// The launches of iterations, in variants with the same iterates to the last bit.

#include <cstdint>
#include <memory>

#include "problems/jacobi/scheme/residual_norm.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/field.hpp"
#include "quoin/kernel_timer.hpp"

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
  /// Launches `count` iterations from `iteration` (1, 2, ...) on, as Pass says, which leaves the block sums of each.
  virtual void launch(Queue& queue, std::int64_t iteration, std::int64_t count) = 0;
  /// Of the iterations launched since the last call, the first `done` count: iterate() is theirs.
  virtual void settle(Queue& queue, std::int64_t done) = 0;
  /// Launches what leaves the block sums of the settled iterate's residual, and the iterate as it is.
  virtual void measure(Queue& queue) = 0;
  [[nodiscard]] virtual const Field& iterate() const = 0;
};

/// What a case launches on a device between two looks at the norm.
struct Pass {
  std::int64_t iterations;  ///< at most
  std::int64_t sums;  ///< sweeps whose block sums it leaves, one after another: those of its iterations come first
};
/// The same on all ranks, who call it together.
Pass pass_of(const Executor& executor, const JacobiSetup& setup, Communicator& ranks);

/// Those that make_sweeps will want.
std::vector<KernelSpec> sweeps_kernels(const Executor& executor, const JacobiSetup& setup);

/// Bytes of device memory that the solver's fields take, and the block sums of its passes.
double sweeps_bytes(const JacobiSetup& setup);

std::unique_ptr<JacobiSweeps> make_sweeps(const std::shared_ptr<Executor>& executor, const JacobiSetup& setup,
                                          Communicator& ranks, Queue& queue, ResidualNorm& norm, KernelTimer& timer);

}  // namespace quoin
