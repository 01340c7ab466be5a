#include "problems/dgcvs/loop/flow.hpp"

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"
#include "quoin/ranks.hpp"

namespace quoin {
namespace {

/// Whether `one` is told rather than `other`: what cannot be before all else, then the fastest, then the first cell.
bool before(const FlowLook& one, const FlowLook& other) {
  if (one.impossible != other.impossible) return one.impossible;
  if (!one.impossible && one.speed != other.speed) return one.speed > other.speed;
  return one.cell < other.cell;
}

}  // namespace

FlowLook look_at_flow(const DgSetup& setup, const EntityLanes& lanes, std::span<const double> centres,
                      Communicator& ranks) {
  FlowLook all;
  std::mutex mutex;
  constexpr std::int64_t worth_a_thread = 1 << 16;
  const auto value = [&](std::size_t row, std::size_t lane) {
    return centres[row * static_cast<std::size_t>(lanes.stride) + lane];
  };
  parallel_parts(
      lanes.part.count(),
      [&](const Part& part) {
        FlowLook own;
        for (std::int64_t k = part.first; k < part.last && !own.impossible; ++k) {
          const std::int64_t cell = lanes.part.entity(k);
          State state{};
          const auto lane = static_cast<std::size_t>(lanes.of(cell));
          for (std::size_t v = 0; v < setup.law.size(); ++v) state[v] = value(v, lane);
          if (setup.law.has_bed()) {
            const double bed = setup.bed_of_cells[static_cast<std::size_t>(cell)];
            state[shore_place] = value(setup.law.size(), lane);
            // the centre may be dry where the rest of the cell is not
            if (state[shore_place] > 0.0) state[0] = std::max(state[0], bed + value(setup.law.size() + 1, lane));
            state = setup.law.over(state, bed);
          }
          const bool impossible = !setup.law.possible(state);
          const double speed = setup.law.speed(state);
          if (!impossible && speed <= own.speed) continue;
          own = {speed, cell, state, impossible};
        }
        const std::lock_guard lock(mutex);
        if (before(own, all)) all = own;
      },
      worth_a_thread);
  return joined_values(ranks, all,
                       [](const FlowLook& left, const FlowLook& right) { return before(left, right) ? left : right; });
}

}  // namespace quoin
