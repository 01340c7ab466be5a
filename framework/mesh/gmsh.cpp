#include "mesh/gmsh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <tuple>

#include "mesh/checks.hpp"
#include "mesh/edges.hpp"
#include "mesh/gmsh_file.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

// Finds nodes by their numbers, which may have gaps.
class NodeIndex {
 public:
  NodeIndex(const GmshFile& file, const GmshStream& stream) : stream_(stream) {
    for (std::size_t k = 0; k < file.nodes.size(); ++k)
      numbers_.emplace_back(file.nodes[k].number, static_cast<std::int64_t>(k));
    std::sort(numbers_.begin(), numbers_.end());
    const auto again = std::adjacent_find(numbers_.begin(), numbers_.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; });
    if (again != numbers_.end())
      stream.fail(fmt::format("node {} comes a second time", again->first), file.nodes[again[1].second].place);
  }

  [[nodiscard]] std::int64_t find(std::int64_t number, const GmshElement& element) const {
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, std::int64_t{0}));
    if (found == numbers_.end() || found->first != number)
      stream_.fail(fmt::format("element {} has node {}, which is not in $Nodes", element.number, number),
                   element.place);
    return found->second;
  }

 private:
  const GmshStream& stream_;
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers_;
};

// The vertices, in the order of the file, and for each node the number of its vertex (-1: none).
std::vector<std::int64_t> add_vertices(const GmshFile& file, const NodeIndex& index, const GmshStream& stream,
                                       Mesh& mesh) {
  std::vector<char> idle(file.nodes.size());
  for (const GmshElement& point : file.points) idle[index.find(point.nodes[0], point)] = 1;
  for (const GmshElement& cell : file.cells)
    for (const std::int64_t node : cell.nodes)
      if (node != 0) idle[index.find(node, cell)] = 0;
  std::vector<std::int64_t> vertex(file.nodes.size(), -1);
  double z = 0;
  for (std::size_t k = 0; k < file.nodes.size(); ++k) {
    if (idle[k] != 0) continue;
    const GmshNode& node = file.nodes[k];
    if (mesh.vertices.empty()) z = node.z;
    if (std::abs(node.z - z) > 1e-8 * (std::abs(node.point.x) + std::abs(node.point.y) + std::abs(z)))
      stream.fail(fmt::format("node {} has z = {:g} and others have {:g}: the mesh must lie in a plane z = const",
                              node.number, node.z, z),
                  node.place);
    vertex[k] = mesh.vertex_count();
    mesh.vertices.push_back(node.point);
    mesh.vertex_name.push_back(node.number);
  }
  return vertex;
}

void add_cells(const GmshFile& file, const NodeIndex& index, const std::vector<std::int64_t>& vertex, Mesh& mesh) {
  for (const GmshElement& cell : file.cells) {
    const auto end = std::find(cell.nodes.begin(), cell.nodes.end(), 0);
    std::array<std::int64_t, 4> corners{};
    std::transform(cell.nodes.begin(), end, corners.begin(),
                   [&](std::int64_t node) { return vertex[index.find(node, cell)]; });
    mesh.add_cell(std::span(corners).first(end - cell.nodes.begin()));
    mesh.cell_name.push_back(cell.number);
    // A clockwise cell is turned round; its first corner stays.
    if (cell_geometry(mesh, mesh.cell_count() - 1).area < 0)
      std::reverse(mesh.corners.end() - (end - cell.nodes.begin()) + 1, mesh.corners.end());
  }
}

struct NamedEdge {
  std::int64_t low;
  std::int64_t high;
  std::int64_t group;
  std::int64_t element;
};

std::vector<NamedEdge> named_edges(const GmshFile& file, const NodeIndex& index,
                                   const std::vector<std::int64_t>& vertex) {
  std::vector<NamedEdge> result;
  for (const GmshElement& line : file.lines) {
    if (line.group == 0) continue;
    const auto [low, high] =
        std::minmax({vertex[index.find(line.nodes[0], line)], vertex[index.find(line.nodes[1], line)]});
    result.push_back({low, high, line.group, line.number});
  }
  std::sort(result.begin(), result.end(), [](const NamedEdge& a, const NamedEdge& b) {
    return std::tie(a.low, a.high, a.group) < std::tie(b.low, b.high, b.group);
  });
  return result;
}

std::string name_of(const GmshFile& file, std::int64_t group) {
  const auto found = file.curves.find(group);
  return found == file.curves.end() ? fmt::format("{}", group) : found->second;
}

// The physical curves of the boundary, in the order of their numbers, become the sides.
void add_sides(const GmshFile& file, const std::vector<NamedEdge>& named, Mesh& mesh) {
  std::vector<std::int64_t> group(mesh.boundary.size(), 0);
  for (std::size_t k = 0; k < mesh.boundary.size(); ++k) {
    const BoundaryEdge& edge = mesh.boundary[k];
    const auto [low, high] = std::minmax(edge.from, edge.to);
    auto found = std::lower_bound(named.begin(), named.end(), std::pair(low, high), [](const NamedEdge& a, auto b) {
      return std::tie(a.low, a.high) < std::tie(b.first, b.second);
    });
    for (; found != named.end() && found->low == low && found->high == high; ++found) {
      if (group[k] != 0 && name_of(file, group[k]) != name_of(file, found->group))
        refuse(mesh, fmt::format("element {}, the edge between {} and {}, belongs to the physical curves '{}' and "
                                 "'{}'; a side of the boundary has one name",
                                 found->element, describe_vertex(mesh, edge.from), describe_vertex(mesh, edge.to),
                                 name_of(file, group[k]), name_of(file, found->group)));
      group[k] = found->group;
    }
  }
  std::map<std::int64_t, int> side{{0, -1}};
  for (const std::int64_t number : std::set(group.begin(), group.end())) {
    if (number == 0) continue;
    const auto known = std::find(mesh.sides.begin(), mesh.sides.end(), name_of(file, number));
    side[number] = static_cast<int>(known - mesh.sides.begin());
    if (known == mesh.sides.end()) mesh.sides.push_back(name_of(file, number));
  }
  for (std::size_t k = 0; k < group.size(); ++k) mesh.boundary[k].side = side[group[k]];
}

}  // namespace

Mesh parse_gmsh(std::string_view bytes, const std::string& name) {
  GmshStream stream(bytes, name);
  const GmshFile file = read_sections(stream);
  Mesh mesh;
  mesh.source = name;
  if (file.cells.empty())
    refuse(mesh,
           "no triangles or quads; where Gmsh has them, put their surface into a physical surface, as it saves nothing "
           "else beside physical curves");
  const NodeIndex index(file, stream);
  const std::vector<std::int64_t> vertex = add_vertices(file, index, stream, mesh);
  add_cells(file, index, vertex, mesh);
  check_cells(mesh);
  mesh.boundary = find_boundary(mesh);
  add_sides(file, named_edges(file, index, vertex), mesh);
  check_mesh(mesh);
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
