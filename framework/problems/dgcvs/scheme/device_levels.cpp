#include "problems/dgcvs/scheme/device_levels.hpp"

#include <algorithm>

#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// Two levels, inside and boundary, updated and limited; one level is looked at.
std::size_t launches_per_step(const DgMethod& method) { return 2 * (2 * method.max_launches() + 1) + 4; }

}  // namespace

DeviceLevels::DeviceLevels(const std::shared_ptr<Executor>& executor, Queue& queue, const DgSetup& setup, double tau,
                           std::size_t most, const Partition& partition, Communicator& ranks)
    : timer(*executor, launches_per_step(setup.method) * most),
      cells(executor, setup, EntityKind::cells, tau, queue, timer, partition, ranks),
      vertices(executor, setup, EntityKind::vertices, tau, queue, timer, partition, ranks),
      max_steps_(least_of(ranks, std::min(cells.max_steps(), vertices.max_steps()))) {}

void DeviceLevels::prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace) {
  cells.prepare(queue, first, steps, pace);
  vertices.prepare(queue, first, steps, pace);
}

void DeviceLevels::look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace) {
  cells.look_ahead(first, steps, pace);
  vertices.look_ahead(first, steps, pace);
}

void DeviceLevels::stretch_time(Queue& queue, double ratio) {
  cells.stretch_time(queue, ratio);
  vertices.stretch_time(queue, ratio);
}

void DeviceLevels::update(Queue& queue, std::int64_t step, double tau) {
  vertices.update(queue, cells, step, tau, step == 0);
  cells.update(queue, vertices, step, tau, false);
}

bool DeviceLevels::finite(Queue& queue) const { return cells.finite(queue) && vertices.finite(queue); }

}  // namespace quoin
