#include "problems/jacobi/setup/grid.hpp"

#include <fmt/format.h>

namespace quoin {

Grid::Grid(const Case& the_case)
    : along_x(Axis::x_of(the_case)),
      along_y(Axis::y_of(the_case)),
      along_z(Axis::z_of(the_case)),
      nx(along_x.count),
      ny(along_y.count),
      nz(along_z.count),
      xmin(along_x.begin),
      xmax(along_x.end),
      ymin(along_y.begin),
      ymax(along_y.end),
      dx(along_x.spacing),
      dy(along_y.spacing),
      start_x(static_cast<double>(along_x.first)),
      start_y(static_cast<double>(along_y.first)),
      start_z(static_cast<double>(along_z.first)) {}

std::string Grid::node(std::int64_t i, std::int64_t j, std::int64_t k) const {
  return in_space() ? fmt::format("({}, {}, {})", i, j, k) : fmt::format("({}, {})", i, j);
}

std::string Grid::where(std::int64_t i, std::int64_t j, std::int64_t k) const {
  return fmt::format("x = {:.6g}, y = {:.6g}", x(i), y(j)) + (in_space() ? fmt::format(", z = {:.6g}", z(k)) : "");
}

Expression Grid::formula(const Case& the_case, const std::string& path) const {
  Expression formula = the_case.expression(path, constants(), 'z');
  if (!in_space() && formula.uses_time())
    throw the_case.error_at(
        path, "a problem in the plane has no z: give problem.grid.nodes a third number, or take z away", formula);
  return formula;
}

Expression::Constants Grid::constants() const {
  return {{"nx", static_cast<double>(along_x.intervals - 1)},
          {"ny", static_cast<double>(along_y.intervals - 1)},
          {"lx", xmax - xmin},
          {"ly", ymax - ymin}};
}

Grid Grid::centres() const {
  Grid cells(*this);
  cells.nx = along_x.intervals;
  cells.ny = along_y.intervals;
  cells.nz = along_z.intervals;
  cells.start_x = cells.start_y = cells.start_z = 0.5;
  return cells;
}

}  // namespace quoin
