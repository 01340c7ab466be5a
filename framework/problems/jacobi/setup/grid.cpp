#include "problems/jacobi/setup/grid.hpp"

namespace quoin {

Grid::Grid(const Case& the_case)
    : along_x(Axis::x_of(the_case)),
      along_y(Axis::y_of(the_case)),
      nx(along_x.count),
      ny(along_y.count),
      xmin(along_x.begin),
      xmax(along_x.end),
      ymin(along_y.begin),
      ymax(along_y.end),
      dx(along_x.spacing),
      dy(along_y.spacing),
      start_x(static_cast<double>(along_x.first)),
      start_y(static_cast<double>(along_y.first)) {}

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
  cells.start_x = cells.start_y = 0.5;
  return cells;
}

}  // namespace quoin
