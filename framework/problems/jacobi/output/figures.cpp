#include "problems/jacobi/output/figures.hpp"

#include <cmath>

#include "problems/jacobi/scheme/stencil.hpp"

namespace quoin {

std::vector<Figure> figures_of(const IterationLoop& loop) {
  const JacobiSetup& setup = loop.setup();
  const Convergence& convergence = loop.convergence();
  std::vector<Figure> figures;
  if (setup.beyond_poisson && setup.medium().balances.floating())
    figures.push_back({"source_correction", setup.medium().corrected});
  if (!setup.method.stops_on_tolerance) return figures;
  figures.push_back({"tolerance", convergence.tolerance()});
  if (setup.exact && loop.status() != Status::running && loop.status() != Status::diverged) {
    const Grid& grid = setup.grid;
    const double least = setup.beyond_poisson ? setup.medium().bounds.operator_least
                                              : Stencil(grid.dx, grid.dy).spectrum(grid.nx, grid.ny).least;
    // Of half a cell, and of a quarter in a corner, the residual is as much smaller.
    const auto inside = [](const Axis& axis) { return axis.width(0) == 1.0 && axis.width(axis.count - 1) == 1.0; };
    const double smallest = (inside(grid.along_x) ? 1.0 : 0.5) * (inside(grid.along_y) ? 1.0 : 0.5);
    const double area = (grid.xmax - grid.xmin) * (grid.ymax - grid.ymin);
    if (least > 0.0)
      figures.push_back(
          {"algebraic_error", convergence.residual() * setup.norm_divisor() / (least * std::sqrt(smallest * area))});
  }
  return figures;
}

}  // namespace quoin
