#include "mesh/refine.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "mesh/edges.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

void keep_names(const Mesh& mesh, Mesh& fine) {
  fine.vertex_name.reserve(fine.vertices.size());
  for (std::int64_t v = 0; v < mesh.vertex_count(); ++v) fine.vertex_name.push_back(name_of_vertex(mesh, v));
  fine.vertex_name.resize(fine.vertices.size(), 0);
  fine.cell_name.reserve(fine.cell_count());
  for (std::int64_t c = 0; c < fine.cell_count(); ++c) fine.cell_name.push_back(name_of_cell(mesh, c / 4));
}

// The vertices are the old ones, then the midpoints of the edges, then the middles of the quads. Child k of a cell has
// its corner k; the fourth one of a triangle lies between them.
Mesh refine_once(const Mesh& mesh) {
  const Edges edges = find_edges(mesh);
  Mesh fine;
  fine.source = mesh.source;
  fine.sides = mesh.sides;
  fine.vertices = mesh.vertices;
  for (const Edge& edge : edges.list)
    fine.vertices.push_back(midpoint(mesh.vertices[edge.low], mesh.vertices[edge.high]));
  fine.corners.reserve(4 * mesh.corners.size());
  fine.first.reserve(4 * mesh.cell_count() + 1);
  const auto middle_of = [&](std::int64_t corner) { return mesh.vertex_count() + edges.of_corner[corner]; };
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const auto x = mesh.cell(c);
    std::array<std::int64_t, 4> m{};
    for (std::size_t k = 0; k < x.size(); ++k) m[k] = middle_of(mesh.first[c] + static_cast<std::int64_t>(k));
    if (x.size() == 3) {
      for (std::size_t k = 0; k < 3; ++k) fine.add_cell(std::array{x[k], m[k], m[(k + 2) % 3]});
      fine.add_cell(std::array{m[0], m[1], m[2]});
    } else {
      const std::int64_t centre = fine.vertex_count();
      fine.vertices.push_back(midpoint(midpoint(mesh.vertices[x[0]], mesh.vertices[x[2]]),
                                       midpoint(mesh.vertices[x[1]], mesh.vertices[x[3]])));
      for (std::size_t k = 0; k < 4; ++k) fine.add_cell(std::array{x[k], m[k], centre, m[(k + 3) % 4]});
    }
  }
  for (const BoundaryEdge& edge : mesh.boundary) {
    const std::int64_t corner = mesh.corner_of(edge);
    const std::int64_t k = corner - mesh.first[edge.cell];
    const std::int64_t next = k + 1 == mesh.first[edge.cell + 1] - mesh.first[edge.cell] ? 0 : k + 1;
    fine.boundary.push_back({edge.from, middle_of(corner), 4 * edge.cell + k, edge.side});
    fine.boundary.push_back({middle_of(corner), edge.to, 4 * edge.cell + next, edge.side});
  }
  keep_names(mesh, fine);
  return fine;
}

}  // namespace

Mesh refine(Mesh mesh, int levels) {
  if (!mesh.periodic.empty())
    throw Error(ErrorKind::bug, "a mesh was to be refined after its periodic sides were joined");
  std::int64_t cells = mesh.cell_count();
  for (int k = 0; k < levels; ++k) {
    cells *= 4;
    if (cells > max_cells)
      refuse(mesh, fmt::format("{} cells refined {} times are more than the {} that a mesh may have; refine less often",
                               mesh.cell_count(), levels, max_cells));
  }
  for (int k = 0; k < levels; ++k) mesh = refine_once(mesh);
  return mesh;
}

}  // namespace quoin
