#include "problems/dgcvs/scheme/solution.hpp"

#include <utility>

namespace quoin {

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

State Solution::at(std::int64_t entity, Point point, Point centre) const {
  const std::int64_t basis = dgcvs_basis(setup_.method.order);
  State state = state_at(setup_, kind_, entity, point, centre, [&](std::size_t v, std::size_t m) {
    return coefficient(entity, static_cast<std::int64_t>(v) * basis + static_cast<std::int64_t>(m));
  });
  if (setup_.law.has_bed()) state[shore_place] = coefficient(entity, setup_.unknowns());
  return state;
}

State Solution::sample(std::int64_t cell, Point point) const {
  return at(cell, point, setup_.staggered.cells.centre[static_cast<std::size_t>(cell)]);
}

}  // namespace quoin
