#include "report/lagrange_cell.hpp"

#include <cmath>

namespace quoin {
namespace {

constexpr double edge_tolerance = 1e-9;  // pixels on a side belong to a cell

/// The polynomial of degree `index` in s that is 1 at `index` and 0 at the whole numbers below.
double rising(std::size_t index, double s) {
  double product = 1.0;
  for (std::size_t q = 0; q < index; ++q)
    product *= (s - static_cast<double>(q)) / (static_cast<double>(index) - static_cast<double>(q));
  return product;
}

/// Lagrange's polynomial of the node `index` of 0, 1, ..., order.
double lagrange(std::size_t index, std::size_t order, double s) {
  double product = 1.0;
  for (std::size_t q = 0; q <= order; ++q)
    if (q != index) product *= (s - static_cast<double>(q)) / (static_cast<double>(index) - static_cast<double>(q));
  return product;
}

/// By Newton's method, which converges in convex cells; elsewhere it ends outside of them.
Point inverse_bilinear(std::span<const Point> corner, Point point) {
  Point at{0.5, 0.5};
  for (int pass = 0; pass < 20; ++pass) {
    const auto blend = [&](double Point::*axis) {
      const double a = corner[0].*axis, b = corner[1].*axis, c = corner[2].*axis, d = corner[3].*axis;
      struct {
        double miss, along_x, along_y;
      } const result{(1 - at.y) * ((1 - at.x) * a + at.x * b) + at.y * ((1 - at.x) * d + at.x * c) - point.*axis,
                     (1 - at.y) * (b - a) + at.y * (c - d), (1 - at.x) * (d - a) + at.x * (c - b)};
      return result;
    };
    const auto x = blend(&Point::x);
    const auto y = blend(&Point::y);
    const double determinant = x.along_x * y.along_y - x.along_y * y.along_x;
    const double step_x = (x.miss * y.along_y - y.miss * x.along_y) / determinant;
    const double step_y = (y.miss * x.along_x - x.miss * y.along_x) / determinant;
    at = {at.x - step_x, at.y - step_y};
    if (std::abs(step_x) + std::abs(step_y) < 1e-13) break;
  }
  return at;
}

}  // namespace

LagrangeCell::LagrangeCell(CellShape shape, int order) : shape_(shape), order_(static_cast<std::size_t>(order)) {
  for (const Point& node : lagrange_nodes(shape, order))
    index_.push_back(
        {static_cast<std::size_t>(std::lround(node.x * order)), static_cast<std::size_t>(std::lround(node.y * order))});
}

std::optional<Point> LagrangeCell::locate(std::span<const Point> nodes, Point point) const {
  Point at;
  double last = 1.0;  // barycentric coordinate of the first corner of a triangle
  if (shape_ == CellShape::triangle) {
    const Point a{nodes[1].x - nodes[0].x, nodes[1].y - nodes[0].y};
    const Point b{nodes[2].x - nodes[0].x, nodes[2].y - nodes[0].y};
    const Point p{point.x - nodes[0].x, point.y - nodes[0].y};
    const double area = a.x * b.y - a.y * b.x;
    at = {(p.x * b.y - p.y * b.x) / area, (a.x * p.y - a.y * p.x) / area};
    last = 1.0 - at.x - at.y;
  } else {
    at = inverse_bilinear(nodes, point);
  }
  const bool inside = at.x >= -edge_tolerance && at.y >= -edge_tolerance && at.x <= 1 + edge_tolerance &&
                      at.y <= 1 + edge_tolerance && last >= -edge_tolerance;  // false for what is not a number, too
  return inside ? std::optional(at) : std::nullopt;
}

void LagrangeCell::weights(Point reference, std::vector<double>& result) const {
  const double s = reference.x * static_cast<double>(order_);
  const double t = reference.y * static_cast<double>(order_);
  result.resize(index_.size());
  for (std::size_t k = 0; k < index_.size(); ++k) {
    const auto [i, j] = index_[k];
    result[k] = shape_ == CellShape::triangle
                    ? rising(i, s) * rising(j, t) * rising(order_ - i - j, static_cast<double>(order_) - s - t)
                    : lagrange(i, order_, s) * lagrange(j, order_, t);
  }
}

}  // namespace quoin
