#include "problems/jacobi/setup/grid.hpp"

namespace quoin {

Grid::Grid(const Case& the_case) {
  const auto nodes = the_case.integers("problem.grid.nodes");
  const auto x_range = the_case.reals("problem.domain.x");
  const auto y_range = the_case.reals("problem.domain.y");
  nx = nodes[0];
  ny = nodes[1];
  xmin = x_range[0];
  xmax = x_range[1];
  ymin = y_range[0];
  ymax = y_range[1];
  dx = (xmax - xmin) / static_cast<double>(nx + 1);
  dy = (ymax - ymin) / static_cast<double>(ny + 1);
}

Expression::Constants Grid::constants() const {
  return {{"nx", static_cast<double>(nx)}, {"ny", static_cast<double>(ny)}, {"lx", xmax - xmin}, {"ly", ymax - ymin}};
}

}  // namespace quoin
