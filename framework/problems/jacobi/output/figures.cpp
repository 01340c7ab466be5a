#include "problems/jacobi/output/figures.hpp"

#include <cmath>

#include "problems/jacobi/scheme/stencil.hpp"

namespace quoin {

std::vector<Figure> figures_of(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  const Convergence& convergence = loop.convergence();
  if (!setup.method.stops_on_tolerance) return {};
  std::vector<Figure> figures{{"tolerance", convergence.tolerance()}};
  if (setup.exact && loop.status() != Status::running && loop.status() != Status::diverged) {
    const Grid& grid = setup.grid;
    const double least = Stencil(grid.dx, grid.dy).spectrum(grid.nx, grid.ny).least;
    const double area = (grid.xmax - grid.xmin) * (grid.ymax - grid.ymin);
    figures.push_back({"algebraic_error", convergence.residual() * setup.norm_divisor() / (least * std::sqrt(area))});
  }
  return figures;
}

}  // namespace quoin
