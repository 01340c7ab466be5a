#include "problems/dgcvs/scheme/solution.hpp"

#include <algorithm>
#include <utility>

#include "base/wide.hpp"
#include "problems/dgcvs/scheme/point_pack.hpp"
#include "quoin/error.hpp"

namespace quoin {

namespace {

/// A polynomial's variables at points.
QUOIN_WIDE void evaluate(int order, Point centre, double length, std::span<const std::array<double, 15>> coefficients,
                         std::span<const Point> points, State* states) {
  for (std::size_t first = 0; first < points.size(); first += points_together) {
    OfPoints x, y;
    const std::size_t count = take_points(points.subspan(first), x, y);
    x = (x - centre.x) / length;
    y = (y - centre.y) / length;
    std::array<OfPoints, 15> phi{};
    spatial_monomials(order, x, y, phi.data());
    const auto space = static_cast<std::size_t>(dgcvs_space(order));
    for (std::size_t v = 0; v < coefficients.size(); ++v) {
      OfPoints sum{};
      for (std::size_t m = 0; m < space; ++m) sum += coefficients[v][m] * phi[m];
      for (std::size_t k = 0; k < count; ++k) states[first + k][v] = sum[k];
    }
  }
}

}  // namespace

void PolynomialInSpace::at(std::span<const Point> points, std::span<State> states) const {
  if (states.size() != points.size()) throw Error(ErrorKind::bug, "as many states as points are to be found");
  State still{};
  still[shore_place] = shore_;
  std::ranges::fill(states, still);
  evaluate(order_, centre_, length_, std::span(coefficients_).first(variables_), points, states.data());
}

State PolynomialInSpace::at(Point point) const {
  State state;
  at({&point, 1}, {&state, 1});
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
