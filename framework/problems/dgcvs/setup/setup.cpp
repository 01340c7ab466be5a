#include "problems/dgcvs/setup/setup.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/parallel.hpp"
#include "mesh/congruence.hpp"
#include "problems/dgcvs/setup/case_mesh.hpp"
#include "problems/dgcvs/setup/courant.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// Whether the surface of shallow water at the start, at the centres of the cells around one vertex, differs by half
/// the least depth there, or one is dry. `initial` makes the formula for one thread.
bool water_breaks(const std::function<StateFormula()>& initial, const Staggered& staggered) {
  constexpr double share = 0.5;
  std::vector<double> surface(static_cast<std::size_t>(staggered.cells.count()));
  std::vector<double> depth(surface.size());
  parallel_parts(staggered.cells.count(), [&](const Part& part) {
    const StateFormula own = initial();
    for (auto cell = static_cast<std::size_t>(part.first); cell < static_cast<std::size_t>(part.last); ++cell) {
      const State state = own.at(staggered.cells.centre[cell], 0.0);
      depth[cell] = HostLaw::depth(state);
      surface[cell] = state[bed_place] + depth[cell];
    }
  });
  for (std::int64_t vertex = 0; vertex < staggered.vertices.count(); ++vertex) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double shallow = low;
    for (const std::int64_t q : staggered.vertices.quads_of(vertex)) {
      const auto cell = static_cast<std::size_t>(staggered.quads[static_cast<std::size_t>(q)].cell);
      low = std::min(low, surface[cell]);
      high = std::max(high, surface[cell]);
      shallow = std::min(shallow, depth[cell]);
    }
    if (shallow <= 0.0 || high - low > share * shallow) return true;
  }
  return false;
}

Limiter limiter_of(const Case& the_case, bool breaks) {
  const std::string& name = the_case.text("method.limiter");
  if (name == "auto") return breaks && the_case.integer("method.order") > 0 ? Limiter::always : Limiter::none;
  return name == "none" ? Limiter::none : name == "always" ? Limiter::always : Limiter::indicator;
}

/// Matrices of inner entities take the place of sweeps where the case asks for nothing that only these have.
Solver solver_of(const Case& the_case, const HostLaw& law, const DgMethod& method, const Staggered& staggered) {
  const std::string& name = the_case.text("method.solver");
  const bool wanted = name == "matrices";
  if (law.has_bed() && method.precision != Precision::float64)
    throw the_case.error_at("method.precision",
                            "float is for water over a flat bed without friction and rain; use precision: double");
  if (method.together) {
    if (!wanted && name != "newton") return Solver::sweeps;
    throw the_case.error_at("method.entities", the_case.text("method.entities") +
                                                   " has one launch for all entities, and those of the boundary do "
                                                   "sweeps; use boundary_last, or method.solver: sweeps");
  }
  if (name == "newton" && law.has_bed())
    throw the_case.error_at("method.solver",
                            "newton is for water over a flat bed without friction and rain; use solver: sweeps");
  if (name == "newton") return Solver::newton;
  if (name == "sweeps") return Solver::sweeps;
  if (wanted && law.law() != Law::advection)
    throw the_case.error_at("method.solver", "matrices are for advection; " + law.name() + " is not linear");
  if (law.law() != Law::advection || (!wanted && (method.split || method.sweeps > 0))) return Solver::sweeps;
  for (const EntityKind kind : {EntityKind::cells, EntityKind::vertices}) {
    const Entities& entities = entities_of(staggered, kind);
    if (all_congruent(staggered, kind, inner_entities(entities, method.entities))) continue;
    if (!wanted) return Solver::sweeps;
    throw the_case.error_at(
        "method.solver",
        "the inner " + name_of(kind) + " are not congruent, so that they cannot share matrices; use solver: sweeps");
  }
  return Solver::matrices;
}

bool has_walls(const std::vector<SideCondition>& sides) {
  return std::ranges::any_of(sides, [](const SideCondition& side) { return side.kind == SideKind::wall; });
}

void refuse_characteristics(const Case& the_case) {
  if (the_case.has("problem.exact.u") && the_case.text("problem.exact.u") == "characteristics")
    throw the_case.error_at("problem.exact.u",
                            "characteristics lead back to a formula of the state at time 0, which "
                            "'problem.initial.from' does not have");
}

std::vector<double> lengths_of(const Staggered& staggered, std::size_t sides) {
  std::vector<double> lengths(sides, 0.0);
  const auto add = [&](int side, Point from, Point to) {
    if (side >= 0) lengths[static_cast<std::size_t>(side)] += distance(from, to);
  };
  for (const SubQuad& quad : staggered.quads) {
    add(quad.side01, quad.corners[0], quad.corners[1]);
    add(quad.side30, quad.corners[3], quad.corners[0]);
  }
  return lengths;
}

