#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "quoin/point.hpp"

namespace quoin {

/// Gauss-Legendre points and weights on [0, 1].
struct GaussRule {
  std::vector<double> nodes;
  std::vector<double> weights;
};
/// 1 to 12 points; exact for polynomials of degree 2 * points - 1.
GaussRule gauss_rule(int points);

/// Position, and weight with the Jacobian in it, of the tensor Gauss points of a bilinear quadrilateral; or of several,
/// where the x and y of a corner are vectors. Part of the function that calls it, whatever vectors that has.
template <class Corner, class Visit>
[[gnu::always_inline]] inline void visit_quad(const std::array<Corner, 4>& corners, const GaussRule& rule,
                                              const Visit& visit) {
  const auto& [p0, p1, p2, p3] = corners;
  for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      const double a = rule.nodes[i];
      const double b = rule.nodes[j];
      const auto xa = (1 - b) * (p1.x - p0.x) + b * (p2.x - p3.x);
      const auto ya = (1 - b) * (p1.y - p0.y) + b * (p2.y - p3.y);
      const auto xb = (1 - a) * (p3.x - p0.x) + a * (p2.x - p1.x);
      const auto yb = (1 - a) * (p3.y - p0.y) + a * (p2.y - p1.y);
      visit(Corner{(1 - b) * ((1 - a) * p0.x + a * p1.x) + b * ((1 - a) * p3.x + a * p2.x),
                   (1 - b) * ((1 - a) * p0.y + a * p1.y) + b * ((1 - a) * p3.y + a * p2.y)},
            rule.weights[i] * rule.weights[j] * (xa * yb - xb * ya));
    }
  }
}

}  // namespace quoin
