#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// What a cell is in its own scaled frame.
struct ScaledCell {
  std::vector<std::array<Point, 4>> corners;  ///< of its sub-quads, counter-clockwise from its centre
  std::vector<double> geometry;               ///< as LevelArrays has it, and so have the others
  std::vector<double> factor, moments;
};

/// Where that frame is: X = (x - centre) / length.
struct CellFrame {
  Point centre;
  double length;
  std::shared_ptr<const ScaledCell> shape;
};

/// The frames of cells, for one thread: while the shape stays, it is the same object.
class CellFrames {
 public:
  CellFrames(const DgSetup& setup, const LevelArrays& cells) : setup_(setup), cells_(cells) {}
  /// Of the cell in a lane.
  CellFrame of(std::int64_t lane);

 private:
  [[nodiscard]] double value(const std::vector<double>& array, std::size_t row, std::int64_t lane) const;
  [[nodiscard]] bool is_last(std::int64_t lane) const;
  [[nodiscard]] std::vector<double> column(const std::vector<double>& array, std::size_t rows, std::int64_t lane) const;

  const DgSetup& setup_;
  const LevelArrays& cells_;
  std::shared_ptr<const ScaledCell> last_;
  bool last_shared_ = false;  // whether others in lanes like its own have it
};

}  // namespace quoin
