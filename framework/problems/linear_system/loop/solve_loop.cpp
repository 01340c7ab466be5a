#include "problems/linear_system/loop/solve_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/linear_system/loop/shared_reader.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// How often the residual of the recurrence may prove wrong before rounding is to blame.
constexpr std::int64_t most_replacements = 3;
/// How often a method may start again after a breakdown.
constexpr std::int64_t most_restarts = 3;

}  // namespace

SolveLoop::SolveLoop(const LinearSystemSetup& setup, const LinearSystem& system,
                     const std::shared_ptr<Executor>& executor, Communicator& ranks)
    : setup_(setup),
      ranks_(ranks),
      orders_(ranks),
      method_(krylov_method(setup)),
      queue_(executor->queue()),
      timer_(*executor),
      solver_(method_.make({executor, *queue_, setup.precision, timer_, ranks}, setup, system, method_.longest)) {
  timer_.begin(*queue_);
  rhs_norm_ = solver_->rhs_norm();
  tolerance_ = std::max(setup.tolerance, setup.relative_tolerance * rhs_norm_);
  measure();
  state_.initial = state_.recurrence = residual_;
  if (!std::isfinite(state_.initial) || !std::isfinite(rhs_norm_))
    throw Error(ErrorKind::diverged,
                fmt::format("the sum of squares of {} is not finite in this precision; scale the system",
                            std::isfinite(rhs_norm_) ? "b - A x at the start" : "the right-hand side"));
  if (residual_ <= tolerance_)
    status_ = Status::converged;
  else
    start();
}

std::vector<std::byte> SolveLoop::solution() {
  orders_.give({SolveOrder::Kind::solution});
  timer_.begin(*queue_);
  return solver_->solution();
}

void SolveLoop::measure() {
  timer_.begin(*queue_);
  residual_ = solver_->measure();
}

void SolveLoop::start() {
  state_.incomplete = 0;
  solver_->start();
}

void SolveLoop::advance(std::int64_t most, std::vector<Row>& history) {
  if (!begun_) history.push_back({std::int64_t{0}, state_.initial});
  begun_ = true;
  if (status_ != Status::running) return;
  const std::int64_t count =
      std::min({most, chunk_, method_.longest, setup_.max_iterations - state_.iterations, solver_->room()});
  orders_.give({SolveOrder::Kind::iterate, count});
  iterate(count, history);
}

void SolveLoop::iterate(std::int64_t count, std::vector<Row>& history) {
  run_chunk(count, history);
  if (status_ == Status::running) judge();
}

void SolveLoop::run_chunk(std::int64_t count, std::vector<Row>& history) {
  timer_.begin(*queue_);
  std::vector<std::size_t> launches;
  for (std::int64_t k = 0; k < count; ++k) {
    solver_->launch(state_.iterations + 1 + k, k, tolerance_);
    launches.push_back(timer_.launches());
  }
  timer_.end(*queue_);
  queue_->synchronize();
  const KrylovSolver::Found found = solver_->look(count);
  const std::int64_t done = found.stopped_at > 0 ? found.stopped_at - state_.iterations : count;
  if (done < 1 || done > count)
    throw Error(ErrorKind::device,
                fmt::format("the device reports a stop at iteration {}, which it was not asked to do; "
                            "its memory is not to be trusted",
                            found.stopped_at));
  const bool complete =
      found.end == KrylovSolver::End::none || (found.end == KrylovSolver::End::norm && method_.complete);
  state_.incomplete = complete ? 0 : 1;
  const std::int64_t kept = found.end == KrylovSolver::End::breakdown ? done - 1 : done;
  for (std::int64_t k = 0; k < kept; ++k) {
    state_.recurrence = found.norms[static_cast<std::size_t>(k)];
    history.push_back({++state_.iterations, state_.recurrence});
  }
  solver_->keep(kept);
  const double seconds = timer_.collect(launches[static_cast<std::size_t>(done - 1)]);
  chunk_ = next_chunk(done, seconds, chunk_, method_.longest);
  if (found.end == KrylovSolver::End::breakdown) {
    break_down(found);
  } else if (!std::isfinite(state_.recurrence)) {
    breakdown_ = fmt::format("the residual is not finite in iteration {}{}", state_.iterations, solver_->remedy());
    status_ = Status::diverged;
    residual_ = state_.recurrence;
  }
}

void SolveLoop::break_down(const KrylovSolver::Found& found) {
  measure();
  if (residual_ <= tolerance_) {
    status_ = Status::converged;
  } else if (solver_->restarts() && state_.restarts < most_restarts && std::isfinite(residual_)) {
    ++state_.restarts;
    start();
  } else {
    breakdown_ = solver_->breakdown(found);
    status_ = Status::diverged;
  }
}

void SolveLoop::judge() {
  const bool last = state_.iterations == setup_.max_iterations;
  const bool met = state_.recurrence <= tolerance_;
  // A run that has ended may go on with a smaller tolerance.
  if (!met && !last && state_.incomplete == 0 && solver_->room() > 0) return;
  measure();
  if (residual_ <= tolerance_) {
    status_ = Status::converged;
  } else if (last) {
    status_ = Status::not_converged;
  } else if (met && state_.replacements == most_replacements) {
    status_ = Status::stagnated;
  } else {
    if (met) ++state_.replacements;
    start();
  }
}

void SolveLoop::save(CheckpointWriter& writer) {
  solver_->save(writer, [this](std::int64_t n, RankFiles& files) {
    orders_.give({SolveOrder::Kind::array, n});
    return solver_->write_array(n, &files);
  });
  writer.put("state", std::as_bytes(std::span(&state_, 1)));
}

void SolveLoop::restore(CheckpointReader& reader) {
  orders_.give({SolveOrder::Kind::restore});
  SharedReader shared(ranks_, &reader);
  restore_part(shared);
}

void SolveLoop::restore_part(CheckpointReader& reader) {
  solver_->restore(reader);
  reader.get("state", std::as_writable_bytes(std::span(&state_, 1)));
  if (state_.iterations < 0 || state_.iterations > setup_.max_iterations) {
    throw setup_.the_case.error_at("method.max_iterations",
                                   fmt::format("{} iterations are done already", state_.iterations));
  }
  status_ = Status::running;
  begun_ = state_.iterations > 0;
  judge();
}

}  // namespace quoin
