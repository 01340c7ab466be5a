#include "problems/dgcvs/setup/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace quoin {

GaussRule gauss_rule(int points) {
  GaussRule rule;
  for (int k = 0; k < points; ++k) {
    // Newton's iteration for the root of the Legendre polynomial on [-1, 1] that lies near the Chebyshev point.
    double x = -std::cos(std::numbers::pi * (k + 0.75) / (points + 0.5));
    double slope = 1.0;
    for (int pass = 0; pass < 100; ++pass) {
      double before = 1.0;
      double value = x;
      for (int n = 2; n <= points; ++n) {
        const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
        before = value;
        value = next;
      }
      slope = points * (x * value - before) / (x * x - 1);
      const double change = value / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.nodes.push_back((1 + x) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

}  // namespace quoin
