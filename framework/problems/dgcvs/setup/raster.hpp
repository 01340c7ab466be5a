#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "problems/dgcvs/setup/esri_grid.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// Heights where columns and rows cross, bilinear between them; up to the edge of the grid as on the outermost ones.
class BedRaster {
 public:
  /// From an ESRI ASCII grid, whose heights are those at the centres of its cells, or, where the file ends in .h5 or
  /// .hdf5, from its arrays x and y, ascending, and bed, rows of y. Throws ErrorKind::io, or ErrorKind::case_file with
  /// the place in the file.
  explicit BedRaster(const std::filesystem::path& path);

  /// Empty outside the grid, and where a height beside the point is not known.
  [[nodiscard]] std::optional<double> at(Point point) const;
  /// What the grid covers, in words.
  [[nodiscard]] std::string extent() const;

 private:
  void read_hdf5(const std::filesystem::path& path);

  HeightGrid grid_;
};

}  // namespace quoin
