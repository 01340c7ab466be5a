#pragma once

#include <array>
#include <span>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"

namespace quoin {

/// What an entity of water over a bed has at the points of its bottom.
struct BottomPoint {
  double weight;  ///< that adds up to the entity's area
  State state;    ///< with the bed
};

/// As kernels/dgcvs/shore.h has it: where some place has less than a quarter of the mean depth.
bool at_shore(std::span<const BottomPoint> points);

/// The height of its surface and its velocity, and the mean depth.
struct LevelWater {
  std::array<double, 3> constants;
  double depth;
};
/// Brings the polynomials of the cell in a lane to what a half step may be made of, as kernels do with those that they
/// make. Returns what stands behind them: the share of their flow that there is water for, and the mean depth.
std::array<double, 2> kept_water(const DgSetup& setup, const LevelArrays& cells, std::size_t lane, double tau,
                                 bool level, std::vector<double>& c);
LevelWater level_water(std::span<const BottomPoint> points, const HostLaw& law);

}  // namespace quoin
