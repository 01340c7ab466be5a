#pragma once

#include <cstdint>

#include "quoin/case.hpp"

namespace quoin {

/// nx by ny interior nodes of a rectangle. Index -1 and nx (ny) are the sides.
struct Grid {
  explicit Grid(const Case& the_case);

  std::int64_t nx;
  std::int64_t ny;
  double xmin, xmax, ymin, ymax;
  double dx, dy;

  [[nodiscard]] double x(std::int64_t i) const { return i == nx ? xmax : xmin + static_cast<double>(i + 1) * dx; }
  [[nodiscard]] double y(std::int64_t j) const { return j == ny ? ymax : ymin + static_cast<double>(j + 1) * dy; }
  /// What formulas may name.
  [[nodiscard]] Expression::Constants constants() const;
};

}  // namespace quoin
