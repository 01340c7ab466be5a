#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// What the states at the cells' centres tell of a flow under way.
struct FlowLook {
  double speed = 0.0;     ///< the largest wave speed
  std::int64_t cell = 0;  ///< that has it, or whose state cannot be; the first of several
  std::string objection;  ///< why it cannot; empty where all can
};

/// `centres` holds a row of all lanes for each variable.
FlowLook look_at_flow(const DgSetup& setup, const EntityLanes& lanes, std::span<const double> centres);

}  // namespace quoin
