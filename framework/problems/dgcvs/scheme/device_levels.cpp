#include "problems/dgcvs/scheme/device_levels.hpp"

#include <algorithm>
#include <utility>

#include "quoin/ranks.hpp"

namespace quoin {
DeviceLevels::DeviceLevels(const std::shared_ptr<Executor>& executor, Queue& queue, const DgSetup& setup,
                           const Partition& partition, Communicator& ranks, std::optional<LevelArrays> known)
    : timer(*executor),
      cells(executor, setup, EntityKind::cells, queue, timer, partition, ranks, std::move(known)),
      vertices(executor, setup, EntityKind::vertices, queue, timer, partition, ranks),
      max_steps_(least_of(ranks, std::min(cells.max_steps(), vertices.max_steps()))) {}

void DeviceLevels::prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace) {
  cells.prepare(queue, first, steps, pace);
  vertices.prepare(queue, first, steps, pace);
}

void DeviceLevels::look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace) {
  cells.look_ahead(first, steps, pace);
  vertices.look_ahead(first, steps, pace);
}

void DeviceLevels::set_half_step(Queue& queue, double tau) {
  cells.set_half_step(queue, tau);
  vertices.set_half_step(queue, tau);
}

void DeviceLevels::stretch_time(Queue& queue, double ratio) {
  cells.stretch_time(queue, ratio);
  vertices.stretch_time(queue, ratio);
}

void DeviceLevels::update(Queue& queue, std::int64_t step, double tau) {
  vertices.update(queue, cells, step, tau, step == 0);
  cells.update(queue, vertices, step, tau, false);
}

std::int64_t DeviceLevels::first_chunk(std::int64_t longest) const {
  if (uses_time()) return 1;
  constexpr double flops_per_second = 1e9;  // which few devices do not reach
  constexpr double seconds = 0.05;
  const double of_step = cells.update_cost().flops + vertices.update_cost().flops;
  return static_cast<std::int64_t>(
      std::clamp(seconds * flops_per_second / std::max(of_step, 1.0), 1.0, static_cast<double>(longest)));
}

bool DeviceLevels::finite(Queue& queue) const { return cells.finite(queue) && vertices.finite(queue); }

}  // namespace quoin
