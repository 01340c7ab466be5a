#pragma once

// When a run ends on its residual. The device compares the norm of each sweep with the tolerance; that is the norm of
// the iterate before the sweep, computed in the precision of the run. The field that a run returns is the one after it,
// whose residual Chebyshev's weights can throw up again, and rounding can hide: so it is measured by itself before
// anyone says `converged`.

#include <array>
#include <cstdint>
#include <functional>

#include "problems/jacobi/setup/setup.hpp"
#include "quoin/problem.hpp"

namespace quoin {

class Convergence {
 public:
  explicit Convergence(const JacobiSetup& setup);

  /// Of the norms, in double. It comes before anything else.
  void set_tolerance(double tolerance);
  [[nodiscard]] double tolerance() const { return tolerance_; }

  /// What the device compares the norms of the iterations after `done` with; -1: with nothing.
  [[nodiscard]] double on_device(std::int64_t done) const;
  /// Iterations from `done` to where the field is measured, whatever its norm.
  [[nodiscard]] std::int64_t until_measured(std::int64_t done) const;
  /// Whether the field is to be measured after `done` iterations, of which the last one had this norm.
  [[nodiscard]] bool due(std::int64_t done, double norm) const;

  /// What has become of the run after `done` iterations, of which the last one had that norm, by the residual of its
  /// field; `in_double` finds that one again in double.
  Status judge(std::int64_t done, double norm, double residual, const std::function<double()>& in_double);
  /// Of the field, by the newest judgement.
  [[nodiscard]] double residual() const { return residual_; }

  /// What a checkpoint keeps of it.
  using State = std::array<double, 7>;
  [[nodiscard]] State state() const;
  /// Whether the run has ended, where the tolerance is still the one that it ended by.
  Status restore(const State& state);

 private:
  [[nodiscard]] bool planned(std::int64_t done, double norm) const;
  Status judged(std::int64_t done, double norm, double residual, const std::function<double()>& in_double);
  bool met(double residual, const std::function<double()>& in_double);

  Precision precision_;
  std::int64_t max_iterations_;
  std::int64_t check_every_;
  std::int64_t pause_;   // iterations without a look where the field did not meet what the norm did
  std::int64_t window_;  // after so many iterations the residual is at most `factor_` times as large, but for rounding
  double factor_;
  double tolerance_ = 0.0;
  double demanded_ = 0.0;  // of the device, in the precision of the run: less than the tolerance where it proved wrong
  double residual_ = 0.0;
  std::int64_t quiet_until_ = 0;  // the iteration up to which the norms are not looked at
  double before_ = 0.0;           // the residual at the end of the window before; 0: there is none
  std::int64_t before_at_ = 0;
  Status verdict_ = Status::running;
};

}  // namespace quoin
