#include "problems/dgcvs/setup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "mesh/checks.hpp"
#include "mesh/gmsh.hpp"
#include "mesh/periodic.hpp"
#include "mesh/rectangle.hpp"
#include "mesh/refine.hpp"
#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/needs.hpp"
#include "problems/dgcvs/parallel.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

Rectangle rectangle_of(const Case& the_case) {
  const auto cells = the_case.integers("problem.mesh.cells");
  const auto x = the_case.reals("problem.domain.x");
  const auto y = the_case.reals("problem.domain.y");
  return {{x[0], y[0]},
          {x[1], y[1]},
          cells[0],
          cells[1],
          the_case.text("problem.mesh.shape") == "tri" ? RectangleCells::tri : RectangleCells::quad,
          the_case.real("problem.mesh.perturb")};
}

/// A key of what holds at the side.
std::string at_side(const std::string& side, const char* key) {
  return "problem.boundary." + path_part(side) + "." + key;
}

/// The side that a periodic one is joined to: the one it names, else the opposite side of a rectangle.
std::string partner_of(const Case& the_case, const std::string& side) {
  const std::string key = at_side(side, "with");
  if (the_case.has(key)) return the_case.text(key);
  constexpr std::array<std::array<const char*, 2>, 4> opposite{
      {{"left", "right"}, {"right", "left"}, {"bottom", "top"}, {"top", "bottom"}}};
  for (const auto& [one, other] : opposite)
    if (side == one) return other;
  throw the_case.error_at(key, "the periodic side '" + side + "' needs '" + key + "', the side that it is joined to");
}

void join_periodic(const Case& the_case, Mesh& mesh) {
  for (const std::string& side : the_case.names("problem.boundary")) {
    const std::string key = at_side(side, "type");
    if (the_case.text(key) != "periodic") continue;
    const std::string other = partner_of(the_case, side);
    const std::string other_key = at_side(other, "type");
    if (!the_case.has(other_key) || the_case.text(other_key) != "periodic")
      throw the_case.error_at(key, "'" + side + "' is periodic and '" + other + "' is not; both must be");
    if (side == other || partner_of(the_case, other) != side)
      throw the_case.error_at(key, "'" + side + "' is to be joined to '" + other + "', which is joined to '" +
                                       partner_of(the_case, other) + "'; each must name the other one");
    if (side < other) match_periodic(mesh, side, other);
  }
}

/// Refuses a mesh that is too large before it is made.
void require_room(const Case& the_case, const HostLaw& law, const DgMethod& method, const MeshSize& size) {
  const Estimate needs = needs_of(the_case, law, method, size, false);
  require_host_memory(resident_memory() + needs.host + needs.temporary, the_case.name());
}

Mesh mesh_of(const Case& the_case, const HostLaw& law, const DgMethod& method) {
  const std::int64_t levels = the_case.integer("problem.mesh.refine");
  Mesh mesh;
  if (the_case.text("problem.mesh.type") == "gmsh") {
    const std::filesystem::path beside = std::filesystem::path(the_case.name()).parent_path();
    mesh = read_gmsh(beside / the_case.text("problem.mesh.file"));
  } else {
    const Rectangle rectangle = rectangle_of(the_case);
    require_room(the_case, law, method, size_of(rectangle).refined(levels));
    mesh = make_rectangle(rectangle);
  }
  for (const std::string& side : the_case.names("problem.boundary")) {
    if (std::ranges::find(mesh.sides, side) != mesh.sides.end()) continue;
    std::string known;
    for (const std::string& name : mesh.sides) known += (known.empty() ? "" : ", ") + name;
    const std::string hint = did_you_mean(side, mesh.sides);
    throw the_case.error_at("problem.boundary." + path_part(side),
                            "the mesh has no side '" + side + "'" + (hint.empty() ? "; its sides are " + known : hint));
  }
  if (levels > 0) require_room(the_case, law, method, size_of(mesh).refined(levels));
  mesh = refine(std::move(mesh), static_cast<int>(levels));
  join_periodic(the_case, mesh);
  return mesh;
}

