#pragma once

// Cells and vertices as the two sets of entities of a cell-vertex scheme, joined by sub-quads.

#include <array>
#include <functional>
#include <string>

#include "mesh/mesh.hpp"

namespace quoin {

/// The part of a cell next to one of its vertices. Its corners run counter-clockwise: P0 the vertex, P1 the midpoint of
/// the next face, P2 the cell's centroid, P3 the midpoint of the previous face. They are in the frame of the cell: on a
/// periodic mesh P0 may lie a period away from the vertex's centre.
struct SubQuad {
  std::int64_t cell;
  std::int64_t vertex;
  std::array<Point, 4> corners;
  int side01;  ///< index into Mesh::sides where the half face P0-P1 is on the boundary, else -1
  int side30;  ///< likewise for P3-P0
};

/// Cells, or vertices after periodic merging; all lists go by the entity's number.
struct Entities {
  std::int64_t boundary = 0;        ///< how many have at least one half face on the boundary
  std::vector<std::int64_t> first;  ///< entity e has the sub-quads quads[first[e]] to quads[first[e + 1] - 1]
  std::vector<std::int64_t> quads;
  std::vector<double> area;          ///< of the region, the union of the sub-quads
  std::vector<double> length;        ///< sqrt(area) / 2
  std::vector<Point> centre;         ///< the cell's centroid; the vertex
  std::vector<std::int64_t> origin;  ///< the number in the mesh

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(origin.size()); }
  [[nodiscard]] std::span<const std::int64_t> quads_of(std::int64_t entity) const {
    const auto begin = static_cast<std::size_t>(first[entity]);
    return {quads.data() + begin, static_cast<std::size_t>(first[entity + 1]) - begin};
  }
};

/// `quads_of` a cell follows its corners. That of a vertex runs counter-clockwise around it; at the boundary it starts
/// with the sub-quad that has no neighbour clockwise (its side01 is a side).
struct Staggered {
  std::vector<SubQuad> quads;  ///< cell by cell
  Entities cells;
  Entities vertices;
};

enum class EntityKind { cells, vertices };

inline std::string name_of(EntityKind kind) { return kind == EntityKind::cells ? "cells" : "vertices"; }

/// The kind that a half step of entities of this kind reads.
inline EntityKind other(EntityKind kind) {
  return kind == EntityKind::cells ? EntityKind::vertices : EntityKind::cells;
}

inline const Entities& entities_of(const Staggered& staggered, EntityKind kind) {
  return kind == EntityKind::cells ? staggered.cells : staggered.vertices;
}

/// The entity of that kind that has the sub-quad.
inline std::int64_t owner_of(const SubQuad& quad, EntityKind kind) {
  return kind == EntityKind::cells ? quad.cell : quad.vertex;
}

/// The sub-quad's corners as its entity sees them: its own centre, A, B (the centre of the old entity), C.
inline std::array<Point, 4> seen_from(const SubQuad& quad, EntityKind kind) {
  const auto& p = quad.corners;
  if (kind == EntityKind::cells) return {p[2], p[3], p[0], p[1]};
  return {p[0], p[1], p[2], p[3]};
}

/// Entities are numbered so that neighbours in space are near: in the order of the mesh where that goes row by row,
/// else along a Hilbert curve. `boundary_last` puts those of the boundary behind all others, `mesh_order` does not.
enum class EntityOrder { boundary_last, mesh_order };

/// How many entities come before those of the boundary: none in the order of the mesh, where these may be anywhere.
inline std::int64_t inner_entities(const Entities& entities, EntityOrder order) {
  return order == EntityOrder::boundary_last ? entities.count() - entities.boundary : 0;
}

/// `mesh` must have passed check_mesh(); periodic sides are those that match_periodic() has joined.
Staggered make_staggered(const Mesh& mesh, EntityOrder order = EntityOrder::boundary_last);

/// Where each of the cells of that mesh comes in space, those of the boundary among the others: from 0.
std::vector<std::int64_t> places_in_space(const Mesh& mesh, const Entities& cells);

/// The largest wave speed at the face of `cell` with the midpoint (x, y) and the outward unit normal (nx, ny); several
/// threads ask.
using WaveSpeed = std::function<double(double x, double y, double nx, double ny, std::int64_t cell)>;

/// The time step for a Courant number of 1: the smallest |K| / (1/2 sum over faces of speed times length) of all cells
/// K; infinite where nothing moves. Throws ErrorKind::case_file where a speed is negative or not finite.
double time_step(const Staggered& staggered, const WaveSpeed& speed);

}  // namespace quoin
