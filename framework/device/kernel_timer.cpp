#include "quoin/kernel_timer.hpp"

#include <algorithm>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr int few = 3;  // launches of a kind that are timed

std::unique_ptr<Kernel> supported_kernel(Executor& executor, const KernelSpec& spec) {
  require_kernel(executor, spec);
  return executor.kernel(spec);
}

}  // namespace

void require_kernel(const Executor& executor, const KernelSpec& spec) {
  if (executor.supports(spec)) return;
  std::string what = "'" + spec.name + "'";
  for (const Constant& constant : spec.constants) what += ", " + constant.name + " " + std::to_string(constant.value);
  what += spec.precision == Precision::float32 ? ", in float" : ", in double";
  throw Error(ErrorKind::device, "the backend has no kernel " + what + "; choose another backend or variant",
              executor.device().name);
}

KernelTimer::KernelTimer(Executor& executor) : executor_(executor) {
  constexpr int enough_for_most = 32;  // so that the first chunk need not make any
  for (int k = 0; k < enough_for_most; ++k) events_.push_back(executor.event());
}

std::size_t KernelTimer::add(const std::string& name) {
  const auto found = std::ranges::find(rows_, name, &KernelRow::name);
  if (found != rows_.end()) return static_cast<std::size_t>(found - rows_.begin());
  rows_.push_back({.name = name});
  return rows_.size() - 1;
}

std::size_t KernelTimer::kind_of(std::size_t row, const Cost& cost) {
  const auto found = std::ranges::find_if(kinds_, [&](const Kind& kind) {
    return kind.row == row && kind.cost.bytes == cost.bytes && kind.cost.flops == cost.flops;
  });
  if (found != kinds_.end()) return static_cast<std::size_t>(found - kinds_.begin());
  kinds_.push_back({.row = row, .cost = cost});
  return kinds_.size() - 1;
}

/// Returns the event's number.
std::size_t KernelTimer::record(Queue& queue) {
  if (recorded_ == events_.size()) events_.push_back(executor_.event());
  queue.record(*events_[recorded_]);
  at_event_ = true;
  return recorded_++;
}

void KernelTimer::begin(Queue& queue) {
  constexpr std::size_t every = 64;
  for (const Sample& sample : samples_) --kinds_[launches_[sample.launch].kind].timed;
  if (chunks_ % every == 0)
    for (Kind& kind : kinds_) kind.timed = kind.collected = 0, kind.all = 0.0;
  launches_.clear();
  samples_.clear();
  recorded_ = 0;
  record(queue);
}

void KernelTimer::end(Queue& queue) {
  if (!at_event_) record(queue);
}

void KernelTimer::before(Queue& queue, std::size_t row, const Cost& cost, double roofline_bytes) {
  const std::size_t number = kind_of(row, cost);
  if (sequence_ != nullptr) return sequence_->push_back({number, roofline_bytes});
  launches_.push_back({number, roofline_bytes});
  Kind& kind = kinds_[number];
  if (kind.timed < few) {
    ++kind.timed;
    if (!at_event_) record(queue);
    samples_.push_back({launches_.size() - 1, recorded_ - 1, recorded_});
  }
  at_event_ = false;
}

void KernelTimer::after(Queue& queue) {
  if (sequence_ == nullptr && !samples_.empty() && samples_.back().launch == launches_.size() - 1) record(queue);
}

int KernelTimer::wanted(std::span<const Launch> launches) const {
  int most = 0;
  for (const Launch& launch : launches) most = std::max(most, few - kinds_[launch.kind].timed);
  return most;
}

void KernelTimer::add(std::span<const Launch> launches) {
  launches_.insert(launches_.end(), launches.begin(), launches.end());
  at_event_ = false;
}

