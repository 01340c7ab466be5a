#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// A cell in its own scaled frame: X = (x - centre) / length.
struct CellFrame {
  /// Of the cell in a lane.
  CellFrame(const DgSetup& setup, const LevelArrays& cells, std::int64_t lane);

  Point centre;
  double length;
  std::vector<std::array<Point, 4>> corners;  ///< of its sub-quads, scaled
  std::vector<double> factor, moments;        ///< as LevelArrays has them
};

}  // namespace quoin
