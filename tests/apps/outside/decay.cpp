#include "decay.hpp"

#include <utility>

using namespace quoin;

namespace {

std::vector<Key> keys() {
  return {
      {.path = "problem.points", .type = KeyType::integer, .fallback = "8", .meaning = "How many.", .minimum = 1.0},
      {.path = "problem.rate", .type = KeyType::real, .required = true, .meaning = "Of decay."},
      {.path = "method.steps", .type = KeyType::integer, .required = true, .meaning = "Of time.", .minimum = 1.0},
      {.path = "method.step", .type = KeyType::real, .required = true, .meaning = "Of time.", .minimum = 0.0},
      {.path = "method.precision", .type = KeyType::choice, .fallback = "double", .choices = {"double"}},
  };
}

std::unique_ptr<Problem> make(const Case& the_case) { return std::make_unique<Decay>(the_case); }

const RegisterProblem registered{{"decay", "exponential decay", keys(), make}};

}  // namespace

Decay::Decay(const Case& the_case)
    : points_(the_case.integer("problem.points")),
      rate_(the_case.real("problem.rate")),
      steps_(the_case.integer("method.steps")),
      step_(the_case.real("method.step")) {}

Estimate Decay::estimate() const {
  Estimate estimate;
  estimate.device = 2.0 * sizeof(double) * static_cast<double>(points_);
  return estimate;
}

void Decay::set_up(std::shared_ptr<Executor> executor) {
  executor_ = std::move(executor);
  queue_ = executor_->queue();
  triad_ = executor_->kernel({"stream_triad", Precision::float64, {}});
  const std::vector<double> start(static_cast<std::size_t>(points_), 1.0);
  now_ = Buffer<double>(executor_, start.size());
  next_ = Buffer<double>(executor_, start.size());
  now_.upload(*queue_, start);
}

Progress Decay::advance() {
  const Argument arguments[] = {Argument::buffer(now_.memory()), Argument::buffer(now_.memory()),
                                Argument::buffer(next_.memory()), Argument::real(-rate_ * step_)};
  triad_->launch(*queue_, Box::line(points_), arguments);
  std::swap(now_, next_);
  ++done_;
  Progress progress;
  progress.status = done_ < steps_ ? Status::running : Status::completed;
  progress.iterations = done_;
  progress.limit = steps_;
  progress.time = step_ * static_cast<double>(done_);
  progress.final_time = step_ * static_cast<double>(steps_);
  progress.history = {{done_, *progress.time}};
  return progress;
}

std::vector<double> Decay::values() const {
  std::vector<double> u(now_.size());
  now_.download(*queue_, u);
  return u;
}

void Decay::write(FieldSink& sink) const {
  const std::vector<double> u = values();
  sink.grid({.name = "u", .nx = points_, .ny = 1, .dx = 1.0, .dy = 1.0, .values = std::as_bytes(std::span(u))});
}

void Decay::save(CheckpointWriter& writer) const {
  const std::vector<double> u = values();
  writer.put("u", std::as_bytes(std::span(u)));
  writer.put("done", std::as_bytes(std::span(&done_, 1)));
}

void Decay::restore(CheckpointReader& reader) {
  std::vector<double> u(now_.size());
  reader.get("u", std::as_writable_bytes(std::span(u)));
  reader.get("done", std::as_writable_bytes(std::span(&done_, 1)));
  now_.upload(*queue_, u);
}
