#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "quoin/point.hpp"

namespace quoin {

constexpr std::size_t points_together = 8;
/// A number of each of some points.
using OfPoints [[gnu::vector_size(points_together * sizeof(double))]] = double;

/// Takes as many points as fit, whose number it returns. Part of the function that calls it, whatever vectors that has.
[[gnu::always_inline]] inline std::size_t take_points(std::span<const Point> points, OfPoints& x, OfPoints& y) {
  const std::size_t count = std::min(points_together, points.size());
  x = y = OfPoints{};
  for (std::size_t k = 0; k < count; ++k) {
    x[k] = points[k].x;
    y[k] = points[k].y;
  }
  return count;
}

}  // namespace quoin
