#pragma once

// What a case says about a run of the heat equation.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quoin/case.hpp"
#include "quoin/executor.hpp"

namespace heat {

std::vector<quoin::Key> keys();
/// Keys of a case to start from, which `quoin new` writes with their meanings.
std::vector<quoin::Override> starter();

/// nx by ny nodes inside a rectangle; those with i = -1 or nx, j = -1 or ny lie on its sides.
struct Grid {
  explicit Grid(const quoin::Case& the_case);

  std::int64_t nx, ny;
  double xmin, ymin, dx, dy;

  [[nodiscard]] double x(std::int64_t i) const { return xmin + static_cast<double>(i + 1) * dx; }
  [[nodiscard]] double y(std::int64_t j) const { return ymin + static_cast<double>(j + 1) * dy; }
  /// What formulas may name.
  [[nodiscard]] quoin::Expression::Constants constants() const;
};

/// A formula of the case at the nodes of a grid.
class Formula {
 public:
  Formula(const quoin::Case& the_case, std::string path, const Grid& grid);

  /// Throws ErrorKind::case_file naming the point where the value is not finite.
  [[nodiscard]] double at(double x, double y, double time) const;
  /// Values at row j: of node (-ring, j) and those behind it.
  void row(std::int64_t j, std::int64_t ring, double time, std::span<double> values) const;
  /// Evaluates it at every node, and forgets the values.
  void check(double time) const;

 private:
  const quoin::Case* case_;
  std::string path_;
  const Grid* grid_;
  quoin::Expression expression_;
};

enum class Integrator { euler, rkc };

/// A checked case read as a run. Formulas are parsed here and evaluated when they are asked for.
class Setup {
 public:
  /// Throws ErrorKind::case_file, with the place of `method.step`, for a step with which the method is not stable.
  explicit Setup(const quoin::Case& the_case);
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  const quoin::Case the_case;  // before what points into it
  const Grid grid;
  const double diffusivity;
  const quoin::Precision precision;
  const Integrator integrator;
  const double final_time;
  const std::int64_t steps;
  const double step;          ///< the final time by the steps: at most what the case gives
  const std::int64_t stages;  ///< of a step
  const Formula initial, boundary, source, growth;
  const std::optional<Formula> exact;

 private:
  [[nodiscard]] std::int64_t stages_for() const;
};

}  // namespace heat
