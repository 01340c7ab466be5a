#include "bench/small_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "quoin/error.hpp"
#include "quoin/host_view.hpp"

namespace quoin::bench::memory {

std::span<const KernelRow> kernel_rows() {
  static constexpr KernelRow rows[] = {{"no_op", "memory_add", 0, 1},
                                       {"add", "memory_add", 1, 1},
                                       {"atomic_add", "memory_atomic_add", 1, 1},
                                       {"shared_add", "memory_shared_add", 1, 1},
                                       {"hot_atomic_add", "memory_atomic_add", 1, 0},
                                       {"hot_shared_add", "memory_shared_add", 1, 0}};
  return rows;
}

KernelSpec spec_of(const Executor& executor, const std::string& kernel) {
  return {kernel, executor.device().precisions.front(), {}};
}

Adder::Adder(const std::shared_ptr<Executor>& executor, Queue& queue, Kernel& kernel, const KernelRow& row,
             MemoryKind kind)
    : times{kind, row.name, {}}, row_(row), kernel_(&kernel), x_(executor, integers, kind) {
  x_.upload(queue, std::vector<std::int32_t>(integers));
}

void Adder::launch(Queue& queue) {
  std::vector<Argument> arguments{Argument::buffer(x_.memory()), Argument::integer(1), Argument::integer(row_.rounds)};
  if (row_.kernel != std::string_view("memory_add")) arguments.push_back(Argument::integer(row_.apart));
  kernel_->launch(queue, Box::line(integers), arguments);
  ++launches_;
}

std::int64_t Adder::expected() const { return launches_ * row_.rounds * (row_.apart == 0 ? integers : 1); }

void Adder::look(Queue& queue) {
  HostView view(queue, x_.memory(), 0, sizeof(std::int32_t), room_);
  std::int32_t seen = 0;
  std::memcpy(&seen, view.read().data(), sizeof seen);
  if (seen != expected())
    throw Error(ErrorKind::device,
                fmt::format("the host sees {} in {} memory where kernels have added up {}", seen, name_of(times.kind),
                            expected()),
                x_.executor()->device().name);
}

void Adder::check(Queue& queue) {
  std::vector<std::int32_t> seen(integers);
  x_.download(queue, seen);
  const std::size_t added = row_.apart == 0 ? 1 : seen.size();
  for (std::size_t k = 0; k < seen.size(); ++k) {
    const std::int64_t right = k < added ? expected() : 0;
    if (seen[k] == right) continue;
    throw Error(ErrorKind::device,
                fmt::format("{} lost adds in {} memory: integer {} is {} after {} launches, and must be {}",
                            row_.kernel, name_of(times.kind), k, seen[k], launches_, right),
                x_.executor()->device().name);
  }
}

Lead::Lead(const std::shared_ptr<Executor>& executor, Queue& queue, Kernel& atomic_add)
    : row_{"lead", "memory_atomic_add", 1, 1} {
  constexpr double long_enough = 1e-3;  // seconds, for some 40 launches
  adder_ = std::make_unique<Adder>(executor, queue, atomic_add, row_, MemoryKind::device);
  const auto before = executor->event();
  const auto after = executor->event();
  for (double seconds = 0.0; seconds < long_enough && row_.rounds < 1 << 16; row_.rounds *= 2) {
    queue.record(*before);
    adder_->launch(queue);
    queue.record(*after);
    seconds = after->seconds_since(*before);
  }
}

void Lead::launch(Queue& queue) { adder_->launch(queue); }

}  // namespace quoin::bench::memory
