#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problems/dgcvs/setup/bed.hpp"
#include "problems/dgcvs/setup/law.hpp"
#include "quoin/case.hpp"
#include "quoin/point.hpp"

namespace quoin {

/// Whether the case starts from the fields of another run; it then has no formula of the state at time 0.
bool starts_from_fields(const Case& the_case);

/// What formulas may name, on a mesh of that width and height.
Expression::Constants formula_constants(const Case& the_case, Point extent);

/// The formulas of one state of the case. Not safe to share between threads; a copy for each is quick to make.
class StateFormula {
 public:
  /// `path` names the section: `problem.initial`. Throws ErrorKind::case_file where a variable of the law is missing
  /// there, one is given that the law does not have, or a text is no formula.
  StateFormula(const Case& the_case, std::string path, const HostLaw& law, const Expression::Constants& constants);

  /// Throws ErrorKind::case_file naming the point where the state cannot be.
  [[nodiscard]] State at(Point point, double time) const;
  /// The same at many points, for less time a point.
  void at(std::span<const Point> points, double time, std::span<State> states) const;
  /// The same, one row of all points for each of HostLaw::rows().
  void rows_at(std::span<const Point> points, double time, std::span<double> rows) const;
  [[nodiscard]] bool uses_time() const;

 private:
  const Case* case_;
  std::string path_;
  void add_bed(std::span<const Point> points, std::span<double> rows) const;
  [[nodiscard]] bool lacks_water(const State& state) const;
  [[nodiscard]] std::string objection_to(const State& state) const;

  const HostLaw* law_;
  std::vector<std::string> variables_;  // whose formulas are given: h may be, where the law has a surface
  std::vector<Expression> formulas_;
  std::optional<Bed> bed_;
  mutable std::vector<double> x_, y_, rows_;  // of the points at hand
};

/// The exact solution of the case: a formula, or the initial state followed along characteristics.
class ExactSolution {
 public:
  ExactSolution(const Case& the_case, const HostLaw& law, const Expression::Constants& constants);
  [[nodiscard]] State at(Point point, double time) const;
  /// The same at many points, for less time a point.
  void at(std::span<const Point> points, double time, std::span<State> states) const;
  /// The same where `states` hold states near those to be found, which is faster along characteristics.
  void near(std::span<const Point> points, double time, std::span<State> states) const;
  /// Whether the case gives one.
  static bool given(const Case& the_case);

 private:
  void along_characteristics(std::span<const Point> points, double time, std::span<State> states) const;

  const HostLaw* law_;
  bool characteristics_;
  StateFormula formula_;
};

}  // namespace quoin