/// The first launch of a kernel takes longer than the others, and counts as long as there is no other.
void KernelTimer::take_samples(std::size_t launches) {
  for (const Sample& sample : samples_) {
    if (sample.launch >= launches) break;
    Kind& kind = kinds_[launches_[sample.launch].kind];
    const double seconds = events_[sample.after]->seconds_since(*events_[sample.before]);
    if (kind.typical > 0.0) {
      kind.all += seconds;
      kind.typical = kind.all / ++kind.collected;
    } else {
      kind.typical = seconds;
    }
  }
  samples_.clear();
}

double KernelTimer::collect(std::size_t launches) {
  ++chunks_;
  take_samples(launches);
  double all = 0.0;
  for (std::size_t k = 0; k < launches; ++k) all += kinds_[launches_.at(k).kind].typical;
  // The time of a chunk with launches that did nothing says little of the others.
  const bool whole = at_event_ && launches == launches_.size() && all > 0.0;
  const double scale = whole ? events_[recorded_ - 1]->seconds_since(*events_.front()) / all : 1.0;
  for (std::size_t k = 0; k < launches; ++k) {
    const Kind& kind = kinds_[launches_[k].kind];
    KernelRow& row = rows_[kind.row];
    row.calls += 1;
    row.seconds += scale * kind.typical;
    row.bytes += kind.cost.bytes;
    row.flops += kind.cost.flops;
    row.roofline_bytes += launches_[k].roofline_bytes;
  }
  return scale * all;
}

TimedSequence::TimedSequence(Queue& queue, KernelTimer& timer, const std::function<void()>& launch) : timer_(&timer) {
  if (!queue.begin_sequence()) return;
  timer.record_into(&launches_);
  try {
    launch();
  } catch (...) {
    timer.record_into(nullptr);
    (void)queue.end_sequence();
    throw;
  }
  timer.record_into(nullptr);
  sequence_ = queue.end_sequence();
}

std::int64_t next_chunk(std::int64_t done, double seconds, std::int64_t chunk, std::int64_t longest) {
  constexpr double wanted_seconds = 0.1;
  const double fitting = seconds > 0.0 ? wanted_seconds * static_cast<double>(done) / seconds : 1e9;
  const auto next = static_cast<std::int64_t>(std::min(fitting, 4.0 * static_cast<double>(chunk)));
  return std::clamp<std::int64_t>(next, 1, longest);
}

TimedKernel::TimedKernel(Executor& executor, const KernelSpec& spec, const Box& box, KernelTimer& timer,
                         const std::string& row, const std::optional<Cost>& cost)
    : kernel_(supported_kernel(executor, spec)),
      box_(box),
      timer_(&timer),
      row_(timer.add(row.empty() ? spec.name : row)),
      cost_(cost ? *cost : kernel_->cost(box)) {}

void TimedKernel::put(Queue& queue, std::span<const Box> boxes, std::span<const Argument> arguments, const Cost& cost,
                      double roofline_bytes) {
  timer_->before(queue, row_, cost, roofline_bytes);
  for (const Box& box : boxes) kernel_->launch(queue, box, arguments);
  timer_->after(queue);
}

void TimedKernel::launch(Queue& queue, const Box& box, std::span<const Argument> arguments, double share,
                         double sweeps) {
  put(queue, {&box, 1}, arguments, {cost_.bytes, share * cost_.flops}, sweeps * cost_.bytes);
}

void TimedKernel::launch(Queue& queue, std::span<const Argument> arguments, const Cost& cost) {
  put(queue, {&box_, 1}, arguments, cost, cost.bytes);
}

void TimedKernel::launch(Queue& queue, std::span<const Box> boxes, std::span<const Argument> arguments,
                         const Cost& cost) {
  put(queue, boxes, arguments, cost, cost.bytes);
}

void TimedKernel::launch(Queue& queue, const Box& box, std::span<const Argument> arguments) {
  const Cost cost = kernel_->cost(box);
  put(queue, {&box, 1}, arguments, cost, cost.bytes);
}

}  // namespace quoin
