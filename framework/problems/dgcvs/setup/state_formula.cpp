#include "problems/dgcvs/setup/state_formula.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/finite.hpp"
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
    : case_(&the_case), path_(std::move(path)), law_(&law), variables_(law.variables()) {
  const bool depth = law.has_bed() && !the_case.has(path_ + ".eta");  // given, or missed
  if (depth) variables_[0] = "h";
  for (const char* variable : {"u", "eta", "h", "hu", "hv"}) {
    const std::string key = path_ + "." + variable;
    if (!the_case.has(key) || std::ranges::find(variables_, variable) != variables_.end()) continue;
    if (law.has_bed() && std::string(variable) == "h")
      throw the_case.error_at(key, "'" + path_ + ".eta' is given as well; give the surface eta, or the depth h");
    throw the_case.error_at(key,
                            "'" + key + "' is given, but " + law.name() + " has no variable " + variable +
                                (std::string(variable) == "eta" ? " without a bed: give 'problem.bed', or h" : ""));
  }
  for (const std::string& variable : variables_) {
    const std::string key = path_ + "." + variable;
    if (!the_case.has(key))
      throw the_case.error_at(key, law.name() + " needs '" + (variable == "u" ? path_ : key) +
                                       (depth && variable == "h" ? "', or '" + path_ + ".eta" : "") +
                                       "', a formula of x, y and t");
    formulas_.push_back(the_case.expression(key, constants));
  }
  if (law.has_bed()) bed_.emplace(the_case, law, constants);
}

void StateFormula::add_bed(std::span<const Point> points, std::span<double> rows) const {
  if (!bed_) return;
  const std::span<double> heights = rows.subspan(bed_place * points.size());
  bed_->at(points, heights);
  if (variables_[0] != "h") return;
  for (std::size_t k = 0; k < points.size(); ++k) rows[k] += heights[k];
}

/// A surface below the bed is dry ground, and so may an exact solution's depth be.
bool StateFormula::lacks_water(const State& state) const {
  return bed_ && variables_[0] == "h" && path_ != exact_path && state[0] < state[bed_place];
}

std::string StateFormula::objection_to(const State& state) const {
  if (lacks_water(state)) return "the depth h is below 0; give 0 where the ground is dry, as by max(h, 0)";
  return law_->objection(state);
}

State StateFormula::at(Point point, double time) const {
  State state{};  // which is a point's rows
  for (std::size_t v = 0; v < formulas_.size(); ++v) state[v] = formulas_[v](point.x, point.y, time);
  add_bed({&point, 1}, std::span(state).first(law_->rows()));
  const std::string objection = objection_to(state);
  if (objection.empty()) return state;
  std::ostringstream message;
  message.precision(17);
  message << "at x = " << point.x << ", y = " << point.y << ", t = " << time << " " << objection;
  std::size_t blamed = 0;  // the first formula that a definition made no number
  while (blamed + 1 < formulas_.size() && formulas_[blamed].not_finite() == nullptr) ++blamed;
  if (formulas_[blamed].not_finite() == nullptr) blamed = 0;
  throw case_->error_at(path_ + "." + variables_[blamed], message.str(), formulas_[blamed]);
}

void StateFormula::at(std::span<const Point> points, double time, std::span<State> states) const {
  rows_.resize(law_->rows() * points.size());
  rows_at(points, time, rows_);
  for (std::size_t k = 0; k < points.size(); ++k) states[k] = state_of(rows_, points.size(), k);
}

