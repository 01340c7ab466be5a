#pragma once

#include <cstdint>
#include <string>

#include "problems/jacobi/setup/axis.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// nx by ny unknowns on a rectangle, or nx by ny by nz in a box. Where values are given on its sides, index -1 and nx
/// (ny, nz) are those. Rows are counted through all planes: row k * ny + j.
struct Grid {
  explicit Grid(const Case& the_case);

  Axis along_x, along_y, along_z;  ///< the last one is flat in the plane
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  double xmin, xmax, ymin, ymax;
  double dx, dy;
  double start_x, start_y, start_z;  ///< of index 0, in spacings from the left, the bottom and the back side

  [[nodiscard]] double x(std::int64_t i) const { return place(i, start_x, along_x, dx); }
  [[nodiscard]] double y(std::int64_t j) const { return place(j, start_y, along_y, dy); }
  [[nodiscard]] double z(std::int64_t k) const { return place(k, start_z, along_z, along_z.spacing); }
  [[nodiscard]] bool in_space() const { return !along_z.is_flat(); }
  [[nodiscard]] bool joins_sides() const { return quoin::joins_sides(along_x, along_y, along_z); }
  [[nodiscard]] std::int64_t rows() const { return ny * nz; }
  /// Of the cells around nodes inside, and of all.
  [[nodiscard]] double cell() const { return dx * dy * along_z.spacing; }
  [[nodiscard]] double volume() const { return (xmax - xmin) * (ymax - ymin) * (along_z.end - along_z.begin); }
  /// `(i, j)`, or with k.
  [[nodiscard]] std::string node(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// `x = 1, y = 2` of a node, and z.
  [[nodiscard]] std::string where(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// Of the case, with all that formulas may name.
  [[nodiscard]] Expression formula(const Case& the_case, const std::string& path) const;
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
