#pragma once

#include <array>

#include "mesh/mesh.hpp"

namespace quoin {

/// An edge between the vertices low < high, with the cells that walk it from low to high and from high to low; -1 where
/// there is none.
struct Edge {
  std::int64_t low;
  std::int64_t high;
  std::array<std::int64_t, 2> cells{-1, -1};
};

struct Edges {
  std::vector<Edge> list;               ///< by low, then high
  std::vector<std::int64_t> of_corner;  ///< like Mesh::corners: the edge from this corner to the next one of the cell
};

/// All edges before periodic merging. Throws ErrorKind::case_file where two cells lie on the same side of an edge: they
/// are the same cell, or overlap.
Edges find_edges(const Mesh& mesh);

/// The edges with one cell, on no side as yet.
std::vector<BoundaryEdge> find_boundary(const Mesh& mesh);

}  // namespace quoin
