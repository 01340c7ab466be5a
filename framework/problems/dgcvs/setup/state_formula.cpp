#include "problems/dgcvs/setup/state_formula.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr const char* exact_path = "problem.exact";
constexpr const char* characteristics_word = "characteristics";

bool follows_characteristics(const Case& the_case) {
  return the_case.has("problem.exact.u") && the_case.text("problem.exact.u") == characteristics_word;
}

}  // namespace

bool starts_from_fields(const Case& the_case) { return the_case.has("problem.initial.from"); }

Expression::Constants formula_constants(const Case& the_case, Point extent) {
  Expression::Constants constants{{"lx", extent.x}, {"ly", extent.y}};
  if (the_case.has("problem.mesh.cells")) {
    const auto cells = the_case.integers("problem.mesh.cells");
    constants["nx"] = static_cast<double>(cells[0]);
    constants["ny"] = static_cast<double>(cells[1]);
  }
  return constants;
}

StateFormula::StateFormula(const Case& the_case, std::string path, const HostLaw& law,
                           const Expression::Constants& constants)
    : case_(&the_case), path_(std::move(path)), law_(&law) {
  for (const char* variable : {"u", "h", "hu", "hv"}) {
    const std::string key = path_ + "." + variable;
    const bool wanted = std::ranges::find(law.variables(), variable) != law.variables().end();
    if (the_case.has(key) && !wanted)
      throw the_case.error_at(key, "'" + key + "' is given, but " + law.name() + " has no variable " + variable);
  }
  for (const std::string& variable : law.variables()) {
    const std::string key = path_ + "." + variable;
    if (!the_case.has(key))
      throw the_case.error_at(key,
                              law.name() + " needs '" + (variable == "u" ? path_ : key) + "', a formula of x, y and t");
    formulas_.push_back(the_case.expression(key, constants));
  }
}

State StateFormula::at(Point point, double time) const {
  State state{};
  for (std::size_t v = 0; v < formulas_.size(); ++v) state[v] = formulas_[v](point.x, point.y, time);
  const std::string objection = law_->objection(state);
  if (objection.empty()) return state;
  std::ostringstream message;
  message.precision(17);
  message << "at x = " << point.x << ", y = " << point.y << ", t = " << time << " " << objection;
  std::size_t blamed = 0;  // the first formula that a definition made no number
  while (blamed + 1 < formulas_.size() && formulas_[blamed].not_finite() == nullptr) ++blamed;
  if (formulas_[blamed].not_finite() == nullptr) blamed = 0;
  throw case_->error_at(path_ + "." + law_->variables()[blamed], message.str(), formulas_[blamed]);
}

void StateFormula::at(std::span<const Point> points, double time, std::span<State> states) const {
  std::vector<double> x(points.size());
  std::vector<double> y(points.size());
  std::vector<double> values(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    x[k] = points[k].x;
    y[k] = points[k].y;
    states[k] = State{};
  }
  for (std::size_t v = 0; v < formulas_.size(); ++v) {
    formulas_[v].at({x, y, {&time, 1}}, values);
    for (std::size_t k = 0; k < points.size(); ++k) states[k][v] = values[k];
  }
  for (std::size_t k = 0; k < points.size(); ++k)
    if (!law_->objection(states[k]).empty()) (void)at(points[k], time);  // which says what is wrong
}

bool StateFormula::uses_time() const {
  return std::any_of(formulas_.begin(), formulas_.end(), [](const Expression& e) { return e.uses_time(); });
}

bool ExactSolution::given(const Case& the_case) {
  return the_case.has("problem.exact.u") || the_case.has("problem.exact.h");
}

ExactSolution::ExactSolution(const Case& the_case, const HostLaw& law, const Expression::Constants& constants)
    : law_(&law),
      characteristics_(follows_characteristics(the_case)),
      formula_(the_case, characteristics_ ? "problem.initial" : exact_path, law, constants) {
  if (characteristics_ && law.law() == Law::shallow_water)
    throw the_case.error_at("problem.exact.u", "characteristics are for laws with one variable; give formulas");
}

State ExactSolution::at(Point point, double time) const {
  if (!characteristics_) return formula_.at(point, time);
  return {along_characteristic(point, time), 0.0, 0.0};
}

void ExactSolution::at(std::span<const Point> points, double time, std::span<State> states) const {
  if (!characteristics_) return formula_.at(points, time, states);
  std::ranges::transform(points, states.begin(), [&](const Point& point) { return at(point, time); });
}

/// u that was at the foot of its own characteristic: the root of u - u0(x - t f'(u)), by the secant method.
double ExactSolution::along_characteristic(Point point, double time) const {
  const auto miss = [&](double u) {
    const bool linear = law_->law() == Law::advection;
    const double a = linear ? law_->parameters()[0] : u;
    const double b = linear ? law_->parameters()[1] : u;
    return u - formula_.at({point.x - a * time, point.y - b * time}, 0.0)[0];
  };
  double before = formula_.at(point, 0.0)[0];
  double miss_before = miss(before);
  double u = before - miss_before;
  for (int pass = 0; pass < 100; ++pass) {
    const double miss_now = miss(u);
    if (std::abs(miss_now) < 1e-15 || miss_now == miss_before) break;
    const double next = u - miss_now * (u - before) / (miss_now - miss_before);
    before = u;
    miss_before = miss_now;
    u = next;
  }
  return u;
}

}  // namespace quoin
