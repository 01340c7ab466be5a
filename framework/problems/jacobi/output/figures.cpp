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
    const double least =
        setup.beyond_poisson ? setup.medium().bounds.operator_least : Stencil(grid).spectrum(grid).least;
    // Of half a cell, and of a quarter on an edge or in a corner, the residual is as much smaller.
    const auto inside = [](const Axis& axis) { return axis.width(0) == 1.0 && axis.width(axis.count - 1) == 1.0; };
    double smallest = 1.0;
    for (const Axis* axis : {&grid.along_x, &grid.along_y, &grid.along_z}) smallest *= inside(*axis) ? 1.0 : 0.5;
    if (least > 0.0)
      figures.push_back({"algebraic_error", convergence.residual() * setup.norm_divisor() /
                                                (least * std::sqrt(smallest * grid.volume()))});
  }
  return figures;
}

}  // namespace quoin