void StateFormula::rows_at(std::span<const Point> points, double time, std::span<double> rows) const {
  if (points.empty()) return;
  x_.resize(points.size());
  y_.resize(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    x_[k] = points[k].x;
    y_[k] = points[k].y;
  }
  // Along a side of a rectangle the points have one coordinate in common.
  const auto distinct = [](std::span<const double> list) {
    const bool one = std::ranges::all_of(list, [&](double value) { return value == list.front(); });
    return one ? list.first(1) : list;
  };
  bool fine = true;
  for (std::size_t v = 0; v < formulas_.size(); ++v) {
    const std::span<double> row = rows.subspan(v * points.size(), points.size());
    formulas_[v].at({distinct(x_), distinct(y_), {&time, 1}}, row);
    fine &= all_finite(std::span<const double>(row));
  }
  if (fine && !law_->is_water()) return;
  add_bed(points, rows);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const State state = state_of(rows, points.size(), k);
    if (!law_->possible(state) || lacks_water(state)) (void)at(points[k], time);  // which says what is wrong
  }
}

bool StateFormula::uses_time() const {
  return std::any_of(formulas_.begin(), formulas_.end(), [](const Expression& e) { return e.uses_time(); });
}

bool ExactSolution::given(const Case& the_case) {
  return the_case.has("problem.exact.u") || the_case.has("problem.exact.h") || the_case.has("problem.exact.eta");
}

ExactSolution::ExactSolution(const Case& the_case, const HostLaw& law, const Expression::Constants& constants)
    : law_(&law),
      characteristics_(follows_characteristics(the_case)),
      formula_(the_case, characteristics_ ? "problem.initial" : exact_path, law, constants) {
  if (characteristics_ && law.is_water())
    throw the_case.error_at("problem.exact.u", "characteristics are for laws with one variable; give formulas");
}

State ExactSolution::at(Point point, double time) const {
  State state{};
  at({&point, 1}, time, {&state, 1});
  return state;
}

void ExactSolution::at(std::span<const Point> points, double time, std::span<State> states) const {
  formula_.at(points, characteristics_ ? 0.0 : time, states);
  if (characteristics_) along_characteristics(points, time, states);
}

void ExactSolution::near(std::span<const Point> points, double time, std::span<State> states) const {
  if (characteristics_) return along_characteristics(points, time, states);
  formula_.at(points, time, states);
}

/// u that was at the foot of its own characteristic: the root of u - u0(x - t f'(u)) near the state given, by the
/// secant method. All points that are not there yet take a step together.
void ExactSolution::along_characteristics(std::span<const Point> points, double time, std::span<State> states) const {
  struct Search {
    std::size_t point;
    double before, miss_before, u;
  };
  std::vector<Search> searches;
  std::vector<Point> feet;
  std::vector<State> found(points.size());
  // What was at the foot of each value's characteristic.
  const auto look = [&] {
    feet.clear();
    const bool linear = law_->law() == Law::advection;
    for (const Search& one : searches) {
      const double a = linear ? law_->parameters()[0] : one.u;
      const double b = linear ? law_->parameters()[1] : one.u;
      feet.push_back({points[one.point].x - a * time, points[one.point].y - b * time});
    }
    found.resize(feet.size());
    formula_.at(feet, 0.0, found);
  };
  for (std::size_t k = 0; k < points.size(); ++k) searches.push_back({k, 0.0, 0.0, states[k][0]});
  look();
  for (std::size_t k = 0; k < searches.size(); ++k) {
    const double given = searches[k].u;
    searches[k] = {k, given, given - found[k][0], found[k][0]};
  }
  for (int pass = 0; pass < 100 && !searches.empty(); ++pass) {
    look();
    std::size_t left = 0;
    for (std::size_t k = 0; k < searches.size(); ++k) {
      const Search one = searches[k];
      const double miss = one.u - found[k][0];
      const double step = miss == one.miss_before ? 0.0 : miss * (one.u - one.before) / (miss - one.miss_before);
      const double next = one.u - step;
      states[one.point] = {next};
      // What is still missed then is of the size of the last two steps' product.
      constexpr double rounding = 1e-20;
      if (std::abs(step * (one.u - one.before)) > rounding) searches[left++] = {one.point, one.u, miss, next};
    }
    searches.resize(left);
  }
}

}  // namespace quoin
