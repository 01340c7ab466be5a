#pragma once

// Iterations until the true residual b - A x meets the tolerance. That of the recurrence drifts away from it: a run is
// not called converged by that one.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "problems/linear_system/loop/solve_order.hpp"
#include "problems/linear_system/scheme/krylov_solver.hpp"
#include "problems/linear_system/setup/setup.hpp"
#include "problems/orders.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Of several ranks each has such a loop, and makes it together with the others. Then the first one's is used, and the
/// others follow it until it is destroyed.
class SolveLoop {
 public:
  SolveLoop(const LinearSystemSetup& setup, const LinearSystem& system, const std::shared_ptr<Executor>& executor,
            Communicator& ranks);
  SolveLoop(const SolveLoop&) = delete;
  SolveLoop& operator=(const SolveLoop&) = delete;
  ~SolveLoop() { orders_.end(); }

  void follow();
  /// Up to `most` iterations.
  void advance(std::int64_t most, std::vector<Row>& history);
  void save(CheckpointWriter& writer);
  void restore(CheckpointReader& reader);

  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] std::int64_t iterations() const { return state_.iterations; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  /// The norm of the newest iteration, by the recurrence.
  [[nodiscard]] double recurrence() const { return state_.recurrence; }
  /// The norm of b - A x: of a run that has ended, and of the start.
  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double initial() const { return state_.initial; }
  [[nodiscard]] double rhs_norm() const { return rhs_norm_; }
  [[nodiscard]] std::int64_t replacements() const { return state_.replacements; }
  [[nodiscard]] std::int64_t restarts() const { return state_.restarts; }
  /// Why it has diverged; else empty.
  [[nodiscard]] const std::string& breakdown() const { return breakdown_; }

  [[nodiscard]] std::vector<std::byte> solution();
  [[nodiscard]] const DeviceMatrix& matrix() const { return solver_->matrix(); }
  [[nodiscard]] const Preconditioner* preconditioner() const { return solver_->preconditioner(); }
  [[nodiscard]] const KernelTimer& timer() const { return timer_; }
  [[nodiscard]] Queue& queue() const { return *queue_; }

 private:
  struct State {
    std::int64_t iterations = 0;
    std::int64_t replacements = 0;  ///< of the recurrence's residual by the true one
    std::int64_t restarts = 0;      ///< after a breakdown
    std::int64_t incomplete = 0;    ///< 1: the newest iteration has ended without all that another would go on from
    double recurrence = 0.0, initial = 0.0;
  };
  void measure();
  void iterate(std::int64_t count, std::vector<Row>& history);
  void restore_part(CheckpointReader& reader);
  void run_chunk(std::int64_t count, std::vector<Row>& history);
  void break_down(const KrylovSolver::Found& found);
  void start();
  void judge();

  const LinearSystemSetup& setup_;
  Communicator& ranks_;
  Orders<SolveOrder> orders_;
  KrylovMethod method_;
  std::unique_ptr<Queue> queue_;
  KernelTimer timer_;
  std::unique_ptr<KrylovSolver> solver_;
  State state_;
  double rhs_norm_ = 0.0, tolerance_ = 0.0, residual_ = 0.0;
  std::int64_t chunk_ = 1;
  bool begun_ = false;  // the first row of the history is written
  Status status_ = Status::running;
  std::string breakdown_;
};

}  // namespace quoin
