#include "problems/dgcvs/loop/flow.hpp"

#include <mutex>

#include "base/parallel.hpp"

namespace quoin {
namespace {

/// Whether `one` is told rather than `other`: what cannot be before all else, then the fastest, then the first cell.
bool before(const FlowLook& one, const FlowLook& other) {
  if (one.objection.empty() != other.objection.empty()) return !one.objection.empty();
  if (one.objection.empty() && one.speed != other.speed) return one.speed > other.speed;
  return one.cell < other.cell;
}

}  // namespace

FlowLook look_at_flow(const DgSetup& setup, const EntityLanes& lanes, std::span<const double> centres) {
  FlowLook all;
  std::mutex mutex;
  constexpr std::int64_t worth_a_thread = 1 << 16;
  parallel_parts(
      lanes.entities,
      [&](const Part& part) {
        FlowLook own;
        for (std::int64_t cell = part.first; cell < part.last && own.objection.empty(); ++cell) {
          State state{};
          const auto lane = static_cast<std::size_t>(lanes.of(cell));
          for (std::size_t v = 0; v < setup.law.size(); ++v)
            state[v] = centres[v * static_cast<std::size_t>(lanes.stride) + lane];
          std::string objection = setup.law.objection(state);
          const double speed = setup.law.speed(state);
          if (objection.empty() && speed <= own.speed) continue;
          own = {speed, cell, std::move(objection)};
        }
        const std::lock_guard lock(mutex);
        if (before(own, all)) all = std::move(own);
      },
      worth_a_thread);
  return all;
}

}  // namespace quoin
