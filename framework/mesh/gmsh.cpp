#include "mesh/gmsh.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "mesh/checks.hpp"
#include "mesh/edges.hpp"
#include "mesh/gmsh_sides.hpp"

namespace quoin {
namespace {

void add_cells(const GmshFile& file, const GmshNodes& nodes, Mesh& mesh) {
  for (const GmshElement& cell : file.cells) {
    const auto end = std::find(cell.nodes.begin(), cell.nodes.end(), 0);
    std::array<std::int64_t, 4> corners{};
    std::transform(cell.nodes.begin(), end, corners.begin(),
                   [&](std::int64_t node) { return nodes.vertex(node, cell); });
    mesh.add_cell(std::span(corners).first(end - cell.nodes.begin()));
    mesh.cell_name.push_back(cell.number);
    // A clockwise cell is turned round; its first corner stays.
    if (cell_geometry(mesh, mesh.cell_count() - 1).area < 0)
      std::reverse(mesh.corners.end() - (end - cell.nodes.begin()) + 1, mesh.corners.end());
  }
}

// Where the file has what the fault is about.
std::size_t place_of(const MeshFault& fault, const GmshFile& file, const GmshNodes& nodes) {
  switch (fault.at()) {
    case MeshFault::At::cell:
      return file.cells[fault.index()].place;
    case MeshFault::At::vertex:
      return nodes.place_of(fault.index());
    default:
      return file.elements_place;
  }
}

}  // namespace

Mesh parse_gmsh(std::string_view bytes, const std::string& name) {
  GmshStream stream(bytes, name);
  const GmshFile file = read_sections(stream);
  if (file.cells.empty())
    stream.fail(
        "no triangles or quadrilaterals; where Gmsh has them, put their surface into a physical surface, as it saves "
        "nothing else beside physical curves",
        file.elements_place);
  Mesh mesh;
  mesh.source = name;
  GmshNodes nodes(file, stream);
  nodes.add_vertices(mesh);
  try {
    add_cells(file, nodes, mesh);
    check_cells(mesh);
    mesh.boundary = find_boundary(mesh);
    add_sides(file, nodes, stream, mesh);
    check_mesh(mesh);
  } catch (const MeshFault& fault) {
    stream.fail(fault.said(), place_of(fault, file, nodes));
  }
  return mesh;
}

Mesh read_gmsh(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& what) { throw Error(ErrorKind::io, what, file.string()); };
  const auto reason = [] { return std::string(std::strerror(errno)); };
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) fail("cannot open the mesh file: " + error.message());
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("cannot open the mesh file: " + reason());
  std::string bytes(size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size) fail("cannot read the mesh file: " + reason());
  return parse_gmsh(bytes, file.string());
}

}  // namespace quoin
