#include "mesh/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mesh/edges.hpp"
#include "mesh/skew.hpp"

namespace quoin {
namespace {

// A Jacobian below this share of the squared size is rounding alone, as is a distance below this share of a length.
constexpr double round_off = 1e-12;
constexpr double hanging_tolerance = 1e-8;

void check_use(const Mesh& mesh) {
  std::vector<char> used(mesh.vertices.size());
  for (const std::int64_t vertex : mesh.corners) used[vertex] = 1;
  const auto unused = std::find(used.begin(), used.end(), 0);
  if (unused != used.end())
    refuse(mesh,
           fmt::format("{} belongs to no cell; remove it, or mesh what is missing around it",
                       describe_vertex(mesh, unused - used.begin())),
           MeshFault::At::vertex, unused - used.begin());
}

// A vertex in the middle of a boundary edge is one of the boundary itself.
void check_hanging(const Mesh& mesh) {
  std::vector<std::int64_t> vertices;
  for (const BoundaryEdge& edge : mesh.boundary) vertices.push_back(edge.from);
  const SkewOrder order(mesh.vertices, vertices);
  for (const BoundaryEdge& edge : mesh.boundary) {
    const Point a = mesh.vertices[edge.from], b = mesh.vertices[edge.to];
    const double length = distance(a, b);
    for (const std::int64_t vertex : order.between(a, b, 0)) {
      const Point p = mesh.vertices[vertex];
      const bool inside = distance(a, p) > hanging_tolerance * length && distance(p, b) > hanging_tolerance * length;
      if (inside && std::abs(cross(b - a, p - a)) < hanging_tolerance * length * length)
        refuse(mesh,
               fmt::format("{} hangs on the edge between {} and {} of {}: it must be a corner of the cells on both "
                           "sides; mesh both sides with the same vertices",
                           describe_vertex(mesh, vertex), describe_vertex(mesh, edge.from),
                           describe_vertex(mesh, edge.to), describe_cell(mesh, edge.cell)),
               MeshFault::At::vertex, vertex);
    }
  }
}

void check_sides(const Mesh& mesh) {
  const auto nameless = [](const BoundaryEdge& edge) { return edge.side < 0; };
  const auto count = std::count_if(mesh.boundary.begin(), mesh.boundary.end(), nameless);
  if (count == 0) return;
  const BoundaryEdge& edge = *std::find_if(mesh.boundary.begin(), mesh.boundary.end(), nameless);
  refuse(mesh,
         fmt::format("the edge between {} and {} of {} lies on the boundary and belongs to no named side{}; put it "
                     "into a physical curve, or close the gap where it should not be on the boundary",
                     describe_vertex(mesh, edge.from), describe_vertex(mesh, edge.to), describe_cell(mesh, edge.cell),
                     count > 1 ? fmt::format(", like {} more", count - 1) : ""),
         MeshFault::At::cell, edge.cell);
}

void check_touching(const Mesh& mesh) {
  std::vector<char> left(mesh.vertices.size());
  for (const BoundaryEdge& edge : mesh.boundary)
    if (++left[edge.from] > 1)
      refuse(mesh,
             fmt::format("the domain touches itself at {}; give each part a vertex of its own there, or join "
                         "them by cells",
                         describe_vertex(mesh, edge.from)),
             MeshFault::At::vertex, edge.from);
}

}  // namespace

void check_cells(const Mesh& mesh) {
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const auto corners = mesh.cell(c);
    const std::size_t count = corners.size();
    const Point centre = cell_geometry(mesh, c).centroid;
    const auto corner = [&](std::size_t k) { return mesh.vertices[corners[k % count]]; };
    double size = 0;
    for (std::size_t k = 0; k < count; ++k) size = std::max(size, distance(corner(k), corner(k + 1)));
    double least = std::numeric_limits<double>::infinity();
    std::size_t worst = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::array p{corner(k), midpoint(corner(k), corner(k + 1)), centre,
                         midpoint(corner(k + count - 1), corner(k))};
      for (std::size_t i = 0; i < 4; ++i) {
        const double jacobian = cross(p[(i + 1) % 4] - p[i], p[(i + 3) % 4] - p[i]);
        if (!(jacobian < least)) continue;
        least = jacobian;
        worst = k;
      }
    }
    if (!(least > round_off * size * size) || !std::isfinite(centre.x + centre.y))
      refuse(mesh,
             fmt::format("{} is flat, folded or not convex at {}: the part of it there has the Jacobian {:.3g}; "
                         "cells must be convex, so move its vertices or mesh the place anew",
                         describe_cell(mesh, c), describe_vertex(mesh, corners[worst]), least),
             MeshFault::At::cell, c);
  }
}

void check_mesh(const Mesh& mesh) {
  check_cells(mesh);
  find_edges(mesh);
  check_use(mesh);
  check_hanging(mesh);
  check_sides(mesh);
  check_touching(mesh);
}

}  // namespace quoin
