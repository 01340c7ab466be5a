#include "problems/linear_system/setup/grid_formula.hpp"

#include <fmt/format.h>

#include <cmath>

#include "quoin/precision.hpp"

namespace quoin {
namespace {

Expression::Constants grid_constants(const std::array<std::int64_t, 3>& nodes) {
  const auto nx = static_cast<double>(nodes[0]);
  const auto ny = static_cast<double>(nodes[1]);
  return {{"nx", nx}, {"ny", ny}, {"lx", 1.0}, {"ly", (ny + 1.0) / (nx + 1.0)}};
}

}  // namespace

GridFormula::GridFormula(const Case& the_case, const std::string& path, const std::array<std::int64_t, 3>& nodes,
                         int axes, Precision precision)
    : case_(the_case),
      path_(path),
      nodes_(nodes),
      axes_(axes),
      precision_(precision),
      expression_(the_case.expression(path, grid_constants(nodes), 'z')) {
  if (axes == 2 && expression_.uses_time())
    throw the_case.error_at(path, fmt::format("'{}': the grid lies in the plane, where there is no z; use x and y, or "
                                              "give three numbers of nodes",
                                              path));
}

double GridFormula::value(const Place& place) const {
  return expression_(coordinate(place[0]), coordinate(place[1]), axes_ == 3 ? coordinate(place[2]) : 0.0);
}

double GridFormula::at_node(const std::array<std::int64_t, 3>& node) const {
  const Place place{2 * node[0] + 2, 2 * node[1] + 2, 2 * node[2] + 2};
  const double found = value(place);
  if (std::isfinite(rounded(found, precision_))) return found;
  const std::string name = axes_ == 3 ? fmt::format("node ({}, {}, {}), ", node[0], node[1], node[2])
                                      : fmt::format("node ({}, {}), ", node[0], node[1]);
  refuse(place, name, "finite at every node");
}

double GridFormula::positive_at(const Place& place) const {
  const double found = value(place);
  const double stored = rounded(found, precision_);
  if (std::isfinite(stored) && stored > 0.0) return found;
  refuse(place, "", "positive and finite half way between nodes");
}

void GridFormula::refuse(const Place& place, const std::string& node, const std::string& must) const {
  std::string where = node;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(axes_); ++axis)
    where += fmt::format("{}{} = {:.10g}", axis == 0 ? "" : ", ", "xyz"[axis], coordinate(place[axis]));
  throw case_.error_at(path_,
                       fmt::format("'{}' is {:.10g} at {}{}; it must be {}", expression_.text(), value(place), where,
                                   precision_ == Precision::float32 ? ", in float" : "", must),
                       expression_);
}

}  // namespace quoin
