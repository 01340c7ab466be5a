#pragma once

#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// Lagrange cells of the scheme's order: the cells themselves, or the sub-quads of the vertices.
ElementFields elements_of(const Solution& solution);

/// Those of a rank's own entities, and where they lie in the whole.
struct ElementPiece {
  ElementFields frame;
  std::size_t inside_nodes = 0;  ///< of the entities inside, which come first; the others are on the boundary
};
ElementPiece piece_of(const Solution& solution, const EntityPart& part);

}  // namespace quoin
