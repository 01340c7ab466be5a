#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "problems/jacobi/loop/convergence.hpp"
#include "problems/jacobi/scheme/residual_norm.hpp"
#include "problems/jacobi/scheme/sweeps.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "quoin/fields.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// How far a run has come, besides its iterate.
struct JacobiState {
  std::int64_t iterations = 0;  ///< done
  double norm = 0.0;            ///< that the newest iteration found
  double reference = 0.0;       ///< for relative tolerances
  Convergence::State convergence{};
};

/// The iterations of a run on a device.
class IterationLoop {
 public:
  /// Everything but the start. `longest_chunk`: iterations launched at most before the host looks at the device.
  IterationLoop(const JacobiSetup& setup, const std::shared_ptr<Executor>& executor, std::int64_t longest_chunk);

  /// From these values at the nodes.
  void start(const Field::Fill& interior);
  /// From where another run has come.
  void resume(const JacobiState& state, const Field::Fill& interior);
  /// About a tenth of a second of iterations, `most` at most, and what they come to; nothing once the run has ended.
  /// Appends rows of the history.
  void advance(std::int64_t most, std::vector<Row>& history);

  [[nodiscard]] const JacobiSetup& setup() const { return setup_; }
  [[nodiscard]] const Sides& sides() const { return sides_; }
  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] JacobiState state() const { return {iterations_, norm_of_last_, reference_, convergence_.state()}; }
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  [[nodiscard]] double norm_of_last() const { return norm_of_last_; }
  [[nodiscard]] const Convergence& convergence() const { return convergence_; }
  [[nodiscard]] const Field& iterate() const { return sweeps_->iterate(); }
  [[nodiscard]] Queue& queue() const { return *queue_; }
  [[nodiscard]] const KernelTimer& timer() const { return *timer_; }

 private:
  void load(const Field::Fill& interior);
  void run_chunk(std::int64_t most, std::vector<Row>& history);
  [[nodiscard]] std::int64_t iterations_to_launch(std::int64_t most) const;
  std::vector<std::size_t> launch(std::int64_t count);
  [[nodiscard]] double norm_of(const Field::Fill& interior);
  [[nodiscard]] double measured();
  [[nodiscard]] double reference_of(const Field::Fill& initial);
  void set_tolerance(double reference);
  [[nodiscard]] Status judged();

  const JacobiSetup& setup_;
  Sides sides_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<KernelTimer> timer_;
  std::unique_ptr<ResidualNorm> norm_;
  std::unique_ptr<JacobiSweeps> sweeps_;
  std::int64_t longest_chunk_;
  Pass pass_;
  std::int64_t chunk_ = 1;
  Convergence convergence_;
  Status status_ = Status::running;
  std::int64_t iterations_ = 0;
  double reference_ = 0.0;
  double norm_of_last_ = 0.0;
};

}  // namespace quoin
