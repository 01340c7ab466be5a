#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {

/// The state that an entity has at its own time at a point; `centre` is the entity's in the frame of the point, and
/// `coefficient(v, m)` that of a variable's spatial member.
template <class Coefficient>
State state_at(const DgSetup& setup, EntityKind kind, std::int64_t entity, Point point, Point centre,
               const Coefficient& coefficient) {
  const double length = entities_of(setup.staggered, kind).length[static_cast<std::size_t>(entity)];
  std::array<double, 15> phi{};
  spatial_monomials(setup.method.order, (point.x - centre.x) / length, (point.y - centre.y) / length, phi);
  State state{};
  for (std::size_t v = 0; v < setup.law.size(); ++v)
    for (std::size_t m = 0; m < static_cast<std::size_t>(dgcvs_space(setup.method.order)); ++m)
      state[v] += coefficient(v, m) * phi[m];
  return state;
}

/// The polynomials of one kind of entity on the host.
class Solution {
 public:
  /// `coefficients` as initial_coefficients() gives them; `time` is that of the entities.
  Solution(const DgSetup& setup, EntityKind kind, const EntityLanes& lanes, std::vector<double> coefficients,
           std::int64_t step, double time, double half_step);

  [[nodiscard]] const DgSetup& setup() const { return setup_; }
  [[nodiscard]] EntityKind kind() const { return kind_; }
  [[nodiscard]] const Entities& entities() const { return entities_of(setup_.staggered, kind_); }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] double time() const { return time_; }
  /// What s is in units of.
  [[nodiscard]] double half_step() const { return half_step_; }

  /// Value n of DgSetup::values().
  [[nodiscard]] double coefficient(std::int64_t entity, std::int64_t n) const {
    return coefficients_[static_cast<std::size_t>(n * lanes_.stride + lanes_.of(entity))];
  }
  /// That; momentum also where the entity has velocity, of its mean depth.
  [[nodiscard]] double conserved(std::int64_t entity, std::int64_t n) const;
  /// As state_at.
  [[nodiscard]] State at(std::int64_t entity, Point point, Point centre) const;
  /// The state at a point of that cell.
  [[nodiscard]] State sample(std::int64_t cell, Point point) const;

 private:
  const DgSetup& setup_;
  EntityKind kind_;
  const EntityLanes& lanes_;
  std::vector<double> coefficients_;
  std::int64_t step_;
  double time_;
  double half_step_;
};

}  // namespace quoin
