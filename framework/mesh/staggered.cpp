#include "mesh/staggered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "mesh/hilbert.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

// Which side the edge from each corner to the next one is on (-1: none), along with what lies on the boundary.
struct Boundary {
  explicit Boundary(const Mesh& mesh, const std::vector<std::int64_t>& representative)
      : cells(mesh.cell_count()), vertices(mesh.vertex_count()) {
    resize_cleared(side, mesh.corners.size());
    std::ranges::fill(side, -1);
    for (const BoundaryEdge& edge : mesh.boundary) {
      side[mesh.corner_of(edge)] = edge.side;
      cells[edge.cell] = 1;
      vertices[representative[edge.from]] = 1;
      vertices[representative[edge.to]] = 1;
    }
  }
  std::vector<int> side;
  std::vector<char> cells;
  std::vector<char> vertices;
};

std::vector<std::int64_t> representatives(const Mesh& mesh) {
  std::vector<std::int64_t> result(mesh.vertex_count());
  std::iota(result.begin(), result.end(), 0);
  for (const PeriodicVertex& pair : mesh.periodic) result[pair.vertex] = pair.representative;
  return result;
}

// Along the Hilbert curve.
template <class Centre>
void sort_in_space(std::vector<std::int64_t>& entities, const Mesh& mesh, const Centre& centre) {
  const HilbertCurve curve(bounding_box(mesh.vertices));
  std::vector<std::pair<std::uint64_t, std::int64_t>> places;
  places.reserve(entities.size());
  for (const std::int64_t entity : entities) places.emplace_back(curve.place(centre(entity)), entity);
  std::sort(places.begin(), places.end());
  std::transform(places.begin(), places.end(), entities.begin(), [](const auto& place) { return place.second; });
}

// Puts `origin`, given in the order of the mesh, into the order of space and of `order`.
template <class Centre>
void arrange(std::vector<std::int64_t>& origin, const Mesh& mesh, EntityOrder order, const std::vector<char>& boundary,
             const Centre& centre) {
  if (!mesh.row_by_row) sort_in_space(origin, mesh, centre);
  if (order == EntityOrder::boundary_last)
    std::stable_partition(origin.begin(), origin.end(), [&](std::int64_t entity) { return boundary[entity] == 0; });
}

double area(const std::array<Point, 4>& p) { return 0.5 * cross(p[2] - p[0], p[3] - p[1]); }

// Grows with the angle of `d` as atan2 does, without a library function whose last bits differ between machines.
double turn(Point d) {
  const double y = d.y / (std::abs(d.x) + std::abs(d.y));
  if (d.x >= 0) return y;
  return d.y >= 0 ? 2 - y : -2 - y;
}

constexpr std::int64_t worth_a_thread = 1 << 14;  // cells or vertices

template <class Body>
void for_each_item(std::int64_t count, const Body& body) {
  parallel_parts(
      count,
      [&](const Part& part) {
        for (std::int64_t item = part.first; item < part.last; ++item) body(item);
      },
      worth_a_thread);
}

void finish(Entities& entities) {
  resize_cleared(entities.length, entities.area.size());
  for_each_item(entities.count(), [&](std::int64_t e) { entities.length[e] = 0.5 * std::sqrt(entities.area[e]); });
}