std::vector<SideCondition> sides_of(const Case& the_case, const HostLaw& law, const Mesh& mesh,
                                    const Expression::Constants& constants) {
  std::vector<SideCondition> sides;
  for (const std::string& side : mesh.sides) {
    const std::string key = at_side(side, "type");
    const std::string section = key.substr(0, key.rfind('.'));
    if (!the_case.has(key))
      throw the_case.error_at(key, "nothing is said of the side '" + side + "': give '" + section +
                                       "', periodic, dirichlet, exact, wall or open");
    const std::string& type = the_case.text(key);
    SideCondition condition;
    if (type != "periodic") condition.kind = type == "wall" ? SideKind::wall : SideKind::dirichlet;
    if (type == "open") {
      condition.path = "problem.initial";
      if (starts_from_fields(the_case))
        throw the_case.error_at(section + ".type",
                                "the side '" + side +
                                    "' is open: what comes in is the state of time 0, by its formula, "
                                    "which 'problem.initial.from' does not have; use dirichlet with a value");
    } else if (type == "dirichlet") {
      condition.path = section + ".value";
      condition.uses_time = StateFormula(the_case, condition.path, law, constants).uses_time();
    } else if (type == "exact") {
      condition.uses_time = true;
      if (!ExactSolution::given(the_case))
        throw the_case.error_at(key,
                                "the side '" + side + "' takes the exact solution, but there is no 'problem.exact'");
    } else if (type == "wall" && law.law() != Law::shallow_water) {
      throw the_case.error_at(key, "a wall is for shallow_water; " + law.name() + " knows no walls");
    }
    sides.push_back(condition);
  }
  return sides;
}

void refuse_characteristics(const Case& the_case) {
  if (the_case.has("problem.exact.u") && the_case.text("problem.exact.u") == "characteristics")
    throw the_case.error_at("problem.exact.u",
                            "characteristics lead back to a formula of the state at time 0, which "
                            "'problem.initial.from' does not have");
}

Point extent_of(const Mesh& mesh) {
  const Box2D box = bounding_box(mesh.vertices);
  return box.high - box.low;
}

double stable_cfl_of(const Case& the_case, int order) {
  constexpr std::array by_order{0.9, 0.5, 0.4, 0.25, 0.25};
  const auto sides = the_case.names("problem.boundary");
  const bool walls = std::ranges::any_of(
      sides, [&](const std::string& side) { return the_case.text(at_side(side, "type")) == "wall"; });
  constexpr double between_walls = 0.15;  // measured: at 0.2 order 4 grows from rounding within 100 steps
  return order == 4 && walls ? between_walls : by_order.at(static_cast<std::size_t>(order));
}

/// Whether the depths of shallow water at the start, at the centres of two cells around one vertex, differ that much.
/// `initial` makes the formula for one thread.
bool water_breaks(const std::function<StateFormula()>& initial, const Staggered& staggered) {
  constexpr double ratio = 1.5;
  std::vector<double> depth(static_cast<std::size_t>(staggered.cells.count()));
  parallel_parts(staggered.cells.count(), [&](const Part& part) {
    const StateFormula own = initial();
    for (auto cell = static_cast<std::size_t>(part.first); cell < static_cast<std::size_t>(part.last); ++cell)
      depth[cell] = own.at(staggered.cells.centre[cell], 0.0)[0];
  });
  for (std::int64_t vertex = 0; vertex < staggered.vertices.count(); ++vertex) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0.0;
    for (const std::int64_t q : staggered.vertices.quads_of(vertex)) {
      const double own = depth[static_cast<std::size_t>(staggered.quads[static_cast<std::size_t>(q)].cell)];
      low = std::min(low, own);
      high = std::max(high, own);
    }
    if (high > ratio * low) return true;
  }
  return false;
}

