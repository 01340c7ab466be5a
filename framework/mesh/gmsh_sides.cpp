#include "mesh/gmsh_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace quoin {
namespace {

// What a curve makes of the edges on it: the largest of its physical groups, and one of another name. 0: none.
struct CurveGroups {
  std::int64_t group = 0;
  std::int64_t other = 0;
};

std::string name_of(const GmshFile& file, std::int64_t group) {
  const auto found = file.names.find(group);
  return found == file.names.end() ? fmt::format("{}", group) : found->second;
}

CurveGroups groups_of(const GmshFile& file, const std::vector<std::int64_t>& its_groups) {
  CurveGroups result;
  for (const std::int64_t group : its_groups) result.group = std::max(result.group, group);
  for (const std::int64_t group : its_groups)
    if (group != 0 && name_of(file, group) != name_of(file, result.group)) result.other = group;
  return result;
}

struct NamedEdge {
  std::int64_t low;
  std::int64_t high;
  CurveGroups groups;
  const GmshElement* line;
};

std::vector<NamedEdge> named_edges(const GmshFile& file, const GmshNodes& nodes) {
  std::map<std::int64_t, CurveGroups> curves;
  for (const auto& [curve, its_groups] : file.curves) curves[curve] = groups_of(file, its_groups);
  std::vector<NamedEdge> result;
  for (const GmshElement& line : file.lines) {
    const auto [low, high] = std::minmax({nodes.vertex(line.nodes[0], line), nodes.vertex(line.nodes[1], line)});
    const auto curve = curves.find(line.entity);
    if (curve != curves.end() && curve->second.group != 0) result.push_back({low, high, curve->second, &line});
  }
  std::stable_sort(result.begin(), result.end(), [](const NamedEdge& a, const NamedEdge& b) {
    return std::tie(a.low, a.high, a.groups.group) < std::tie(b.low, b.high, b.groups.group);
  });
  return result;
}

[[noreturn]] void refuse_two_names(const GmshFile& file, const GmshStream& stream, const Mesh& mesh,
                                   const BoundaryEdge& edge, const GmshElement& line, std::int64_t one,
                                   std::int64_t other) {
  stream.fail(
      fmt::format("element {}, the edge between {} and {}, belongs to the physical curves '{}' and '{}'; a side "
                  "of the boundary has one name: take the curve out of the others",
                  line.number, describe_vertex(mesh, edge.from), describe_vertex(mesh, edge.to), name_of(file, one),
                  name_of(file, other)),
      line.place);
}

}  // namespace

void add_sides(const GmshFile& file, const GmshNodes& nodes, const GmshStream& stream, Mesh& mesh) {
  const std::vector<NamedEdge> named = named_edges(file, nodes);
  std::vector<std::int64_t> group(mesh.boundary.size(), 0);
  for (std::size_t k = 0; k < mesh.boundary.size(); ++k) {
    const BoundaryEdge& edge = mesh.boundary[k];
    const auto [low, high] = std::minmax(edge.from, edge.to);
    auto found = std::lower_bound(named.begin(), named.end(), std::pair(low, high), [](const NamedEdge& a, auto b) {
      return std::tie(a.low, a.high) < std::tie(b.first, b.second);
    });
    for (; found != named.end() && found->low == low && found->high == high; ++found) {
      const auto [its_group, other] = found->groups;
      if (other != 0) refuse_two_names(file, stream, mesh, edge, *found->line, other, its_group);
      if (group[k] != 0 && name_of(file, group[k]) != name_of(file, its_group))
        refuse_two_names(file, stream, mesh, edge, *found->line, group[k], its_group);
      group[k] = its_group;
    }
  }
  std::map<std::int64_t, int> side{{0, -1}};
  std::map<std::string, int> known;
  for (const std::int64_t number : std::set(group.begin(), group.end())) {
    if (number == 0) continue;
    const auto [its_side, added] = known.try_emplace(name_of(file, number), static_cast<int>(mesh.sides.size()));
    if (added) mesh.sides.push_back(its_side->first);
    side[number] = its_side->second;
  }
  for (std::size_t k = 0; k < group.size(); ++k) mesh.boundary[k].side = side[group[k]];
}

}  // namespace quoin
