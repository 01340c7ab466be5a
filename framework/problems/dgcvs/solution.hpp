#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/level.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/fields.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// The state that an entity has at its own time at a point; `centre` is the entity's in the frame of the point, and
/// `coefficient(v, m)` that of a variable's spatial member.
template <class Coefficient>
State state_at(const DgSetup& setup, EntityKind kind, std::int64_t entity, Point point, Point centre,
               const Coefficient& coefficient) {
  const Entities& entities = kind == EntityKind::cells ? setup.staggered.cells : setup.staggered.vertices;
  const double length = entities.length[static_cast<std::size_t>(entity)];
  std::array<double, 15> phi{};
  spatial_monomials(setup.method.order, (point.x - centre.x) / length, (point.y - centre.y) / length, phi);
  State state{};
  for (std::size_t v = 0; v < setup.law.size(); ++v)
    for (std::size_t m = 0; m < static_cast<std::size_t>(dgcvs_space(setup.method.order)); ++m)
      state[v] += coefficient(v, m) * phi[m];
  return state;
}

/// A value that a run's solution has gone wrong with.
struct Worst {
  std::int64_t cell;
  std::string variable;
  double value;
};

/// The polynomials of one kind of entity on the host.
class Solution {
 public:
  /// `coefficients` as initial_coefficients() gives them; `time` is that of the entities.
  Solution(const DgSetup& setup, EntityKind kind, const Lanes& lanes, std::vector<double> coefficients,
           std::int64_t step, double time, double half_step);

  /// As state_at.
  [[nodiscard]] State at(std::int64_t entity, Point point, Point centre) const;
  /// Over all cells at their time, by order + 3 Gauss points a direction on each sub-quad; of several variables the
  /// lengths of the vectors of differences.
  [[nodiscard]] Errors errors() const;
  /// Lagrange cells of the scheme's order: the cells themselves, or the sub-quads of the vertices.
  [[nodiscard]] ElementFields elements() const;
  /// The state at a point of that cell.
  [[nodiscard]] State sample(std::int64_t cell, Point point) const;
  /// Of cells: in the middle of those whose polynomials are not finite; where all are, in that with the largest one.
  [[nodiscard]] Worst worst() const;
  /// At the centre and the corners of that cell: a value that is not finite, else of a state that cannot be the first
  /// variable, else the largest.
  [[nodiscard]] Worst worst_of(std::int64_t cell) const;

 private:
  void add_polynomials(ElementFields& frame, std::vector<std::int64_t> owner, std::vector<double> centres) const;

  const DgSetup& setup_;
  EntityKind kind_;
  const Lanes& lanes_;
  std::vector<double> coefficients_;
  std::int64_t step_;
  double time_;
  double half_step_;  // what s is in units of
};

/// The cell that holds the point, the one with the smallest number where several do; empty outside the mesh.
std::optional<std::int64_t> locate(const Staggered& staggered, Point point);

}  // namespace quoin
