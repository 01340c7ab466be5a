#include "problems/jacobi/loop/iteration_loop.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/jacobi/loop/true_residual.hpp"
#include "quoin/error.hpp"
#include "quoin/precision.hpp"

namespace quoin {
namespace {

/// Limits the launches that are queued beyond the stop: cycles of multigrid are few, and each has many launches.
std::int64_t max_iterations_ahead(const JacobiMethod& method) {
  return method.solver == JacobiSolver::multigrid ? 4 : method.max_iterations;
}

}  // namespace

IterationLoop::IterationLoop(const JacobiSetup& setup, Communicator& ranks, const std::shared_ptr<Executor>& executor,
                             std::int64_t longest_chunk)
    : setup_(setup),
      ranks_(ranks),
      orders_(ranks),
      sides_(setup.sides()),
      queue_(executor->queue()),
      longest_chunk_(std::min({longest_chunk, setup.method.max_iterations, max_iterations_ahead(setup.method)})),
      pass_(pass_of(*executor, setup, ranks)),
      convergence_(setup) {
  const auto slots = static_cast<std::size_t>(longest_chunk_);
  timer_ = std::make_unique<KernelTimer>(*executor);
  norm_ = std::make_unique<ResidualNorm>(executor, setup_, ranks, bands_of(setup_, ranks, *executor), slots,
                                         static_cast<std::size_t>(pass_.sums), *timer_);
  sweeps_ = make_sweeps(executor, setup_, ranks, *queue_, *norm_, *timer_);
}

void IterationLoop::start() { start(initial()); }

void IterationLoop::start(const Field::Fill& interior) { start(Values{Kind::load_given, interior}); }

void IterationLoop::start(const Values& values) {
  std::optional<Kind> loaded;
  if (setup_.method.stops_on_tolerance) set_tolerance(reference_of(values, loaded));
  if (loaded != values.kind) load(values);
}

void IterationLoop::resume(const JacobiState& state, const Field::Fill& interior) {
  iterations_ = state.iterations;
  norm_of_last_ = state.norm;
  load({Kind::load_given, interior});
  // That of the start, which may have been another run's field.
  if (setup_.method.stops_on_tolerance && state.reference > 0.0) set_tolerance(state.reference);
  status_ = convergence_.restore(state.convergence);
  if (status_ == Status::running && iterations_ == setup_.method.max_iterations) status_ = judged();
}

void IterationLoop::advance(std::int64_t most, std::vector<Row>& history) {
  if (status_ != Status::running) return;
  if (iterations_ < setup_.method.max_iterations) run_chunk(most, history);
  status_ = judged();
}

double IterationLoop::shift() const {
  if (!setup_.beyond_poisson || !setup_.medium().balances.floating()) return 0.0;
  const Balances& balances = setup_.medium().balances;
  double sum = 0.0;
  double volumes = 0.0;
  read([&](std::int64_t number, std::span<const std::byte> row) {
    for (std::int64_t i = 0; i < setup_.grid.nx; ++i) {
      const double volume = balances.volume(i, number % setup_.grid.ny, number / setup_.grid.ny);
      sum += volume * value_at(row, static_cast<std::size_t>(i), setup_.method.precision);
      volumes += volume;
    }
  });
  const Case& the_case = setup_.the_case();
  return (the_case.has("problem.mean") ? the_case.real("problem.mean") : 0.0) - sum / volumes;
}

/// Of the residual of a field, in the precision of the run.
double IterationLoop::norm_of(const Values& values) {
  load(values);
  return measured();
}

/// Of the residual of the iterate, which stays as it is.
double IterationLoop::measured() {
  orders_.give({Kind::measure});
  return measure_part();
}

double IterationLoop::measure_part() {
  norm_->reset(*queue_);
  timer_->begin(*queue_);
  sweeps_->measure(*queue_);
  norm_->launch(*queue_, 0, iterations_ + 1, 1, 1, -1.0);
  queue_->synchronize();
  const double norm = norm_->norms(*queue_, 1).front();
  norm_->reset(*queue_);
  return norm;
}

/// The norm of the residual that relative tolerances are a share of, and which field was loaded last for it.
double IterationLoop::reference_of(const Values& initial, std::optional<Kind>& loaded) {
  if (setup_.method.relative_tolerance == 0.0) return 0.0;
  loaded = Kind::load_zero;
  const double of_zero = norm_of(zero());
  if (of_zero != 0.0 || initial.kind == loaded) return of_zero;
  loaded = initial.kind;
  return norm_of(initial);
}

/// What the tolerances come to for the norms.
void IterationLoop::set_tolerance(double reference) {
  const JacobiMethod& method = setup_.method;
  reference_ = reference;
  double tolerance = 0.0;
  if (std::isfinite(reference)) {  // else as the norm of the first iteration will be, which tells where
    tolerance = std::max(method.tolerance, method.relative_tolerance * reference);
    require_squares(setup_, tolerance, [this] { return true_residual(*this).largest; });
  }
  convergence_.set_tolerance(tolerance);
}

/// What the newest iterations come to.
Status IterationLoop::judged() {
  const JacobiMethod& method = setup_.method;
  if (!std::isfinite(norm_of_last_)) return Status::diverged;
  if (!method.stops_on_tolerance) return iterations_ < method.max_iterations ? Status::running : Status::completed;
  if (!convergence_.due(iterations_, norm_of_last_)) return Status::running;
  const double residual = measured();
  if (!std::isfinite(residual)) return Status::diverged;
  return convergence_.judge(iterations_, norm_of_last_, residual, [this] { return true_residual(*this).norm; });
}

std::int64_t IterationLoop::iterations_to_launch(std::int64_t most) const {
  const std::int64_t passes = std::max<std::int64_t>(1, chunk_ / pass_.iterations);
  const bool stops = setup_.method.stops_on_tolerance;
  const std::int64_t left = setup_.method.max_iterations - iterations_;
  return std::min({passes * pass_.iterations, longest_chunk_, most,
                   stops ? std::min(left, convergence_.until_measured(iterations_)) : left});
}

/// Returns how many kernels have been launched at the end of each pass.
std::vector<std::size_t> IterationLoop::launch(std::int64_t count, double tolerance) {
  std::vector<std::size_t> launches;
  timer_->begin(*queue_);
  for (std::int64_t slot = 0; slot < count && !norm_->known_to_have_stopped();) {
    const std::int64_t sweeps = std::min(pass_.iterations, count - slot);
    sweeps_->launch(*queue_, iterations_ + 1 + slot, sweeps);
    norm_->launch(*queue_, slot, iterations_ + 1 + slot, sweeps, setup_.method.check_every, tolerance);
    slot += sweeps;
    launches.push_back(timer_->launches());
  }
  timer_->end(*queue_);
  return launches;
}

/// `count` iterations or, where one of them stops the run, those up to that one. Returns their norms.
std::vector<double> IterationLoop::run(std::int64_t count, double tolerance) {
  const std::vector<std::size_t> launches = launch(count, tolerance);
  queue_->synchronize();
  const std::int64_t stopped = norm_->stopped_at(*queue_);
  const std::int64_t done = stopped > 0 ? stopped - iterations_ : count;
  if (done < 1 || done > count)
    throw Error(ErrorKind::device, "the device reports a stop at iteration " + std::to_string(stopped) +
                                       ", which it was not asked to do; its memory is not to be trusted");
  std::vector<double> norms = norm_->norms(*queue_, static_cast<std::size_t>(done));
  sweeps_->settle(*queue_, done);
  const auto last_pass = static_cast<std::size_t>((done - 1) / pass_.iterations);
  seconds_ = timer_->collect(launches.at(last_pass));
  return norms;
}

void IterationLoop::run_chunk(std::int64_t most, std::vector<Row>& history) {
  const std::int64_t count = iterations_to_launch(most);
  const double tolerance = setup_.method.stops_on_tolerance ? convergence_.on_device(iterations_) : -1.0;
  orders_.give({Kind::run, iterations_, count, tolerance});
  const std::vector<double> norms = run(count, tolerance);

  // Every iteration has its row, whether the stop rule looked at it or not. Row 0 is the residual of the initial
  // guess, which is also the one that iteration 1 used.
  if (iterations_ == 0) history.push_back({0, norms.front()});
  for (const double norm : norms) history.push_back({++iterations_, norm});
  norm_of_last_ = norms.back();
  chunk_ = next_chunk(static_cast<std::int64_t>(norms.size()), seconds_, chunk_, longest_chunk_);
}

}  // namespace quoin
