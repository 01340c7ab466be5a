#include "problems/jacobi/loop/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/jacobi/scheme/diffusion_sweeps.hpp"
#include "problems/jacobi/scheme/stencil.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

constexpr double max_iterations = 0x1p62;  // well within an integer

std::int64_t next_multiple(std::int64_t of, std::int64_t after) { return (after / of + 1) * of; }

Spectrum jacobi_spectrum(const JacobiSetup& setup) {
  if (setup.beyond_poisson) return setup.medium().bounds.jacobi;
  return Stencil(setup.grid).spectrum(setup.grid);
}

/// Of a sweep of Jacobi's method.
double jacobi_reduction(const JacobiSetup& setup, const Spectrum& spectrum) {
  if (!setup.beyond_poisson) return spectrum.most / Stencil(setup.grid).diagonal - 1.0;
  const double weight = diffusion_weights(setup).front();
  return std::max(1.0 - weight * spectrum.least, weight * spectrum.most - 1.0);
}

}  // namespace

Convergence::Convergence(const JacobiSetup& setup)
    : precision_(setup.method.precision),
      max_iterations_(setup.method.max_iterations),
      check_every_(setup.method.check_every),
      pause_(1),
      window_(5),
      factor_(0.5) {
  if (setup.method.solver == JacobiSolver::multigrid) {  // a cycle leaves a tenth or so: five leave far less
    if (setup.beyond_poisson) window_ = 50;              // or nine tenths, where coefficients jump
    return;
  }
  constexpr double least_window = 4096.0;  // measuring costs a sweep and a look at the device
  constexpr double max_window = 1e15;
  const Spectrum spectrum = jacobi_spectrum(setup);
  double sweeps = 1.0;
  double reduction = jacobi_reduction(setup, spectrum);
  pause_ = 64;
  if (setup.method.solver == JacobiSolver::chebyshev) {
    pause_ = chebyshev_cycle(spectrum);
    sweeps = static_cast<double>(pause_);
    reduction = chebyshev_reduction(spectrum, pause_);
  }
  // The eigenvalues of a sweep are real, and its matrix is symmetric: no norm of a residual can do worse.
  const double halves = reduction > factor_ ? std::ceil(std::log(factor_) / std::log(reduction)) : 1.0;
  window_ =
      static_cast<std::int64_t>(std::min(max_window, sweeps * std::max(halves, std::ceil(least_window / sweeps))));
}

void Convergence::set_tolerance(double tolerance) {
  tolerance_ = tolerance;
  demanded_ = rounded(tolerance, precision_);
}

double Convergence::on_device(std::int64_t done) const { return done < quiet_until_ ? -1.0 : demanded_; }

std::int64_t Convergence::until_measured(std::int64_t done) const {
  const std::int64_t next = next_multiple(window_, done);
  return (done < quiet_until_ ? std::min(next, quiet_until_) : next) - done;
}

bool Convergence::due(std::int64_t done, double norm) const { return done >= max_iterations_ || planned(done, norm); }

/// Whatever the limit of iterations.
bool Convergence::planned(std::int64_t done, double norm) const {
  if (done % window_ == 0 || done == quiet_until_) return true;
  return done > quiet_until_ && done % check_every_ == 0 && norm <= demanded_;
}

bool Convergence::met(double residual, const std::function<double()>& in_double) {
  residual_ = residual;
  if (residual > demanded_) return false;
  if (precision_ == Precision::float64) return true;
  residual_ = in_double();
  if (residual_ <= tolerance_) return true;
  demanded_ = rounded(demanded_ / 2.0, precision_);
  return false;
}

Status Convergence::judge(std::int64_t done, double norm, double residual, const std::function<double()>& in_double) {
  return verdict_ = judged(done, norm, residual, in_double);
}

Status Convergence::judged(std::int64_t done, double norm, double residual, const std::function<double()>& in_double) {
  constexpr double least_demanded = 1e-3;  // of the tolerance: below, rounding is all that the device still sees
  if (!planned(done, norm)) {  // a run with a larger limit would not look here, and must be able to go on from it
    const double demanded = demanded_;
    const bool reached = met(residual, in_double);
    demanded_ = demanded;
    return reached ? Status::converged : Status::not_converged;
  }
  const bool promised = norm <= demanded_;
  const bool window_ends = done % window_ == 0 && done > before_at_;
  const bool as_before = window_ends && before_ > 0.0 && residual > std::sqrt(factor_) * before_;
  if (window_ends) {  // also where the run ends here, for it may go on to a smaller tolerance
    before_ = residual;
    before_at_ = done;
  }
  if (met(residual, in_double)) return Status::converged;
  if (demanded_ < least_demanded * tolerance_) return Status::stagnated;
  if (as_before) return Status::stagnated;
  if (promised) quiet_until_ = next_multiple(pause_, done);
  return done >= max_iterations_ ? Status::not_converged : Status::running;
}

Convergence::State Convergence::state() const {
  return {tolerance_,
          demanded_,
          static_cast<double>(quiet_until_),
          before_,
          static_cast<double>(before_at_),
          residual_,
          static_cast<double>(verdict_)};
}

Status Convergence::restore(const State& state) {
  for (const std::size_t iteration : {2, 4})
    if (!(state[iteration] >= 0.0 && state[iteration] <= max_iterations))
      throw Error(ErrorKind::checkpoint, "the checkpoint knows of an iteration that cannot be");
  before_ = state[3];
  before_at_ = static_cast<std::int64_t>(state[4]);
  if (state[0] != tolerance_) return Status::running;
  demanded_ = state[1];
  quiet_until_ = static_cast<std::int64_t>(state[2]);
  residual_ = state[5];
  for (const Status ended : {Status::converged, Status::stagnated})
    if (state[6] == static_cast<double>(ended)) return verdict_ = ended;
  return Status::running;
}

}  // namespace quoin
