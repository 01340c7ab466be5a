#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "problems/dgcvs/scheme/cell_frame.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// Spatial monomials of up to order 4, which has 15; 0 behind those of the order.
using Monomials = std::array<double, 16>;

/// Where the start of one cell after another is looked at: the Gauss points, and behind them the corners, of its
/// sub-quads. For one thread.
class CellPoints {
 public:
  explicit CellPoints(const DgSetup& setup);

  void go_to(const CellFrame& cell, std::int64_t number);
  /// In the plane.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] std::size_t gauss_points() const { return samples_.size(); }
  /// The monomials at a point.
  [[nodiscard]] const Monomials& phi(std::size_t point) const { return phi_[point]; }
  /// Puts the spatial coefficients of the L2 projection of what has these values at the points.
  void project(const CellFrame& cell, const double* values, double* c);

 private:
  struct Sample {
    Point at;  // in the cell's frame
    double weight;
  };
  void sample(const CellFrame& cell);

  const DgSetup& setup_;
  GaussRule rule_;
  std::size_t space_;
  std::shared_ptr<const ScaledCell> sampled_;
  std::vector<Sample> samples_;   // of that shape
  std::vector<Monomials> phi_;    // there, and at the corners
  std::vector<Point> points_;     // of the cell at hand
  std::vector<double> weighted_;  // of what is projected
};

}  // namespace quoin
