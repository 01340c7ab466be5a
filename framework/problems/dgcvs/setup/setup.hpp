#pragma once

// What a case file says about a DG-CVS run: the law, the mesh as entities, the conditions at its sides, the method.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/staggered.hpp"
#include "problems/dgcvs/setup/law.hpp"
#include "problems/dgcvs/setup/method.hpp"
#include "problems/dgcvs/setup/sides.hpp"
#include "problems/dgcvs/setup/state_formula.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// A checked case read as a DG-CVS run.
class DgSetup {
 public:
  explicit DgSetup(const Case& the_case);
  DgSetup(const DgSetup&) = delete;
  DgSetup& operator=(const DgSetup&) = delete;

 private:
  Case case_;  // before what points into it

 public:
  const HostLaw law;
  const DgMethod method;
  const Mesh mesh;
  const Expression::Constants constants;
  const std::vector<SideCondition> sides;  ///< by the mesh's number
  const Staggered staggered;
  const std::vector<double> side_lengths;  ///< by the mesh's number
  const std::vector<double> bed_of_cells;  ///< its height at their centres; empty where the law has none
  const Limiter limiter;                   ///< what `auto` is, too, which depends on the initial state
  const Solver solver;                     ///< what `auto` is, too, which depends on the mesh
  const bool together;                     ///< entities of the boundary in one launch with the others
  const double unit_step;  ///< of Courant number 1, where the largest wave speed is 1; infinite where nothing moves
  const double stable_cfl;

  [[nodiscard]] StateFormula state(const std::string& path) const { return {case_, path, law, constants}; }
  /// For one thread.
  [[nodiscard]] Bed bed() const { return {case_, law, constants}; }
  [[nodiscard]] StateFormula initial() const { return state("problem.initial"); }
  /// Empty where the case gives none.
  [[nodiscard]] std::optional<ExactSolution> exact() const;
  /// The states beyond a side that has them, at points and a time; of a discharge hu is what comes in through a unit of
  /// length. For one thread.
  using Outside = std::function<void(std::span<const Point>, double, std::span<State>)>;
  [[nodiscard]] Outside outside(const SideCondition& side) const;
  [[nodiscard]] const Case& the_case() const { return case_; }

  [[nodiscard]] double cfl() const { return method.cfl.value_or(stable_cfl); }
  /// The longest step that the case asks for with that largest wave speed.
  [[nodiscard]] double longest_step(double speed) const {
    return method.time_step ? *method.time_step
                            : cfl() * unit_step / std::max(speed, law.speed_of_rain(cfl() * unit_step));
  }

  /// The state with the bed at that point, where the law has one.
  [[nodiscard]] State over_bed(State state, const Bed& bed, Point point) const {
    return law.has_bed() ? law.over(state, bed.at(point)) : state;
  }
  /// Basis functions times variables.
  [[nodiscard]] std::int64_t unknowns() const;
  /// Values of an entity: those, and what comes behind them over a bed.
  [[nodiscard]] std::int64_t values() const { return dgcvs_values(law.law(), method.order); }
  /// Of a sample: the spatial coefficients of each variable, and over a bed whether it is at a shore.
  [[nodiscard]] std::size_t sampled_rows() const {
    return law.size() * static_cast<std::size_t>(dgcvs_space(method.order)) + (law.has_bed() ? 1 : 0);
  }
  /// Values of an entity that stay between the launches of a half step; none where it has one.
  [[nodiscard]] std::int64_t rhs_values() const;
  /// Sweeps of an entity inside, and of one whose boundary flux sees the new polynomial.
  [[nodiscard]] std::int64_t sweeps() const;
  [[nodiscard]] std::int64_t boundary_sweeps() const;
  [[nodiscard]] std::int64_t newton_iterations() const;
};

}  // namespace quoin
