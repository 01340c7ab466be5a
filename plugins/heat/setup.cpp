#include "setup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrator.hpp"
#include "quoin/error.hpp"

namespace heat {

using quoin::Case;
using quoin::Expression;
using quoin::Key;
using quoin::KeyType;

std::vector<Key> keys() {
  constexpr double most_nodes = 2147483648.0;
  const auto steady = [](std::string path, std::string fallback, std::string meaning) {
    return Key{.path = std::move(path),
               .type = KeyType::expression,
               .fallback = std::move(fallback),
               .meaning = std::move(meaning),
               .steady = true};
  };
  const auto side = [](std::string path, std::string meaning) {
    return Key{.path = std::move(path),
               .type = KeyType::reals,
               .fallback = "[0, 1]",
               .meaning = std::move(meaning),
               .increasing = true,
               .count = 2};
  };
  const auto positive = [](std::string path, std::string fallback, std::string meaning) {
    return Key{.path = std::move(path),
               .type = KeyType::real,
               .fallback = fallback,
               .required = fallback.empty(),
               .meaning = std::move(meaning),
               .minimum = 0.0,
               .above_minimum = true};
  };
  Key initial = steady("problem.initial.u", "", "Value of u at the start.");
  initial.required = true;
  initial.shorthand = true;
  return {
      {.path = "problem.grid.nodes",
       .type = KeyType::integers,
       .required = true,
       .meaning = "Interior nodes along x and y; the nodes on the sides are known and not counted.",
       .minimum = 1.0,
       .maximum = most_nodes,
       .count = 2},
      side("problem.domain.x", "Left and right end of the rectangle."),
      side("problem.domain.y", "Bottom and top end of the rectangle."),
      positive("problem.diffusivity", "1", "k in u_t = k (u_xx + u_yy) + g(t) s(x, y)."),
      initial,
      steady("problem.boundary", "0", "Value of u on the sides."),
      steady("problem.source.shape", "0", "s in u_t = k (u_xx + u_yy) + g(t) s(x, y)."),
      {.path = "problem.source.growth",
       .type = KeyType::expression,
       .fallback = "1",
       .meaning = "g in u_t = k (u_xx + u_yy) + g(t) s(x, y)."},
      {.path = "problem.exact",
       .type = KeyType::expression,
       .meaning = "Exact solution in x, y and t; where it is given, the run reports its error."},
      {.path = "method.integrator",
       .type = KeyType::choice,
       .fallback = "rkc",
       .meaning = "Explicit Euler (euler), or the Runge-Kutta-Chebyshev method of second order (rkc), whose steps may "
                  "grow with the square of its stages.",
       .choices = {"euler", "rkc"}},
      {.path = "method.stages",
       .type = KeyType::integer,
       .meaning = "Stages of a step of rkc; as few as are stable unless given.",
       .minimum = 2.0,
       .maximum = static_cast<double>(most_stages),
       .when = {"method.integrator", {"rkc"}}},
      positive("method.step", "", "Time step at most; steps are equal and end at the final time."),
      positive("method.final_time", "", "Time at which the run ends."),
      {.path = "method.precision",
       .type = KeyType::choice,
       .fallback = "double",
       .meaning = "Arithmetic of the kernels and of the stored fields.",
       .choices = {"double", "float"}},
  };
}

std::vector<quoin::Override> starter() {
  return {{"problem.grid.nodes", "[31, 31]"},
          {"problem.initial.u", "'sin(pi*x)*sin(pi*y)'"},
          {"problem.exact", "'exp(-2*pi^2*t)*sin(pi*x)*sin(pi*y)'"},
          {"method.step", "0.01"},
          {"method.final_time", "0.1"}};
}

Grid::Grid(const Case& the_case) {
  const auto nodes = the_case.integers("problem.grid.nodes");
  const auto x_ends = the_case.reals("problem.domain.x");
  const auto y_ends = the_case.reals("problem.domain.y");
  nx = nodes[0];
  ny = nodes[1];
  xmin = x_ends[0];
  ymin = y_ends[0];
  dx = (x_ends[1] - xmin) / static_cast<double>(nx + 1);
  dy = (y_ends[1] - ymin) / static_cast<double>(ny + 1);
}

Expression::Constants Grid::constants() const {
  return {{"nx", static_cast<double>(nx)},
          {"ny", static_cast<double>(ny)},
          {"lx", dx * static_cast<double>(nx + 1)},
          {"ly", dy * static_cast<double>(ny + 1)}};
}

Formula::Formula(const Case& the_case, std::string path, const Grid& grid)
    : case_(&the_case),
      path_(std::move(path)),
      grid_(&grid),
      expression_(the_case.expression(path_, grid.constants())) {}

double Formula::at(double x, double y, double time) const {
  const double value = expression_(x, y, time);
  if (!std::isfinite(value)) {
    throw case_->error_at(path_,
                          "the value at x = " + std::to_string(x) + ", y = " + std::to_string(y) +
                              ", t = " + std::to_string(time) + " is not finite",
                          expression_);
  }
  return value;
}

void Formula::row(std::int64_t j, std::int64_t ring, double time, std::span<double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = at(grid_->x(static_cast<std::int64_t>(k) - ring), grid_->y(j), time);
}

void Formula::check(double time) const {
  std::vector<double> values(expression_.constant() ? 1 : static_cast<std::size_t>(grid_->nx));
  for (std::int64_t j = 0; j < (expression_.constant() ? 1 : grid_->ny); ++j) row(j, 0, time, values);
}

Setup::Setup(const Case& a_case)
    : the_case(a_case),
      grid(the_case),
      diffusivity(the_case.real("problem.diffusivity")),
      precision(the_case.text("method.precision") == "double" ? quoin::Precision::float64 : quoin::Precision::float32),
      integrator(the_case.text("method.integrator") == "euler" ? Integrator::euler : Integrator::rkc),
      final_time(the_case.real("method.final_time")),
      // A share of a step that rounding leaves over is no step.
      steps(static_cast<std::int64_t>(std::min(1e15, std::ceil(final_time / the_case.real("method.step") - 1e-9)))),
      step(final_time / static_cast<double>(steps)),
      stages(stages_for()),
      initial(the_case, "problem.initial.u", grid),
      boundary(the_case, "problem.boundary", grid),
      source(the_case, "problem.source.shape", grid),
      growth(the_case, "problem.source.growth", grid),
      exact(the_case.has("problem.exact") ? std::optional<Formula>(std::in_place, the_case, "problem.exact", grid)
                                          : std::nullopt) {}

std::int64_t Setup::stages_for() const {
  const double largest = 4.0 * diffusivity * (1.0 / (grid.dx * grid.dx) + 1.0 / (grid.dy * grid.dy));
  const auto refuse = [&](double longest, const std::string& what) {
    throw the_case.error_at("method.step", "a step of " + std::to_string(step) +
                                               " is not stable: on this grid it may be " + std::to_string(longest) +
                                               " at most" + what);
  };
  if (integrator == Integrator::euler) {
    if (step * largest > 2.0) refuse(2.0 / largest, " with euler; integrator: rkc takes longer ones");
    return 1;
  }
  const bool given = the_case.has("method.stages");
  std::int64_t count = given ? the_case.integer("method.stages") : 2;
  while (!given && count < most_stages && stable_range(count) < step * largest) ++count;
  if (stable_range(count) < step * largest)
    refuse(stable_range(count) / largest,
           " with " + std::to_string(count) + " stages" + (given ? "; give more, or none" : ""));
  return count;
}

}  // namespace heat