std::vector<double> bed_of(const HostLaw& law, const Bed& bed, const Entities& cells) {
  if (!law.has_bed()) return {};
  std::vector<double> heights(cells.centre.size());
  bed.at(cells.centre, heights);
  return heights;
}

Point extent_of(const Mesh& mesh) {
  const Box2D box = bounding_box(mesh.vertices);
  return box.high - box.low;
}

}  // namespace

DgSetup::DgSetup(const Case& the_case)
    : case_(the_case),
      law(case_),
      method(case_),
      mesh(mesh_of(case_, law, method)),
      constants(formula_constants(case_, extent_of(mesh))),
      sides(sides_of(case_, law, mesh, constants)),
      staggered(make_staggered(mesh, method.entities)),
      side_lengths(lengths_of(staggered, mesh.sides.size())),
      bed_of_cells(bed_of(law, bed(), staggered.cells)),
      limiter(limiter_of(
          case_, law.is_water() && !starts_from_fields(case_) && water_breaks([&] { return initial(); }, staggered))),
      solver(solver_of(case_, law, method, staggered)),
      together(solver == Solver::sweeps && method.goes_together(static_cast<double>(staggered.cells.count()),
                                                                static_cast<double>(staggered.cells.boundary))),
      unit_step(time_step(staggered,
                          [&](double, double, double nx, double ny, std::int64_t) { return law.unit_speed(nx, ny); })),
      stable_cfl(
          quoin::stable_cfl(law, {method.order, has_walls(sides), limiter != Limiter::none}, staggered, unit_step)) {
  if (law.has_bed()) bed().require_same_where_joined(staggered);
  if (starts_from_fields(case_))
    refuse_characteristics(case_);
  else
    (void)initial();
  (void)exact();
}

std::optional<ExactSolution> DgSetup::exact() const {
  if (!ExactSolution::given(case_)) return std::nullopt;
  return ExactSolution(case_, law, constants);
}

DgSetup::Outside DgSetup::outside(const SideCondition& side) const {
  const auto held = [](auto given, bool at_start) {  // formulas cannot be copied, functions must be
    return [shared = std::make_shared<decltype(given)>(std::move(given)), at_start](
               std::span<const Point> points, double time, std::span<State> states) {
      shared->at(points, at_start ? 0.0 : time, states);
    };
  };
  if (side.series != nullptr) {
    const bool stage = side.kind == SideKind::stage;
    const double length = side_lengths[static_cast<std::size_t>(&side - sides.data())];
    return [series = side.series, stage, length](std::span<const Point>, double time, std::span<State> states) {
      const double value = series->at(time);
      std::ranges::fill(states, stage ? State{value} : State{0.0, value / length});
    };
  }
  if (side.path.empty()) return held(exact().value(), false);
  return held(state(side.path), !side.uses_time);
}

std::int64_t DgSetup::unknowns() const { return dgcvs_basis(method.order) * static_cast<std::int64_t>(law.size()); }

std::int64_t DgSetup::sweeps() const {
  if (method.sweeps > 0) return method.sweeps;
  // Over a bed the pressure is that of faces less that of the volume, and its sweeps do not end by themselves.
  if (law.has_bed()) return std::max(2 * method.order, method.order + 1);
  constexpr int needs_another = 4;  // with those before it its errors of nonlinear laws are up to three times as large
  return method.order + (law.law() != Law::advection && method.order == needs_another ? 2 : 1);
}

std::int64_t DgSetup::rhs_values() const {
  if (method.max_launches() == 1) return 0;
  return dgcvs_rhs(law.law(), method.order);
}

std::int64_t DgSetup::newton_iterations() const {
  if (method.newton_iterations > 0) return method.newton_iterations;
  return law.law() == Law::advection ? 1 : 5;
}

std::int64_t DgSetup::boundary_sweeps() const {
  // The limiter keeps no more of a new polynomial than its mean, which no sweep changes; at a front, whose polynomials
  // have depths below 0, more sweeps only lead astray.
  if (limiter == Limiter::always) return sweeps();
  constexpr int weights = 4;  // of boundary_relaxation(), in turn
  // Errors are those of many more sweeps, and rough starts stay bounded for 500 steps and more: between walls by more.
  const int enough = method.order == 4 ? 3 : 2;
  const int turns = has_walls(sides) ? method.order + 1 : std::min(method.order + 1, enough);
  return std::max<std::int64_t>(sweeps(), turns * weights + 1);
}

}  // namespace quoin
