#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "numerics/device.hpp"
#include "problems/dgcvs/problem.hpp"
#include "problems/dgcvs/scheme/basis.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"

namespace quoin::test {

/// The last frame, and the runs of numbers that the run left.
struct DgSolved : FieldSink {
  Progress last;
  std::vector<double> masses, norms;  ///< one a row of the history
  ElementFields cells;
  Errors errors;  ///< nought where the case gives no exact solution

  void grid(const GridField& /*field*/) override {}
  void vector(const VectorValues& /*vector*/) override {}
  void elements(const ElementFields& frame) override { cells = frame; }
  void series(const Table& /*more*/) override {}
  void table(const Table& /*table*/) override {}

  /// sqrt(int e^2 dA) where the area is 4, that of [-1, 1]^2: the norm in which the scheme's tables are.
  [[nodiscard]] double l2() const { return 2.0 * errors.l2; }
  /// The largest change of the mass, over its size at the start.
  [[nodiscard]] double drift() const {
    double most = 0.0;
    for (const double mass : masses) most = std::max(most, std::abs(mass - masses.front()));
    return most / std::abs(masses.front());
  }
  /// A variable at the nodes of the cells.
  [[nodiscard]] const std::vector<double>& values(std::size_t variable = 0) const {
    return cells.fields.at(variable).values;
  }
  [[nodiscard]] double lowest() const { return *std::ranges::min_element(values()); }
  [[nodiscard]] double highest() const { return *std::ranges::max_element(values()); }
};

inline DgSolved solve(const Case& the_case) {
  DgProblem problem(the_case);
  problem.set_up(executor());
  DgSolved solved;
  do {
    solved.last = problem.advance();
    for (const Row& row : solved.last.history) {
      solved.masses.push_back(std::get<double>(row[2]));
      solved.norms.push_back(std::get<double>(row[3]));
    }
  } while (solved.last.status == Status::running);
  problem.write(solved);
  solved.errors = problem.errors().value_or(Errors{});
  return solved;
}

/// A case that ships, with changes.
inline Case shipped(const std::string& name, const std::vector<Override>& changes = {}) {
  return Case::load(QUOIN_SOURCE_DIR "/configs/dgcvs/" + name + ".yaml", changes, KeyTable::standard());
}

/// A case from the insides of its `problem` and `method` sections; a row of history each step.
inline Case dgcvs_case(const std::string& problem, const std::string& method) {
  return Case::parse("problem: {type: dg-cvs, " + problem + "}\nmethod: {" + method +
                         "}\nbackend: serial\noutput: {history_every: 1}\n",
                     "case.yaml", {}, KeyTable::standard());
}

inline const std::string periodic = "boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}, ";
inline const std::string exact_sides = "boundary: {left: exact, right: exact, bottom: exact, top: exact}, ";

/// int |u - exact| dA of the first variable, on n by m equal rectangles that fill the box between low and high.
inline double rectangles_l1(const DgSolved& solved, int order, Point low, Point high, std::array<int, 2> cells,
                            const std::function<double(Point)>& exact) {
  const auto array = [&](const char* name) -> const std::vector<double>& {
    const auto found = std::ranges::find(solved.cells.data, name, &NamedArray::name);
    return std::get<std::vector<double>>(found->values);
  };
  const std::vector<double>& coefficients = array("coefficients");
  const std::vector<double>& centre = array("centre");
  const std::vector<double>& length = array("length");
  const Point half{(high.x - low.x) / cells[0] / 2, (high.y - low.y) / cells[1] / 2};
  const std::size_t row = coefficients.size() / length.size();
  std::vector<double> phi(static_cast<std::size_t>((order + 1) * (order + 2) / 2));
  double sum = 0.0;
  for (std::size_t cell = 0; cell < length.size(); ++cell) {
    const Point at{centre[2 * cell], centre[2 * cell + 1]};
    const std::array<Point, 4> corners{Point{at.x - half.x, at.y - half.y}, Point{at.x + half.x, at.y - half.y},
                                       Point{at.x + half.x, at.y + half.y}, Point{at.x - half.x, at.y + half.y}};
    visit_quad(corners, gauss_rule(8), [&](Point point, double weight) {
      spatial_monomials(order, (point.x - at.x) / length[cell], (point.y - at.y) / length[cell], phi.data());
      double value = 0.0;
      for (std::size_t m = 0; m < phi.size(); ++m) value += coefficients[cell * row + m] * phi[m];
      sum += weight * std::abs(value - exact(point));
    });
  }
  return sum;
}

}  // namespace quoin::test
