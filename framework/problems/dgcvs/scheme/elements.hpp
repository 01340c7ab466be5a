#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// What a rank has of a frame: Lagrange cells of the scheme's order, which are the cells themselves, or the sub-quads
/// of the vertices.
struct ElementPiece {
  /// An array of which each rank has a part, and the bytes of it that are of its entities inside: they come first, and
  /// the others are on the boundary.
  struct Array {
    std::string name;
    std::size_t inside;
  };
  ElementFields frame;  ///< its entities as they are numbered among all
  std::vector<Array> arrays;
  std::vector<std::int64_t> entities;  ///< the numbers

  /// The end of `arrays` for one that is the same on all ranks.
  [[nodiscard]] auto part_of(const std::string& array) const { return std::ranges::find(arrays, array, &Array::name); }
};
/// Of a rank's own entities.
ElementPiece piece_of(const Solution& solution, const EntityPart& part);

/// Makes the piece a frame of its own: entities are numbered from 0 on, and what they are among all is told as well.
void stand_alone(ElementPiece& piece);

}  // namespace quoin
