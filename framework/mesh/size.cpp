#include "mesh/size.hpp"

#include <algorithm>

namespace quoin {

MeshSize MeshSize::refined(std::int64_t levels) const {
  MeshSize fine = *this;
  for (std::int64_t k = 0; k < levels; ++k) {
    const double edges = (fine.corners + fine.boundary) / 2;  // each has two cells, but for those of the boundary
    const double quads = fine.corners - 3 * fine.cells;
    fine.vertices += edges + quads;
    fine.cells *= 4;
    fine.corners *= 4;
    fine.boundary *= 2;
    fine.around = std::max(fine.around, quads < fine.cells / 4 ? 6.0 : 4.0);  // around the middle of an edge
    fine.named = true;
  }
  return fine;
}

MeshSize size_of(const Mesh& mesh) {
  MeshSize size{.cells = static_cast<double>(mesh.cell_count()),
                .vertices = static_cast<double>(mesh.vertex_count()),
                .corners = static_cast<double>(mesh.corners.size()),
                .boundary = static_cast<double>(mesh.boundary.size()),
                .named = !mesh.cell_name.empty()};
  std::vector<double> around(mesh.vertices.size());
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const auto corners = mesh.cell(c);
    size.of_cell = std::max(size.of_cell, static_cast<double>(corners.size()));
    for (const std::int64_t vertex : corners) size.around = std::max(size.around, ++around[vertex]);
  }
  return size;
}

MeshSize size_of(const Rectangle& r) {
  const bool tri = r.cells == RectangleCells::tri;
  const auto nx = static_cast<double>(r.nx);
  const auto ny = static_cast<double>(r.ny);
  return {.cells = (tri ? 2 : 1) * nx * ny,
          .vertices = (nx + 1) * (ny + 1),
          .corners = (tri ? 6 : 4) * nx * ny,
          .boundary = 2 * (nx + ny),
          .of_cell = tri ? 3.0 : 4.0,
          .around = tri ? 6.0 : 4.0,
          .alike = !tri && r.perturb == 0};
}

}  // namespace quoin
