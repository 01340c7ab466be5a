#include "problems/dgcvs/scheme/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/wide.hpp"
#include "mesh/congruence.hpp"
#include "problems/dgcvs/scheme/faces.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

constexpr int highest_order = 4;
constexpr std::size_t most_members = dgcvs_space(highest_order);
constexpr std::size_t most_moments = dgcvs_space(dgcvs_moment_degree(highest_order));

/// Inverse of the Cholesky factor of the Gram matrix of the first n members, which are those of space, rows of its
/// lower triangle, from moments of degree up to twice theirs.
std::vector<double> inverse_factor(std::size_t n, const std::vector<Member>& members,
                                   const std::vector<double>& moments) {
  std::array<std::array<long double, most_members>, most_members> lower{};
  std::array<std::array<long double, most_members>, most_members> inverse{};
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

constexpr std::size_t together = 8;  // entities
using OfEach [[gnu::vector_size(together * sizeof(double))]] = double;

/// Integrals of the spatial monomials over each of some entities: of the geometry row by row, and so are they.
QUOIN_WIDE void integrate(int degree, const GaussRule& rule, std::size_t slots, const double* geometry,
                          double* moments) {
  const auto count = static_cast<std::size_t>(dgcvs_space(degree));
  struct Corner {
    OfEach x, y;
  };
  std::array<OfEach, most_moments> sums{};
  std::array<OfEach, most_moments> monomials{};
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::array<Corner, 4> corners{};
    for (std::size_t k = 1; k < 4; ++k) {
      const double* const at = geometry + (slot * dgcvs_geometry + 2 * (k - 1)) * together;
      std::memcpy(&corners[k].x, at, sizeof(OfEach));
      std::memcpy(&corners[k].y, at + together, sizeof(OfEach));
    }
    visit_quad(
        corners, rule, [&](const Corner& at, const OfEach& weight) __attribute__((always_inline)) {
          spatial_monomials(degree, at.x, at.y, monomials.data());
          for (std::size_t m = 0; m < count; ++m) sums[m] += weight * monomials[m];
        });
  }
  std::memcpy(moments, sums.data(), count * sizeof(OfEach));
}

}  // namespace

static_assert(shape_values == dgcvs_geometry);

EntityShapes::EntityShapes(const DgSetup& setup, EntityKind kind, std::int64_t slots, bool whole)
    : setup_(setup),
      kind_(kind),
      slots_(slots),
      whole_(whole),
      degree_(std::max(dgcvs_moment_degree(setup.method.order), 2 * setup.method.order)),
      members_(basis_members(setup.method.order)),
      rule_(gauss_rule(degree_ / 2 + 2)),
      first_{shape_of(setup.staggered, kind, first_inner(setup.staggered, kind), slots), {}, {}, {}} {
  fill(std::array{&first_});
}

std::vector<EntityShape> EntityShapes::of(std::span<const std::int64_t> entities) const {
  std::vector<EntityShape> shapes(entities.size());
  std::vector<EntityShape*> own;
  for (std::size_t k = 0; k < entities.size(); ++k) {
    shapes[k].geometry = shape_of(setup_.staggered, kind_, entities[k], slots_);
    if (congruent(shapes[k].geometry, first_.geometry))
      shapes[k] = first_;
    else
      own.push_back(&shapes[k]);
  }
  for (std::size_t first = 0; first < own.size(); first += together)
    fill(std::span(own).subspan(first, std::min(together, own.size() - first)));
  return shapes;
}

void EntityShapes::fill(std::span<EntityShape* const> shapes) const {
  const std::size_t rows = shapes.front()->geometry.size();
  std::vector<double> geometry(rows * together);
  for (std::size_t k = 0; k < shapes.size(); ++k)
    for (std::size_t row = 0; row < rows; ++row) geometry[row * together + k] = shapes[k]->geometry[row];
  std::vector<double> integrals(static_cast<std::size_t>(dgcvs_space(degree_)) * together);
  integrate(degree_, rule_, static_cast<std::size_t>(slots_), geometry.data(), integrals.data());
  std::vector<double> moments(integrals.size() / together);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    EntityShape& shape = *shapes[k];
    if (whole_) shape.region = quadrilateral_of(shape.geometry);
    for (std::size_t m = 0; m < moments.size(); ++m) moments[m] = integrals[m * together + k];
    shape.factor = inverse_factor(static_cast<std::size_t>(dgcvs_space(setup_.method.order)), members_, moments);
    shape.moments.assign(moments.begin(), moments.begin() + dgcvs_moments(setup_.method.order));
  }
}

}  // namespace quoin
