#include "mesh/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "mesh/skew.hpp"

namespace quoin {
namespace {

// Of the size of the domain: far above what rounding leaves in a mesh file, far below the spacing of any mesh.
constexpr double pair_tolerance = 1e-8;

struct Side {
  Side(const Mesh& mesh, std::string_view its_name) : name(its_name) {
    const auto found = std::find(mesh.sides.begin(), mesh.sides.end(), name);
    if (found == mesh.sides.end())
      refuse(mesh,
             fmt::format("there is no side {} to be periodic; the sides are {}", shown(name), listed(mesh.sides)));
    index = static_cast<int>(found - mesh.sides.begin());
    for (const BoundaryEdge& edge : mesh.boundary) {
      if (edge.side != index) continue;
      edges.emplace_back(edge.from, edge.to);
      vertices.insert(vertices.end(), {edge.from, edge.to});
    }
    if (edges.empty()) refuse(mesh, fmt::format("side {} is periodic already", shown(name)));
    std::sort(edges.begin(), edges.end());
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (const std::int64_t vertex : vertices) points.push_back(mesh.vertices[vertex]);
  }
  std::string name;
  int index;
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  std::vector<std::int64_t> vertices;
  std::vector<Point> points;
};

// For each vertex of `from` the vertex of `to` that lies `shift` away.
std::vector<std::int64_t> partners(const Mesh& mesh, const Side& from, const Side& to, Point shift) {
  const Box2D box = bounding_box(mesh.vertices);
  const double near = pair_tolerance * distance(box.low, box.high);
  const SkewOrder order(mesh.vertices, to.vertices);
  std::vector<std::int64_t> result;
  for (const std::int64_t vertex : from.vertices) {
    const Point wanted = mesh.vertices[vertex] + shift;
    const auto away = [&](std::int64_t candidate) { return distance(wanted, mesh.vertices[candidate]); };
    const auto closer = [&](std::int64_t a, std::int64_t b) { return away(a) < away(b); };
    const auto candidates = order.between(wanted, wanted, near);
    const auto found = std::min_element(candidates.begin(), candidates.end(), closer);
    if (found == candidates.end() || away(*found) > near) {
      const std::int64_t nearest = *std::min_element(to.vertices.begin(), to.vertices.end(), closer);
      refuse(mesh,
             fmt::format("sides '{}' and '{}' do not match: {} of '{}', moved by {}, should meet a vertex of '{}' at "
                         "{}; the nearest one, {}, is {:.3g} away. Mesh both sides with the same vertices",
                         from.name, to.name, describe_vertex(mesh, vertex), from.name, describe(shift), to.name,
                         describe(wanted), describe_vertex(mesh, nearest), away(nearest)));
    }
    result.push_back(*found);
  }
  return result;
}

// The edges of the two sides must be the same ones, walked in opposite directions.
void check_edges(const Mesh& mesh, const Side& from, const Side& to, const std::vector<std::int64_t>& partner) {
  const auto image = [&](std::int64_t vertex) {
    return partner[std::lower_bound(from.vertices.begin(), from.vertices.end(), vertex) - from.vertices.begin()];
  };
  for (const auto& [a, b] : from.edges)
    if (!std::binary_search(to.edges.begin(), to.edges.end(), std::pair(image(b), image(a))))
      refuse(mesh,
             fmt::format("sides '{}' and '{}' do not match: the edge between {} and {} of '{}' has none opposite on "
                         "'{}' that bounds the domain from the other side",
                         from.name, to.name, describe_vertex(mesh, a), describe_vertex(mesh, b), from.name, to.name));
}

// Puts the pairs into mesh.periodic; the smallest number of those that are the same vertex represents them all.
void merge(Mesh& mesh, const std::vector<std::int64_t>& ones, const std::vector<std::int64_t>& others) {
  std::vector<std::int64_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int64_t vertex) {
    while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
  };
  for (const PeriodicVertex& pair : mesh.periodic) parent[pair.vertex] = pair.representative;
  for (std::size_t k = 0; k < ones.size(); ++k) {
    const auto [low, high] = std::minmax({root(ones[k]), root(others[k])});
    parent[high] = low;
  }
  mesh.periodic.clear();
  for (std::int64_t v = 0; v < mesh.vertex_count(); ++v)
    if (parent[v] != v) mesh.periodic.push_back({v, root(v), mesh.vertices[v] - mesh.vertices[root(v)]});
}

}  // namespace

void match_periodic(Mesh& mesh, std::string_view one, std::string_view other) {
  if (one == other) refuse(mesh, fmt::format("side {} cannot be periodic with itself; name two sides", shown(one)));
  const Side a(mesh, one), b(mesh, other);
  const Point shift = bounding_box(b.points).low - bounding_box(a.points).low;
  const std::vector<std::int64_t> to_b = partners(mesh, a, b, shift);
  const std::vector<std::int64_t> to_a = partners(mesh, b, a, Point{} - shift);
  check_edges(mesh, a, b, to_b);
  check_edges(mesh, b, a, to_a);
  merge(mesh, a.vertices, to_b);
  std::erase_if(mesh.boundary, [&](const BoundaryEdge& e) { return e.side == a.index || e.side == b.index; });
}

}  // namespace quoin
