#include <string>

#include "quoin/error.hpp"
#include "quoin/fields.hpp"

namespace quoin {
namespace {

struct Index {
  int i;
  int j;
};

/// Appends what lies between `from` and `to`, both excluded.
void add_edge(std::vector<Index>& nodes, Index from, Index to, int pieces) {
  for (int k = 1; k < pieces; ++k)
    nodes.push_back({from.i + (to.i - from.i) * k / pieces, from.j + (to.j - from.j) * k / pieces});
}

/// The interior of a triangle is a triangle again, three orders lower.
std::vector<Index> triangle(int order) {
  std::vector<Index> nodes;
  for (int shift = 0; order >= 0; ++shift, order -= 3) {
    const Index a{shift, shift};
    const Index b{shift + order, shift};
    const Index c{shift, shift + order};
    nodes.push_back(a);
    if (order == 0) break;
    nodes.insert(nodes.end(), {b, c});
    add_edge(nodes, a, b, order);
    add_edge(nodes, b, c, order);
    add_edge(nodes, c, a, order);
  }
  return nodes;
}

/// Edges run along increasing i or j, the third and fourth too.
std::vector<Index> quadrilateral(int order) {
  const Index a{0, 0};
  const Index b{order, 0};
  const Index c{order, order};
  const Index d{0, order};
  std::vector<Index> nodes{a, b, c, d};
  add_edge(nodes, a, b, order);
  add_edge(nodes, b, c, order);
  add_edge(nodes, d, c, order);
  add_edge(nodes, a, d, order);
  for (int j = 1; j < order; ++j) add_edge(nodes, {0, j}, {order, j}, order);
  return nodes;
}

}  // namespace

std::vector<Point> lagrange_nodes(CellShape shape, int order) {
  if (order < 1) throw Error(ErrorKind::bug, "a Lagrange cell of order " + std::to_string(order));
  std::vector<Point> points;
  for (const Index node : shape == CellShape::triangle ? triangle(order) : quadrilateral(order))
    points.push_back({static_cast<double>(node.i) / order, static_cast<double>(node.j) / order});
  return points;
}

}  // namespace quoin
