#include "problems/linear_system/loop/solve_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "quoin/error.hpp"

namespace quoin {
namespace {

/// How often the residual of the recurrence may prove wrong before rounding is to blame.
constexpr std::int64_t most_replacements = 3;

}  // namespace

SolveLoop::SolveLoop(const LinearSystemSetup& setup, const LinearSystem& system,
                     const std::shared_ptr<Executor>& executor)
    : setup_(setup),
      queue_(executor->queue()),
      timer_(*executor, ConjugateGradients::most_launches * static_cast<std::size_t>(longest_chunk)),
      solver_(executor, *queue_, system, setup.precision, timer_, longest_chunk) {
  timer_.begin(*queue_);
  rhs_norm_ = solver_.rhs_norm();
  tolerance_ = std::max(setup.tolerance, setup.relative_tolerance * rhs_norm_);
  measure();
  state_.initial = state_.recurrence = residual_;
  if (!std::isfinite(state_.initial) || !std::isfinite(rhs_norm_))
    throw Error(ErrorKind::diverged,
                "the sum of squares of the right-hand side is not finite in this precision; scale "
                "the system");
  if (residual_ <= tolerance_) status_ = Status::converged;
  solver_.start();
}

void SolveLoop::measure() {
  timer_.begin(*queue_);
  residual_ = solver_.measure();
}

void SolveLoop::advance(std::int64_t most, std::vector<Row>& history) {
  if (state_.iterations == 0) history.push_back({std::int64_t{0}, state_.initial});
  if (status_ != Status::running) return;
  run_chunk(std::min({most, chunk_, longest_chunk, setup_.max_iterations - state_.iterations}), history);
  if (status_ == Status::running) judge();
}

void SolveLoop::run_chunk(std::int64_t count, std::vector<Row>& history) {
  timer_.begin(*queue_);
  std::vector<std::size_t> launches;
  for (std::int64_t k = 0; k < count; ++k) {
    solver_.launch(state_.iterations + 1 + k, k, tolerance_);
    launches.push_back(timer_.launches());
  }
  timer_.end(*queue_);
  queue_->synchronize();
  const ConjugateGradients::Found found = solver_.look(count);
  const std::int64_t done = found.stopped_at > 0 ? found.stopped_at - state_.iterations : count;
  if (done < 1 || done > count)
    throw Error(ErrorKind::device,
                fmt::format("the device reports a stop at iteration {}, which it was not asked to do; "
                            "its memory is not to be trusted",
                            found.stopped_at));
  const bool broke = found.end == ConjugateGradients::End::breakdown;
  for (std::int64_t k = 0; k < (broke ? done - 1 : done); ++k) {
    state_.recurrence = found.norms[static_cast<std::size_t>(k)];
    history.push_back({++state_.iterations, state_.recurrence});
  }
  const double seconds = timer_.collect(launches[static_cast<std::size_t>(done - 1)]);
  chunk_ = next_chunk(done, seconds, chunk_, longest_chunk);
  if (broke) {
    const double curvature = solver_.curvature();
    breakdown_ = std::isfinite(curvature)
                     ? fmt::format(
                           "the matrix is not positive definite: p'Ap = {:.3g} in iteration {}; cg needs one "
                           "that is",
                           curvature, found.stopped_at)
                     : fmt::format("p'Ap is not finite in iteration {}; scale the system", found.stopped_at);
    status_ = Status::diverged;
    measure();
  } else if (!std::isfinite(state_.recurrence)) {
    breakdown_ = fmt::format("the residual is not finite in iteration {}", state_.iterations);
    status_ = Status::diverged;
    residual_ = state_.recurrence;
  }
}

void SolveLoop::judge() {
  const bool last = state_.iterations == setup_.max_iterations;
  if (state_.recurrence > tolerance_ && !last) return;
  measure();
  if (residual_ <= tolerance_) {
    status_ = Status::converged;
  } else if (last) {
    status_ = Status::not_converged;
  } else if (state_.replacements == most_replacements) {
    status_ = Status::stagnated;
  } else {
    ++state_.replacements;
    solver_.start();
  }
}

void SolveLoop::save(CheckpointWriter& writer) {
  solver_.save(writer);
  writer.put("state", std::as_bytes(std::span(&state_, 1)));
}

void SolveLoop::restore(CheckpointReader& reader) {
  solver_.restore(reader);
  reader.get("state", std::as_writable_bytes(std::span(&state_, 1)));
  if (state_.iterations < 0 || state_.iterations > setup_.max_iterations) {
    throw setup_.the_case.error_at("method.max_iterations",
                                   fmt::format("{} iterations are done already", state_.iterations));
  }
  status_ = Status::running;
  judge();
}

}  // namespace quoin