Solver solver_of(const Case& the_case) {
  const std::string& name = the_case.text("method.solver");
  return name == "newton" ? Solver::newton : name == "matrices" ? Solver::matrices : Solver::sweeps;
}

Limiter limiter_of(const Case& the_case, bool breaks) {
  const std::string& name = the_case.text("method.limiter");
  if (name == "auto") return breaks && the_case.integer("method.order") > 0 ? Limiter::always : Limiter::none;
  return name == "none" ? Limiter::none : name == "always" ? Limiter::always : Limiter::indicator;
}

}  // namespace

bool starts_from_fields(const Case& the_case) { return the_case.has("problem.initial.from"); }

DgMethod::DgMethod(const Case& the_case)
    : order(static_cast<int>(the_case.integer("method.order"))),
      precision(the_case.text("method.precision") == "float" ? Precision::float32 : Precision::float64),
      stable_cfl(stable_cfl_of(the_case, order)),
      cfl(the_case.has("method.cfl") ? the_case.real("method.cfl") : stable_cfl),
      final_time(the_case.real("method.final_time")),
      solver(solver_of(the_case)),
      split(the_case.text("method.loops") == "split"),
      sweeps(the_case.integer("method.sweeps")),
      newton_iterations(solver == Solver::newton ? the_case.integer("method.newton_iterations") : 0),
      limiter_threshold(the_case.text("method.limiter") == "indicator" ? the_case.real("method.limiter_threshold")
                                                                       : 0.0),
      history_every(the_case.integer("output.history_every")),
      entities(the_case.text("method.entities") == "mesh_order" ? EntityOrder::mesh_order
                                                                : EntityOrder::boundary_last) {
  if (the_case.has("method.max_steps")) max_steps = the_case.integer("method.max_steps");
  if (the_case.has("output.fields.every")) frames = Every(the_case, "output.fields.every", RunsBy::time);
  if (the_case.has("method.time_step")) {
    time_step = the_case.real("method.time_step");
    if (the_case.has("method.cfl"))
      throw the_case.error_at("method.time_step", "method.cfl is given as well; give one of them");
  }
  if (precision == Precision::float32 && order > 2)
    throw the_case.error_at("method.precision", "float is for orders up to 2; use precision: double");
  const std::string& limiter = the_case.text("method.limiter");
  if ((limiter == "indicator" || limiter == "always") && order == 0)
    throw the_case.error_at("method.limiter", "order 0 has no slopes to limit; use limiter: none, or a higher order");
}

DgSetup::DgSetup(const Case& the_case)
    : case_(the_case),
      law(case_),
      method(case_),
      mesh(mesh_of(case_, law, method)),
      constants(formula_constants(case_, extent_of(mesh))),
      sides(sides_of(case_, law, mesh, constants)),
      staggered(make_staggered(mesh, method.entities)),
      limiter(limiter_of(case_, law.law() == Law::shallow_water && !starts_from_fields(case_) &&
                                    water_breaks([&] { return initial(); }, staggered))) {
  if (starts_from_fields(case_))
    refuse_characteristics(case_);
  else
    (void)initial();
  (void)exact();
  if (method.solver == Solver::matrices && law.law() != Law::advection)
    throw case_.error_at("method.solver", "matrices are for advection; " + law.name() + " is not linear");
}

std::optional<ExactSolution> DgSetup::exact() const {
  if (!ExactSolution::given(case_)) return std::nullopt;
  return ExactSolution(case_, law, constants);
}

std::function<State(Point, double)> DgSetup::outside(const SideCondition& side) const {
  const auto held = [](auto given) {  // formulas cannot be copied, functions must be
    return [shared = std::make_shared<decltype(given)>(std::move(given))](Point at, double time) {
      return shared->at(at, time);
    };
  };
  if (side.path.empty()) return held(exact().value());
  if (!side.uses_time) return [at_start = held(state(side.path))](Point at, double) { return at_start(at, 0.0); };
  return held(state(side.path));
}

