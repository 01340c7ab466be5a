#include "mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace quoin {

double distance(Point a, Point b) {
  const Point d = b - a;
  return std::sqrt(d.x * d.x + d.y * d.y);  // hypot's last bits differ between machines
}

void Mesh::add_cell(std::span<const std::int64_t> its_corners) {
  corners.insert(corners.end(), its_corners.begin(), its_corners.end());
  first.push_back(static_cast<std::int64_t>(corners.size()));
}

std::int64_t Mesh::corner_of(const BoundaryEdge& edge) const {
  const auto its_corners = cell(edge.cell);
  return first[edge.cell] + (std::find(its_corners.begin(), its_corners.end(), edge.from) - its_corners.begin());
}

std::int64_t name_of_vertex(const Mesh& mesh, std::int64_t vertex) {
  return mesh.vertex_name.empty() ? vertex + 1 : mesh.vertex_name[vertex];
}

std::int64_t name_of_cell(const Mesh& mesh, std::int64_t cell) {
  return mesh.cell_name.empty() ? cell + 1 : mesh.cell_name[cell];
}

CellGeometry cell_geometry(const Mesh& mesh, std::int64_t cell) {
  // A fan of triangles from the first corner, whose frame keeps the digits far away from the origin.
  const auto corners = mesh.cell(cell);
  const Point origin = mesh.vertices[corners[0]];
  double twice = 0;
  Point moment;
  for (std::size_t k = 2; k < corners.size(); ++k) {
    const Point a = mesh.vertices[corners[k - 1]] - origin;
    const Point b = mesh.vertices[corners[k]] - origin;
    twice += cross(a, b);
    moment = moment + cross(a, b) * (a + b);
  }
  return {0.5 * twice, origin + 1 / (3 * twice) * moment};
}

void refuse(const Mesh& mesh, const std::string& what, MeshFault::At at, std::int64_t index) {
  throw MeshFault(mesh, what, at, index);
}

Box2D bounding_box(std::span<const Point> points) {
  if (points.empty()) return {};
  Box2D box{points.front(), points.front()};
  for (const Point point : points) {
    box.low = {std::min(box.low.x, point.x), std::min(box.low.y, point.y)};
    box.high = {std::max(box.high.x, point.x), std::max(box.high.y, point.y)};
  }
  return box;
}

std::string describe(Point point) { return fmt::format("({:.10g}, {:.10g})", point.x, point.y); }

std::string describe_vertex(const Mesh& mesh, std::int64_t vertex) {
  const std::int64_t name = name_of_vertex(mesh, vertex);
  const std::string place = describe(mesh.vertices[vertex]);
  return name == 0 ? "the vertex at " + place : fmt::format("vertex {} at {}", name, place);
}

std::string describe_cell(const Mesh& mesh, std::int64_t cell) {
  const auto corners = mesh.cell(cell);
  Point middle;
  for (const std::int64_t corner : corners)
    middle = middle + 1.0 / static_cast<double>(corners.size()) * mesh.vertices[corner];
  return fmt::format("cell {} around {}", name_of_cell(mesh, cell), describe(middle));
}

}  // namespace quoin
