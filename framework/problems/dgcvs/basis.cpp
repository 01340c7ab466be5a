#include "problems/dgcvs/basis.hpp"

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

std::vector<Member> basis_members(int order) {
  std::vector<Member> members;
  for (int k = 0; k <= order; ++k) {
    for (int degree = 0; degree <= order - k; ++degree) {
      for (int j = 0; j <= degree; ++j) members.push_back({degree - j, j, k});
    }
  }
  return members;
}

void spatial_monomials(int degree, double x, double y, std::span<double> values) {
  values[0] = 1.0;
  std::size_t start = 1;
  for (std::size_t d = 1; d <= static_cast<std::size_t>(degree); ++d) {
    for (std::size_t j = 0; j < d; ++j) values[start + j] = values[start - d + j] * x;
    values[start + d] = values[start - 1] * y;
    start += d + 1;
  }
}

}  // namespace quoin
