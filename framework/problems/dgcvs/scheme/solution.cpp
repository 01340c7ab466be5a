#include "problems/dgcvs/scheme/solution.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/wide.hpp"
#include "quoin/error.hpp"

namespace quoin {

namespace {

constexpr std::size_t together = 8;
using Points [[gnu::vector_size(together * sizeof(double))]] = double;  // a number of each

/// A polynomial's values at points, variable by variable.
QUOIN_WIDE void evaluate(int order, Point centre, double length, std::size_t variables,
                         const std::array<double, 15>* coefficients, std::span<const Point> points, double* values) {
  for (std::size_t first = 0; first < points.size(); first += together) {
    const std::size_t count = std::min(together, points.size() - first);
    Points x{};
    Points y{};
    for (std::size_t k = 0; k < count; ++k) {
      x[k] = points[first + k].x;
      y[k] = points[first + k].y;
    }
    x = (x - centre.x) / length;
    y = (y - centre.y) / length;
    std::array<Points, 15> phi{};  // as spatial_monomials() has them
    phi[0] += 1.0;
    std::size_t start = 1;
    for (std::size_t d = 1; d <= static_cast<std::size_t>(order); start += ++d) {
      for (std::size_t j = 0; j < d; ++j) phi[start + j] = phi[start - d + j] * x;
      phi[start + d] = phi[start - 1] * y;
    }
    for (std::size_t v = 0; v < variables; ++v) {
      Points sum{};
      for (std::size_t m = 0; m < start; ++m) sum += coefficients[v][m] * phi[m];
      std::memcpy(values + v * points.size() + first, &sum, count * sizeof(double));
    }
  }
}

}  // namespace

void PolynomialInSpace::at(std::span<const Point> points, std::span<double> values) const {
  if (values.size() < variables_ * points.size()) throw Error(ErrorKind::bug, "no room for a polynomial's values");
  evaluate(order_, centre_, length_, variables_, coefficients_.data(), points, values.data());
}

State PolynomialInSpace::at(Point point) const {
  State state{};
  at({&point, 1}, std::span(state).first(variables_));
  state[shore_place] = shore_;
  return state;
}

Solution::Solution(const DgSetup& setup, EntityKind kind, const EntityLanes& lanes,
                   std::shared_ptr<const double> coefficients, std::int64_t step, double time, double half_step)
    : setup_(setup),
      kind_(kind),
      lanes_(lanes),
      coefficients_(std::move(coefficients)),
      step_(step),
      time_(time),
      half_step_(half_step) {}

double Solution::conserved(std::int64_t entity, std::int64_t n) const {
  const double own = coefficient(entity, n);
  if (!setup_.law.has_bed() || n < dgcvs_basis(setup_.method.order)) return own;
  const std::int64_t behind = setup_.unknowns();
  return coefficient(entity, behind) > 0 ? own * coefficient(entity, behind + 1) : own;
}

PolynomialInSpace Solution::polynomial(std::int64_t entity, Point centre) const {
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  const auto of_member = [&](std::size_t v, std::size_t m) {
    return coefficient(entity, static_cast<std::int64_t>(v) * basis + static_cast<std::int64_t>(m));
  };
  const double shore = setup_.law.has_bed() ? coefficient(entity, setup_.unknowns()) : 0.0;
  return {setup_, kind_, entity, centre, of_member, shore};
}

PolynomialInSpace Solution::polynomial(std::int64_t cell) const {
  return polynomial(cell, setup_.staggered.cells.centre[static_cast<std::size_t>(cell)]);
}

}  // namespace quoin