// Cuts the cells, in their new order, into sub-quads. SubQuad::vertex is the number in the mesh for now.
void cut_cells(const Mesh& mesh, const std::vector<int>& side, Staggered& result) {
  Entities& cells = result.cells;
  resize_cleared(result.quads, mesh.corners.size());
  resize_cleared(cells.first, cells.origin.size() + 1);
  resize_cleared(cells.area, cells.origin.size());
  resize_cleared(cells.centre, cells.origin.size());
  for (std::int64_t c = 0; c < cells.count(); ++c)
    cells.first[c + 1] = cells.first[c] + static_cast<std::int64_t>(mesh.cell(cells.origin[c]).size());
  const auto cut = [&](std::int64_t c) {
    const auto corners = mesh.cell(cells.origin[c]);
    const int* sides = side.data() + mesh.first[cells.origin[c]];
    const Point centre = cell_geometry(mesh, cells.origin[c]).centroid;
    double sum = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::size_t next = k + 1 == corners.size() ? 0 : k + 1;
      const std::size_t previous = k == 0 ? corners.size() - 1 : k - 1;
      const Point vertex = mesh.vertices[corners[k]];
      const std::array points{vertex, midpoint(vertex, mesh.vertices[corners[next]]), centre,
                              midpoint(mesh.vertices[corners[previous]], vertex)};
      result.quads[static_cast<std::size_t>(cells.first[c]) + k] = {c, corners[k], points, sides[k], sides[previous]};
      sum += area(points);
    }
    cells.area[c] = sum;
    cells.centre[c] = centre;
  };
  for_each_item(cells.count(), cut);
  resize_cleared(cells.quads, result.quads.size());
  for_each_item(static_cast<std::int64_t>(result.quads.size()), [&](std::int64_t q) { cells.quads[q] = q; });
  finish(cells);
}

// Sorts the sub-quads of a vertex; `angles` is room to work in.
void order_fan(std::span<std::int64_t> fan, const std::vector<SubQuad>& quads,
               std::vector<std::pair<double, std::int64_t>>& angles) {
  angles.clear();
  for (const std::int64_t q : fan) angles.emplace_back(turn(quads[q].corners[2] - quads[q].corners[0]), q);
  std::sort(angles.begin(), angles.end());
  std::transform(angles.begin(), angles.end(), fan.begin(), [](const auto& angle) { return angle.second; });
  const auto start = std::find_if(fan.begin(), fan.end(), [&](std::int64_t q) { return quads[q].side01 >= 0; });
  if (start != fan.end()) std::rotate(fan.begin(), start, fan.end());
}

// Gives each vertex its sub-quads. Areas are summed as if the cells of the boundary came last: whatever the order, they
// have the same bits.
void gather_vertices(const Mesh& mesh, const std::vector<std::int64_t>& representative,
                     const std::vector<char>& boundary, Staggered& result) {
  Entities& vertices = result.vertices;
  std::vector<std::int64_t> number;
  resize_cleared(number, mesh.vertices.size());
  for (std::int64_t v = 0; v < vertices.count(); ++v) number[vertices.origin[v]] = v;
  resize_cleared(vertices.area, vertices.origin.size());
  resize_cleared(vertices.centre, vertices.origin.size());
  resize_cleared(vertices.first, vertices.origin.size() + 1);
  const auto next = [](std::int64_t& count) { return std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed); };
  const auto quads = static_cast<std::int64_t>(result.quads.size());
  for_each_item(quads, [&](std::int64_t q) {
    result.quads[q].vertex = number[representative[result.quads[q].vertex]];
    next(vertices.first[result.quads[q].vertex + 1]);
  });
  std::partial_sum(vertices.first.begin(), vertices.first.end(), vertices.first.begin());
  resize_cleared(vertices.quads, result.quads.size());
  std::vector<std::int64_t> end(vertices.first.begin(), vertices.first.end() - 1);  // of what each vertex has so far
  for_each_item(quads, [&](std::int64_t q) { vertices.quads[next(end[result.quads[q].vertex])] = q; });
  const auto gather = [&](std::int64_t v, std::vector<std::pair<double, std::int64_t>>& angles) {
    const std::span fan(vertices.quads.data() + vertices.first[v], vertices.quads.data() + vertices.first[v + 1]);
    std::ranges::sort(fan);  // they came in any order
    for (const bool last : {false, true})
      for (const std::int64_t q : fan) {
        const SubQuad& quad = result.quads[q];
        if ((boundary[result.cells.origin[quad.cell]] != 0) == last) vertices.area[v] += area(quad.corners);
      }
    order_fan(fan, result.quads, angles);
    vertices.centre[v] = mesh.vertices[vertices.origin[v]];
  };
  parallel_parts(
      vertices.count(),
      [&](const Part& part) {
        std::vector<std::pair<double, std::int64_t>> angles;
        for (std::int64_t v = part.first; v < part.last; ++v) gather(v, angles);
      },
      worth_a_thread);
  finish(vertices);
}

}  // namespace

