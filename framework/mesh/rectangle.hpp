#pragma once

#include "mesh/mesh.hpp"

namespace quoin {

enum class RectangleCells { quad, tri };

/// A rectangle of nx by ny squares (or what `low` and `high` make of them).
struct Rectangle {
  Point low;
  Point high;
  std::int64_t nx = 1;
  std::int64_t ny = 1;
  RectangleCells cells = RectangleCells::quad;  ///< tri: each quad cut from its lower left to its upper right corner
  double perturb = 0;  ///< in [0, 0.45): the share of the spacing by which interior vertices are moved at most
};

/// Sides left, right, bottom and top; the same vertices on every machine. Vertices on the sides stay where they are,
/// so that opposite sides match; every cell stays convex.
/// Throws ErrorKind::case_file where the rectangle is empty or a number is out of range.
Mesh make_rectangle(const Rectangle& rectangle);

}  // namespace quoin
