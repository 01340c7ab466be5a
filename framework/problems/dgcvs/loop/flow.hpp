#pragma once

#include <cstdint>
#include <span>

#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/communicator.hpp"

namespace quoin {

/// What the states at the cells' centres tell of a flow under way.
struct FlowLook {
  double speed = 0.0;       ///< the largest wave speed
  std::int64_t cell = 0;    ///< that has it, or whose state cannot be; the first of several
  State state{};            ///< of that cell
  bool impossible = false;  ///< whether it cannot be
};

/// The cells of all ranks. `centres` holds a row of all lanes of this one for each variable.
FlowLook look_at_flow(const DgSetup& setup, const EntityLanes& lanes, std::span<const double> centres,
                      Communicator& ranks);

}  // namespace quoin