Staggered make_staggered(const Mesh& mesh, EntityOrder order) {
  const std::vector<std::int64_t> representative = representatives(mesh);
  const Boundary boundary(mesh, representative);
  Staggered result;
  result.cells.origin.resize(mesh.cell_count());
  std::iota(result.cells.origin.begin(), result.cells.origin.end(), 0);
  reserve_cleared(result.vertices.origin, mesh.vertices.size());
  for (std::int64_t v = 0; v < mesh.vertex_count(); ++v)
    if (representative[v] == v) result.vertices.origin.push_back(v);
  result.cells.boundary = std::count(boundary.cells.begin(), boundary.cells.end(), 1);
  result.vertices.boundary = std::count(boundary.vertices.begin(), boundary.vertices.end(), 1);
  arrange(result.cells.origin, mesh, order, boundary.cells,
          [&](std::int64_t c) { return cell_geometry(mesh, c).centroid; });
  arrange(result.vertices.origin, mesh, order, boundary.vertices, [&](std::int64_t v) { return mesh.vertices[v]; });
  cut_cells(mesh, boundary.side, result);
  gather_vertices(mesh, representative, boundary.cells, result);
  return result;
}

std::vector<std::int64_t> places_in_space(const Mesh& mesh, const Entities& cells) {
  std::vector<std::int64_t> sorted(mesh.cell_count());  // numbers in the mesh
  std::iota(sorted.begin(), sorted.end(), 0);
  if (!mesh.row_by_row) sort_in_space(sorted, mesh, [&](std::int64_t c) { return cell_geometry(mesh, c).centroid; });
  std::vector<std::int64_t> place(sorted.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) place[sorted[k]] = static_cast<std::int64_t>(k);
  std::vector<std::int64_t> places(sorted.size());
  std::transform(cells.origin.begin(), cells.origin.end(), places.begin(), [&](std::int64_t c) { return place[c]; });
  return places;
}

double time_step(const Staggered& staggered, const WaveSpeed& speed) {
  const auto step_of = [&](std::int64_t c) {
    const auto quads = staggered.cells.quads_of(c);
    double sum = 0;
    for (std::size_t k = 0; k < quads.size(); ++k) {
      const Point from = staggered.quads[quads[k]].corners[0];
      const Point to = staggered.quads[quads[k + 1 == quads.size() ? 0 : k + 1]].corners[0];
      const double length = distance(from, to);
      const Point middle = midpoint(from, to);
      const double lambda = speed(middle.x, middle.y, (to.y - from.y) / length, (from.x - to.x) / length, c);
      if (!(lambda >= 0) || !std::isfinite(lambda))
        throw Error(ErrorKind::case_file,
                    fmt::format("the wave speed at {} is {:g}; it must be finite and not negative: look at the "
                                "equation's numbers and the initial data there",
                                describe(middle), lambda));
      sum += lambda * length;
    }
    return staggered.cells.area[c] / (0.5 * sum);
  };
  const std::int64_t cells = staggered.cells.count();
  std::vector<double> least(static_cast<std::size_t>(parts_of(cells, worth_a_thread)),
                            std::numeric_limits<double>::infinity());
  parallel_parts(
      cells,
      [&](const Part& part) {
        double& own = least[static_cast<std::size_t>(part.number)];
        for (std::int64_t c = part.first; c < part.last; ++c) own = std::min(own, step_of(c));
      },
      worth_a_thread);
  return *std::min_element(least.begin(), least.end());
}

}  // namespace quoin
