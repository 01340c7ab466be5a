#include "problems/dgcvs/scheme/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/congruence.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/faces.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

/// Inverse of the Cholesky factor of the Gram matrix of the spatial monomials of degree <= order, rows of its lower
/// triangle, from moments of degree up to 2 * order.
std::vector<double> inverse_factor(int order, const std::vector<double>& moments) {
  const auto n = static_cast<std::size_t>(dgcvs_space(order));
  const std::vector<Member> members = basis_members(order);
  std::vector<std::vector<long double>> lower(n, std::vector<long double>(n));
  std::vector<std::vector<long double>> inverse = lower;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const int y = members[i].j + members[j].j;
      long double sum = moments[spatial_place(members[i].i + members[j].i + y, y)];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      long double sum = i == j ? 1.0L : 0.0L;
      for (std::size_t k = j; k < i; ++k) sum -= lower[i][k] * inverse[k][j];
      inverse[i][j] = sum / lower[i][i];
    }
  }
  std::vector<double> rows;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) rows.push_back(static_cast<double>(inverse[i][j]));
  return rows;
}

}  // namespace

static_assert(shape_values == dgcvs_geometry);

EntityShapes::EntityShapes(const DgSetup& setup, EntityKind kind, std::int64_t slots, bool whole)
    : setup_(setup),
      kind_(kind),
      slots_(slots),
      whole_(whole),
      degree_(std::max(dgcvs_moment_degree(setup.method.order), 2 * setup.method.order)),
      rule_(gauss_rule(degree_ / 2 + 2)),
      first_(filled(shape_of(setup.staggered, kind, first_inner(setup.staggered, kind), slots))) {}

EntityShape EntityShapes::of(std::int64_t entity) const {
  std::vector<double> own = shape_of(setup_.staggered, kind_, entity, slots_);
  return congruent(own, first_.geometry) ? first_ : filled(std::move(own));
}

EntityShape EntityShapes::filled(std::vector<double> geometry) const {
  EntityShape shape{std::move(geometry), {}, {}, {}};
  if (whole_) shape.region = quadrilateral_of(shape.geometry);
  std::vector<double> moments(static_cast<std::size_t>(dgcvs_space(degree_)), 0.0);
  std::vector<double> monomials(moments.size());
  for (std::size_t slot = 0; slot < static_cast<std::size_t>(slots_); ++slot) {
    const double* g = shape.geometry.data() + slot * dgcvs_geometry;
    visit_quad({Point{0, 0}, {g[0], g[1]}, {g[2], g[3]}, {g[4], g[5]}}, rule_, [&](Point at, double weight) {
      spatial_monomials(degree_, at.x, at.y, monomials);
      for (std::size_t m = 0; m < moments.size(); ++m) moments[m] += weight * monomials[m];
    });
  }
  shape.factor = inverse_factor(setup_.method.order, moments);
  moments.resize(static_cast<std::size_t>(dgcvs_moments(setup_.method.order)));
  shape.moments = std::move(moments);
  return shape;
}

}  // namespace quoin
