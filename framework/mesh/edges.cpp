#include "mesh/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quoin {
namespace {

struct HalfEdge {
  std::int64_t low;
  std::int64_t high;
  std::int64_t corner;
  std::int64_t cell;
};

std::vector<HalfEdge> half_edges(const Mesh& mesh) {
  std::vector<HalfEdge> result;
  result.reserve(mesh.corners.size());
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const auto corners = mesh.cell(c);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto [low, high] = std::minmax(corners[k], corners[k + 1 == corners.size() ? 0 : k + 1]);
      result.push_back({low, high, mesh.first[c] + static_cast<std::int64_t>(k), c});
    }
  }
  std::sort(result.begin(), result.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return std::tie(a.low, a.high, a.corner) < std::tie(b.low, b.high, b.corner);
  });
  return result;
}

[[noreturn]] void refuse_overlap(const Mesh& mesh, const Edge& edge, std::int64_t one, std::int64_t other) {
  const auto a = mesh.cell(one), b = mesh.cell(other);
  const bool same = std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
  const std::string what =
      same ? fmt::format("{} is there twice, also as cell {}; remove one of them", describe_cell(mesh, one),
                         name_of_cell(mesh, other))
           : fmt::format(
                 "{} and {} overlap: they lie on the same side of the edge between {} and {}; an edge joins "
                 "two cells, one on either side",
                 describe_cell(mesh, one), describe_cell(mesh, other), describe_vertex(mesh, edge.low),
                 describe_vertex(mesh, edge.high));
  refuse(mesh, what, MeshFault::At::cell, other);
}

}  // namespace

Edges find_edges(const Mesh& mesh) {
  Edges edges;
  edges.of_corner.resize(mesh.corners.size());
  for (const HalfEdge& half : half_edges(mesh)) {
    if (edges.list.empty() || edges.list.back().low != half.low || edges.list.back().high != half.high)
      edges.list.push_back({half.low, half.high});
    Edge& edge = edges.list.back();
    std::int64_t& cell = edge.cells[mesh.corners[half.corner] == half.low ? 0 : 1];
    if (cell >= 0) refuse_overlap(mesh, edge, cell, half.cell);
    cell = half.cell;
    edges.of_corner[half.corner] = static_cast<std::int64_t>(edges.list.size()) - 1;
  }
  return edges;
}

std::vector<BoundaryEdge> find_boundary(const Mesh& mesh) {
  std::vector<BoundaryEdge> result;
  for (const Edge& edge : find_edges(mesh).list) {
    if (edge.cells[1] < 0) result.push_back({edge.low, edge.high, edge.cells[0], -1});
    if (edge.cells[0] < 0) result.push_back({edge.high, edge.low, edge.cells[1], -1});
  }
  return result;
}

}  // namespace quoin
