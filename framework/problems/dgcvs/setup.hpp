#pragma once

// What a case file says about a DG-CVS run: the law, the mesh as entities, the conditions at its sides, the method.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/staggered.hpp"
#include "problems/dgcvs/law.hpp"
#include "problems/dgcvs/pace.hpp"
#include "problems/dgcvs/state_formula.hpp"
#include "problems/samples.hpp"
#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace quoin {

/// As the kernels number them (kernels/dgcvs/arguments.h).
enum class SideKind { dirichlet = 0, open = 1, wall = 2 };

struct SideCondition {
  /// Open only for sides that are joined, which have no faces. What cases call open is dirichlet, too:
  /// waves leave by upwinding, and what comes in is as it was at time 0.
  SideKind kind = SideKind::open;
  std::string path;  ///< of the outer state's section; empty where that is the exact solution
  bool uses_time = false;
};

/// Whether the case starts from the fields of another run; it then has no formula of the state at time 0.
bool starts_from_fields(const Case& the_case);

/// The state at a point of a cell, in the frame of the cell. For several threads at once.
using CellState = std::function<State(std::int64_t cell, Point)>;

/// Of the local systems.
enum class Solver { sweeps, newton, matrices };
enum class Limiter { none, indicator, always };

struct DgMethod {
  explicit DgMethod(const Case& the_case);
  /// The longest step that the case asks for with that largest wave speed; `unit_step` as in Prospect.
  [[nodiscard]] double longest_step(double unit_step, double speed) const {
    return time_step ? *time_step : cfl * unit_step / speed;
  }
  /// Launches at most that update the inner entities of a level, or those of the boundary.
  [[nodiscard]] std::size_t most_launches() const { return 1 + (split ? 2 : 0) + (solver == Solver::newton ? 1 : 0); }

  int order;
  Precision precision;
  double stable_cfl;  ///< a Courant number that is stable on any mesh
  double cfl;
  std::optional<double> time_step;  ///< the longest that the user wants, in place of one by `cfl`
  double final_time;
  std::optional<std::int64_t> max_steps;  ///< empty: to the final time
  Solver solver;
  bool split;                      ///< the loops of a half step in launches of their own
  std::int64_t sweeps;             ///< 0: by the rule
  std::int64_t newton_iterations;  ///< 0: by the rule
  double limiter_threshold;        ///< of the indicator
  std::int64_t history_every;      ///< steps
  EntityOrder entities;            ///< their numbering
  std::optional<Every> frames;     ///< besides those of the start and the end
};

/// What is known of a run before it starts.
struct Prospect {
  double unit_step;  ///< time step of Courant number 1 where the largest wave speed is 1; infinite where nothing moves
  double speed;      ///< the largest wave speed
  double norm;       ///< of the largest value that the first variable has, were it that everywhere
};

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
  const Limiter limiter;  ///< what `auto` is, too, which depends on the initial state

  [[nodiscard]] StateFormula state(const std::string& path) const { return {case_, path, law, constants}; }
  [[nodiscard]] StateFormula initial() const { return state("problem.initial"); }
  /// Empty where the case gives none.
  [[nodiscard]] std::optional<ExactSolution> exact() const;
  /// The state beyond a dirichlet side, at a point and time. For one thread.
  [[nodiscard]] std::function<State(Point, double)> outside(const SideCondition& side) const;
  [[nodiscard]] const Case& the_case() const { return case_; }

  /// Basis functions times variables.
  [[nodiscard]] std::int64_t unknowns() const;
  /// Values of an entity that stay between the launches of a half step; none where it has one.
  [[nodiscard]] std::int64_t rhs_values() const;
  /// Sweeps of an entity inside, and of one whose boundary flux sees the new polynomial.
  [[nodiscard]] std::int64_t sweeps() const;
  [[nodiscard]] std::int64_t boundary_sweeps() const;
  [[nodiscard]] std::int64_t newton_iterations() const;
  /// What the initial and the outer states tell, looked at everywhere; `at_start` takes the place of the case's
  /// formula.
  [[nodiscard]] Prospect prospect(const CellState& at_start = {}) const;
  /// Throws ErrorKind::case_file where the steps are too many to count.
  [[nodiscard]] Pace first_pace(const Prospect& prospect) const;
};

}  // namespace quoin
