#pragma once

#include "mesh/mesh.hpp"
#include "mesh/rectangle.hpp"

namespace quoin {

/// How much a mesh has of what takes memory, known before it is made.
struct MeshSize {
  double cells = 0;
  double vertices = 0;  ///< before periodic merging
  double corners = 0;   ///< of all cells
  double boundary = 0;  ///< edges
  double of_cell = 0;   ///< corners of a cell at most
  double around = 0;    ///< cells around a vertex at most
  bool named = false;   ///< vertices and cells have names
  bool alike = false;   ///< inner cells are congruent, and inner vertices

  /// That of the mesh after refine().
  [[nodiscard]] MeshSize refined(std::int64_t levels) const;
};

MeshSize size_of(const Mesh& mesh);
MeshSize size_of(const Rectangle& rectangle);

}  // namespace quoin
