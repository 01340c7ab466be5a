#include "mesh/skew.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quoin {
namespace {

// Along a unit vector whose slope no mesh is likely to have.
double place(Point point) { return 0.7867 * point.x + 0.6173 * point.y; }

}  // namespace

SkewOrder::SkewOrder(std::span<const Point> points, std::vector<std::int64_t> vertices)
    : vertices_(std::move(vertices)) {
  std::sort(vertices_.begin(), vertices_.end(),
            [&](std::int64_t a, std::int64_t b) { return place(points[a]) < place(points[b]); });
  places_.reserve(vertices_.size());
  for (const std::int64_t vertex : vertices_) places_.push_back(place(points[vertex]));
}

std::span<const std::int64_t> SkewOrder::between(Point a, Point b, double margin) const {
  const double rounding =
      4 * std::numeric_limits<double>::epsilon() * (std::abs(a.x) + std::abs(a.y) + std::abs(b.x) + std::abs(b.y));
  const auto [low, high] = std::minmax({place(a), place(b)});
  const auto begin = std::lower_bound(places_.begin(), places_.end(), low - margin - rounding);
  const auto end = std::upper_bound(begin, places_.end(), high + margin + rounding);
  return std::span(vertices_).subspan(begin - places_.begin(), end - begin);
}

}  // namespace quoin
