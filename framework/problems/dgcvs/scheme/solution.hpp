#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {

/// The polynomial of an entity at its own time.
class PolynomialInSpace {
 public:
  /// `centre` is the entity's in the frame of the points, `coefficient(v, m)` that of a variable's spatial member, and
  /// `shore` above 0 where the entity is at one.
  template <class Coefficient>
  PolynomialInSpace(const DgSetup& setup, EntityKind kind, std::int64_t entity, Point centre,
                    const Coefficient& coefficient, double shore = 0.0)
      : order_(setup.method.order),
        members_(static_cast<std::size_t>(dgcvs_space(order_))),
        variables_(setup.law.size()),
        centre_(centre),
        length_(entities_of(setup.staggered, kind).length[static_cast<std::size_t>(entity)]),
        shore_(shore) {
    for (std::size_t v = 0; v < variables_; ++v)
      for (std::size_t m = 0; m < members_; ++m) coefficients_[v][m] = coefficient(v, m);
  }
  [[nodiscard]] State at(Point point) const;
  /// At as many points at once.
  void at(std::span<const Point> points, std::span<State> states) const;

 private:
  int order_;
  std::size_t members_, variables_;
  Point centre_;
  double length_, shore_;
  std::array<std::array<double, 15>, 3> coefficients_{};
};

/// The polynomials of one kind of entity on the host.
class Solution {
 public:
  /// `coefficients`: a row of all lanes for each of DgSetup::values(); `time` is that of the entities.
  Solution(const DgSetup& setup, EntityKind kind, const EntityLanes& lanes, std::shared_ptr<const double> coefficients,
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
    return coefficients_.get()[n * lanes_.stride + lanes_.of(entity)];
  }
  /// That; momentum also where the entity has velocity, of its mean depth.
  [[nodiscard]] double conserved(std::int64_t entity, std::int64_t n) const;
  /// Of an entity, whose centre is there in the frame of the points.
  [[nodiscard]] PolynomialInSpace polynomial(std::int64_t entity, Point centre) const;
  /// Of a cell.
  [[nodiscard]] PolynomialInSpace polynomial(std::int64_t cell) const;

 private:
  const DgSetup& setup_;
  EntityKind kind_;
  const EntityLanes& lanes_;
  std::shared_ptr<const double> coefficients_;
  std::int64_t step_;
  double time_;
  double half_step_;
};

}  // namespace quoin
