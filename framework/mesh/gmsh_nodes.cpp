#include "mesh/gmsh_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace quoin {

GmshNodes::GmshNodes(const GmshFile& file, const GmshStream& stream) : file_(file), stream_(stream) {
  numbers_.reserve(file.nodes.size());
  for (std::size_t k = 0; k < file.nodes.size(); ++k)
    numbers_.emplace_back(file.nodes[k].number, static_cast<std::int64_t>(k));
  std::sort(numbers_.begin(), numbers_.end());
  const auto again = std::adjacent_find(numbers_.begin(), numbers_.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (again != numbers_.end())
    stream.broken(fmt::format("node {} comes a second time", again->first), file.nodes[again[1].second].place);
}

std::int64_t GmshNodes::find(std::int64_t number, const GmshElement& element) const {
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(number, std::int64_t{0}));
  if (found == numbers_.end() || found->first != number)
    stream_.broken(fmt::format("element {} has node {}, which is not in $Nodes", element.number, number),
                   element.place);
  return found->second;
}

std::vector<char> GmshNodes::needless() const {
  std::vector<char> idle(file_.nodes.size());
  for (const GmshElement& point : file_.points) idle[find(point.nodes[0], point)] = 1;
  for (const GmshElement& cell : file_.cells)
    for (const std::int64_t node : cell.nodes)
      if (node != 0) idle[find(node, cell)] = 0;
  return idle;
}

void GmshNodes::add_vertices(Mesh& mesh) {
  const std::vector<char> idle = needless();
  vertices_.assign(file_.nodes.size(), -1);
  double z = 0;
  for (std::size_t k = 0; k < file_.nodes.size(); ++k) {
    if (idle[k] != 0) continue;
    const GmshNode& node = file_.nodes[k];
    if (mesh.vertices.empty()) z = node.z;
    if (std::abs(node.z - z) > 1e-8 * (std::abs(node.point.x) + std::abs(node.point.y) + std::abs(z)))
      stream_.fail(fmt::format("node {} has z = {:g} and others have {:g}: the mesh must lie in a plane z = const; "
                               "turn or move it into one",
                               node.number, node.z, z),
                   node.place);
    vertices_[k] = mesh.vertex_count();
    mesh.vertices.push_back(node.point);
    mesh.vertex_name.push_back(node.number);
  }
}

std::size_t GmshNodes::place_of(std::int64_t vertex) const {
  return file_.nodes[std::find(vertices_.begin(), vertices_.end(), vertex) - vertices_.begin()].place;
}

}  // namespace quoin
