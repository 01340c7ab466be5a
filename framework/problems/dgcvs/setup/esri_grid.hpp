#pragma once

#include <filesystem>
#include <vector>

#include "quoin/point.hpp"

namespace quoin {

/// Heights where columns and rows cross.
struct HeightGrid {
  std::vector<double> x, y;     ///< of columns and rows, ascending
  Point low{}, high{};          ///< corners of what is covered
  std::vector<double> heights;  ///< row by row; not a number where none is known
};

/// An ESRI ASCII grid, whose heights are those at the centres of its cells. Throws ErrorKind::io, or
/// ErrorKind::case_file with the place in the file.
HeightGrid read_esri_grid(const std::filesystem::path& path);

}  // namespace quoin
