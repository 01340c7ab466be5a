#pragma once

// Random entities of DG-CVS whose shapes a mesh could have: the geometry of one entity in its own scaled frame, and
// what dgcvs_update wants to know of it. Written from kernels/dgcvs/arguments.h in words, never from its text.

#include <array>
#include <random>
#include <vector>

#include "quoin/catalogue.hpp"

namespace quoin::conformance {

using Wide = long double;
struct Spot {
  Wide x = 0, y = 0;
};

/// A sub-quad: its corners (0, 0), A, B, C, counter-clockwise; B is the centre of the old entity there.
struct Slot {
  Spot a, b, c;
  Wide ratio = 0;  ///< the entity's length over that of the old one
};

/// A boundary half face; `slot` tells which old entity lies behind it.
struct HalfFace {
  Spot from, to;
  std::size_t slot = 0;
  int kind = 0;  ///< 0: a given state outside, 1: open, 2: a wall; -1: a given surface, -2: a given discharge
};

struct Shape {
  std::vector<Slot> slots;
  std::vector<HalfFace> faces;
  std::vector<Spot> region{};  ///< the corners of the quadrilateral that a volume term by points goes over, if it does
};

/// A number in [lower, upper), the same on every machine.
Wide uniform(std::mt19937_64& random, Wide lower, Wide upper);

/// An entity inside the domain with 3 to `slots` sub-quads; up to `faces` of its outer edges are boundary half faces,
/// as those of a cell may be.
Shape random_cell(std::mt19937_64& random, int slots, int faces);
/// One with four, whose region is a quadrilateral.
Shape random_quadrilateral(std::mt19937_64& random, int faces);
/// A vertex on the boundary: 1 to `slots` sub-quads, and the two half faces that meet there.
Shape random_boundary_vertex(std::mt19937_64& random, int slots);

/// A basis function X^i Y^j s^k; those with a small k come first, then those of a small degree i + j, then of a small
/// j.
struct Member {
  int i, j, k;
};
std::vector<Member> basis_of(int order);

/// Parameters of a law, friction by Manning's law or by Chezy's, and coefficients of a smooth state: they fall with
/// their degree, and water stays deep. Coefficient n of variable v comes at [v * basis + n].
std::vector<Wide> parameters_of(Law law, bool chezy);
/// Heights that a smooth state's surface is above.
std::vector<Wide> random_bed(std::mt19937_64& random, std::size_t points, Wide reach = 0.3L);
std::vector<Wide> random_polynomials(std::mt19937_64& random, Law law, int order);

/// Gauss-Legendre rule with n points on [0, 1], by Newton's method.
struct Rule {
  std::vector<Wide> nodes, weights;
};
Rule gauss_legendre(int n);

/// Calls visit(point, weight) for n x n Gauss points of the slot's bilinear map.
template <class Visit>
void over_slot(const Slot& slot, const Rule& rule, Visit&& visit) {
  const auto& [a, b, c, ratio] = slot;
  for (std::size_t row = 0; row < rule.nodes.size(); ++row) {
    for (std::size_t column = 0; column < rule.nodes.size(); ++column) {
      const Wide r = rule.nodes[column];  // towards A
      const Wide t = rule.nodes[row];     // towards C
      const Spot along_r{(1 - t) * a.x + t * (b.x - c.x), (1 - t) * a.y + t * (b.y - c.y)};
      const Spot along_t{(1 - r) * c.x + r * (b.x - a.x), (1 - r) * c.y + r * (b.y - a.y)};
      const Spot at{r * (1 - t) * a.x + r * t * b.x + (1 - r) * t * c.x,
                    r * (1 - t) * a.y + r * t * b.y + (1 - r) * t * c.y};
      visit(at, rule.weights[row] * rule.weights[column] * (along_r.x * along_t.y - along_r.y * along_t.x));
    }
  }
}

/// x^n for n >= 0.
inline Wide power(Wide x, int n) {
  Wide product = 1;
  for (; n > 0; --n) product *= x;
  return product;
}

/// Integrals over the entity of X^(d-j) Y^j for d = 0 .. degree, j = 0 .. d.
std::vector<Wide> moments_of(const Shape& shape, int degree);
/// Rows of the lower triangle of the inverse Cholesky factor of the Gram matrix of the monomials up to the order.
std::vector<Wide> inverse_cholesky(const Shape& shape, int order);

}  // namespace quoin::conformance
