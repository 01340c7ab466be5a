#pragma once

#include <cstdint>

#include "problems/jacobi/setup/axis.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// nx by ny unknowns on a rectangle. Where values are given on its sides, index -1 and nx (ny) are those.
struct Grid {
  explicit Grid(const Case& the_case);

  Axis along_x, along_y;
  std::int64_t nx;
  std::int64_t ny;
  double xmin, xmax, ymin, ymax;
  double dx, dy;
  double start_x, start_y;  ///< of index 0, in spacings from the left and the bottom side

  [[nodiscard]] double x(std::int64_t i) const { return place(i, start_x, along_x, dx); }
  [[nodiscard]] double y(std::int64_t j) const { return place(j, start_y, along_y, dy); }
  /// What formulas may name.
  [[nodiscard]] Expression::Constants constants() const;
  /// The centres of the cells between the nodes, those of the sides among them.
  [[nodiscard]] Grid centres() const;

 private:
  [[nodiscard]] static double place(std::int64_t i, double start, const Axis& axis, double spacing) {
    const double at = static_cast<double>(i) + start;
    return at == static_cast<double>(axis.intervals) ? axis.end : axis.begin + at * spacing;
  }
};

}  // namespace quoin
