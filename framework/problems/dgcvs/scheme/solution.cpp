#include "problems/dgcvs/scheme/solution.hpp"

#include <utility>

namespace quoin {

State PolynomialInSpace::at(Point point) const {
  std::array<double, 15> phi{};
  spatial_monomials(order_, (point.x - centre_.x) / length_, (point.y - centre_.y) / length_, phi);
  State state{};
  for (std::size_t v = 0; v < variables_; ++v)
    for (std::size_t m = 0; m < members_; ++m) state[v] += coefficients_[v][m] * phi[m];
  state[shore_place] = shore_;
  return state;
}

Solution::Solution(const DgSetup& setup, EntityKind kind, const EntityLanes& lanes, std::vector<double> coefficients,
                   std::int64_t step, double time, double half_step)
    : setup_(setup),
      kind_(kind),
      lanes_(lanes),
      coefficients_(std::move(coefficients)),
      step_(step),
      time_(time),
      half_step_(half_step) {}

double Solution::conserved(std::int64_t entity, std::int64_t n) const {
  const double own = coefficient(entity, n);
  const std::int64_t behind = setup_.unknowns();
  const bool velocity =
      setup_.law.has_bed() && n >= dgcvs_basis(setup_.method.order) && coefficient(entity, behind) > 0;
  return velocity ? own * coefficient(entity, behind + 1) : own;
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
