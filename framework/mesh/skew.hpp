#pragma once

#include "mesh/mesh.hpp"

namespace quoin {

/// Vertices in the order of a direction that is slanted, so that few of them share a place, for finding those near a
/// point or an edge.
class SkewOrder {
 public:
  SkewOrder(std::span<const Point> points, std::vector<std::int64_t> vertices);
  /// The vertices whose place lies between those of a and b, or at most `margin` beside: all that lie within `margin`
  /// of the straight line from a to b, and others.
  [[nodiscard]] std::span<const std::int64_t> between(Point a, Point b, double margin) const;

 private:
  std::vector<std::int64_t> vertices_;
  std::vector<double> places_;
};

}  // namespace quoin