std::int64_t DgSetup::unknowns() const { return dgcvs_basis(method.order) * static_cast<std::int64_t>(law.size()); }

std::int64_t DgSetup::sweeps() const {
  if (method.sweeps > 0) return method.sweeps;
  return law.law() == Law::advection ? method.order + 1 : method.order + 2;
}

std::int64_t DgSetup::rhs_values() const {
  if (method.most_launches() == 1) return 0;
  return unknowns() + static_cast<std::int64_t>(law.size()) * dgcvs_space(method.order);
}

std::int64_t DgSetup::newton_iterations() const {
  if (method.newton_iterations > 0) return method.newton_iterations;
  return law.law() == Law::advection ? 1 : 5;
}

std::int64_t DgSetup::boundary_sweeps() const {
  // The limiter keeps no more of a new polynomial than its mean, which no sweep changes; at a front, whose polynomials
  // have depths below 0, more sweeps only lead astray.
  if (limiter == Limiter::always) return sweeps();
  return std::max<std::int64_t>(sweeps(), 4 * (method.order + 1) + 1);
}

Prospect DgSetup::prospect(const CellState& at_start) const {
  const GaussRule rule = gauss_rule(method.order + 2);
  struct Largest {
    double speed = 0.0;
    double value = 0.0;
    void see(double other_speed, double other_value) {
      speed = std::max(speed, other_speed);
      value = std::max(value, std::abs(other_value));
    }
  };
  Largest all;
  std::mutex mutex;
  parallel_parts(static_cast<std::int64_t>(staggered.quads.size()), [&](const Part& part) {
    CellState start = at_start;
    if (!start && !starts_from_fields(case_))
      start = [formula = std::make_shared<const StateFormula>(initial())](std::int64_t, Point point) {
        return formula->at(point, 0.0);
      };
    Largest own;
    const auto see = [&](std::int64_t cell, Point point) {
      const State state = start(cell, point);
      own.see(law.speed(state), state[0]);
    };
    if (!start) return;  // it is not known yet
    for (std::int64_t q = part.first; q < part.last; ++q) {
      const SubQuad& quad = staggered.quads[static_cast<std::size_t>(q)];
      visit_quad(quad.corners, rule, [&](Point point, double) { see(quad.cell, point); });
      for (const Point& corner : quad.corners) see(quad.cell, corner);
    }
    const std::lock_guard lock(mutex);
    all.see(own.speed, own.value);
  });
  for (const SideCondition& side : sides) {
    if (side.kind != SideKind::dirichlet) continue;
    const auto formula = outside(side);
    constexpr int samples = 64;  // of the run's time
    for (const SubQuad& quad : staggered.quads) {
      const bool here = (quad.side01 >= 0 && &sides[static_cast<std::size_t>(quad.side01)] == &side) ||
                        (quad.side30 >= 0 && &sides[static_cast<std::size_t>(quad.side30)] == &side);
      for (int k = 0; here && k <= (side.uses_time ? samples : 0); ++k) {
        const State state = formula(quad.corners[0], method.final_time * k / samples);
        all.see(law.speed(state), state[0]);
      }
    }
  }
  const double area = std::accumulate(staggered.cells.area.begin(), staggered.cells.area.end(), 0.0);
  const auto unit_speed = [&](double, double, double nx, double ny, std::int64_t) { return law.unit_speed(nx, ny); };
  return {time_step(staggered, unit_speed), all.speed, all.value * std::sqrt(area)};
}

Pace DgSetup::first_pace(const Prospect& prospect) const {
  const double longest = method.longest_step(prospect.unit_step, prospect.speed);
  constexpr double most = 1e12;
  if (!(method.final_time / longest <= most))
    throw case_.error_at("method.final_time",
                         "the run would take more than 1e12 time steps; is the mesh too fine, or a speed too large?");
  return Pace::within(0, 0.0, method.final_time, longest);
}

}  // namespace quoin
