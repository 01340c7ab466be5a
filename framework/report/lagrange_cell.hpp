#pragma once

#include <optional>
#include <span>
#include <vector>

#include "quoin/fields.hpp"

namespace quoin {

/// The polynomials of Lagrange cells of one shape and order, at any point.
class LagrangeCell {
 public:
  LagrangeCell(CellShape shape, int order);
  [[nodiscard]] std::size_t nodes() const { return index_.size(); }
  /// Where the point lies on the reference cell, by the corners of the cell; empty outside it.
  [[nodiscard]] std::optional<Point> locate(std::span<const Point> nodes, Point point) const;
  /// What each node's value counts there.
  void weights(Point reference, std::vector<double>& result) const;

 private:
  struct Index {
    std::size_t i;
    std::size_t j;
  };
  CellShape shape_;
  std::size_t order_;
  std::vector<Index> index_;  // of the nodes, in units of 1 / order
};

}  // namespace quoin
