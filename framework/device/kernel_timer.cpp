#include "quoin/kernel_timer.hpp"

#include <algorithm>

#include "quoin/error.hpp"

namespace quoin {
namespace {

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

KernelTimer::KernelTimer(Executor& executor, std::size_t launches) {
  for (std::size_t k = 0; k <= launches; ++k) events_.push_back(executor.event());
  launches_.reserve(launches);
}

std::size_t KernelTimer::add(const std::string& name) {
  const auto found = std::ranges::find(rows_, name, &KernelRow::name);
  if (found != rows_.end()) return static_cast<std::size_t>(found - rows_.begin());
  rows_.push_back({.name = name});
  typical_.push_back(0.0);
  return rows_.size() - 1;
}

void KernelTimer::begin(Queue& queue) {
  // The first launch of a kernel takes longer than the others; the next chunks are warm, and still short.
  constexpr std::size_t first = 3;
  constexpr std::size_t every = 64;
  each_ = chunks_ < first || chunks_ % every == 0;
  launches_.clear();
  queue.record(*events_.front());
}

void KernelTimer::end(Queue& queue) {
  if (!each_) queue.record(*events_.back());
}

void KernelTimer::mark(Queue& queue, std::size_t row, const Cost& cost, double roofline_bytes) {
  launches_.push_back({row, cost, roofline_bytes});
  if (each_) queue.record(*events_.at(launches_.size()));
}

/// Takes what the launches take from this chunk.
void KernelTimer::look_at_each(std::size_t launches) {
  std::vector<double> seconds(rows_.size());
  std::vector<std::size_t> calls(rows_.size());
  for (std::size_t k = 0; k < launches; ++k) {
    seconds[launches_.at(k).row] += events_[k + 1]->seconds_since(*events_[k]);
    ++calls[launches_[k].row];
  }
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (calls[row] > 0) typical_[row] = seconds[row] / static_cast<double>(calls[row]);
}

double KernelTimer::collect(std::size_t launches) {
  ++chunks_;
  if (each_) look_at_each(launches);
  double all = 0.0;
  for (std::size_t k = 0; k < launches; ++k) all += typical_[launches_.at(k).row];
  // The time of a chunk with launches that did nothing says little of the others.
  const bool whole = !each_ && launches == launches_.size() && all > 0.0;
  const double scale = whole ? events_.back()->seconds_since(*events_.front()) / all : 1.0;
  for (std::size_t k = 0; k < launches; ++k) {
    KernelRow& row = rows_[launches_[k].row];
    row.calls += 1;
    row.seconds += scale * typical_[launches_[k].row];
    row.bytes += launches_[k].cost.bytes;
    row.flops += launches_[k].cost.flops;
    row.roofline_bytes += launches_[k].roofline_bytes;
  }
  return scale * all;
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

void TimedKernel::launch(Queue& queue, const Box& box, std::span<const Argument> arguments, double share,
                         double sweeps) {
  kernel_->launch(queue, box, arguments);
  timer_->mark(queue, row_, {cost_.bytes, share * cost_.flops}, sweeps * cost_.bytes);
}

void TimedKernel::launch(Queue& queue, std::span<const Argument> arguments, const Cost& cost) {
  kernel_->launch(queue, box_, arguments);
  timer_->mark(queue, row_, cost, cost.bytes);
}

void TimedKernel::launch(Queue& queue, std::span<const Box> boxes, std::span<const Argument> arguments,
                         const Cost& cost) {
  for (const Box& box : boxes) kernel_->launch(queue, box, arguments);
  timer_->mark(queue, row_, cost, cost.bytes);
}

void TimedKernel::launch(Queue& queue, const Box& box, std::span<const Argument> arguments) {
  kernel_->launch(queue, box, arguments);
  const Cost cost = kernel_->cost(box);
  timer_->mark(queue, row_, cost, cost.bytes);
}

}  // namespace quoin
