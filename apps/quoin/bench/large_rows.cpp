#include "bench/large_rows.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "quoin/error.hpp"
#include "quoin/host_view.hpp"

namespace quoin::bench::memory {
namespace {

constexpr std::int64_t lists = 1024;  // that are summed, by as many work-groups where a device has them
constexpr std::int64_t doubles_of_mebibyte = (1 << 20) / sizeof(double);

}  // namespace

LargeRows::LargeRows(const std::shared_ptr<Executor>& executor, MemoryKind kind, std::int64_t mebibytes)
    : times{{kind, "host_writes", {}}, {kind, "copy", {}}, {kind, "sum", {}}},
      executor_(executor),
      columns_(mebibytes * doubles_of_mebibyte / lists),
      source_(executor, static_cast<std::size_t>(columns_ * lists), kind),
      target_(executor, static_cast<std::size_t>(columns_ * lists), kind),
      sums_(executor, lists),
      copy_(executor->kernel({"stream_copy", Precision::float64, {}})),
      sum_(executor->kernel({"sum", Precision::float64, {}})) {
  for (int k = 0; k < 3; ++k) events_.push_back(executor->event());
}

void LargeRows::write(Queue& queue) {
  HostView view(queue, source_.memory(), 0, source_.size() * sizeof(double), room_);
  auto* const values = reinterpret_cast<double*>(view.bytes().data());
  const auto first = static_cast<double>(runs_);
  for (std::size_t k = 0; k < source_.size(); ++k) values[k] = first + static_cast<double>(k % 512);
  view.store();
}

void LargeRows::run(Queue& queue, Lead& lead, bool counted) {
  ++runs_;
  const auto begin = std::chrono::steady_clock::now();
  write(queue);
  const double write_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  written_ = static_cast<double>(source_.size()) * (runs_ + 511.0 / 2);

  const Box box = Box::plane(columns_, lists);
  const Argument source = Argument::buffer(source_.memory(), 0, columns_);
  const Argument target = Argument::buffer(target_.memory(), 0, columns_);
  lead.launch(queue);
  queue.record(*events_[0]);
  copy_->launch(queue, box, std::array{source, target});
  queue.record(*events_[1]);
  sum_->launch(queue, box, std::array{target, Argument::buffer(sums_.memory()), Argument::integer(0)});
  queue.record(*events_[2]);
  queue.synchronize();
  check(queue);
  if (!counted) return;
  times[0].us.push_back(1e6 * write_seconds);
  for (std::size_t k = 1; k < times.size(); ++k)
    times[k].us.push_back(1e6 * events_[k]->seconds_since(*events_[k - 1]));
}

void LargeRows::check(Queue& queue) {
  std::vector<double> sums(lists);
  sums_.download(queue, sums);
  double sum = 0.0;
  for (const double one : sums) sum += one;
  if (sum != written_)
    throw Error(ErrorKind::device,
                fmt::format("kernels have copied and summed {} memory to {}, and the host has written {}",
                            name_of(times.front().kind), sum, written_),
                executor_->device().name);
}

}  // namespace quoin::bench::memory
