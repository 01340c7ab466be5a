#include "problems/jacobi/scheme/needs.hpp"

#include <algorithm>

#include "problems/jacobi/scheme/multigrid_grids.hpp"
#include "problems/jacobi/scheme/sweeps.hpp"
#include "quoin/pass_limits.hpp"
#include "quoin/precision.hpp"

namespace quoin {

namespace {

/// Of all rows and what lies beside them, those that the largest part and its ghosts have.
double largest_share(const JacobiSetup& setup, int ranks) {
  if (ranks == 1) return 1.0;
  const Strips strips(setup.grid.rows(), ranks);
  std::int64_t rows = 0;
  for (int rank = 0; rank < ranks; ++rank) rows = std::max(rows, strips[rank].rows());
  return std::min(1.0, static_cast<double>(rows + 2 * deepest_pass + 2) / static_cast<double>(setup.grid.rows() + 2));
}

}  // namespace

Estimate needs_of(const JacobiSetup& setup, int ranks) {
  const Grid& grid = setup.grid;
  double points = 1.0;  // sides included
  for (const Axis* axis : {&grid.along_x, &grid.along_y, &grid.along_z})
    if (!axis->is_flat()) points *= static_cast<double>(axis->count + 2);
  const double field = points * static_cast<double>(element_size(setup.method.precision));
  constexpr double staging = 4.0 * 1024 * 1024;  // rows on their way to and from the device
  constexpr double small_buffers = 16384.0;      // norms, control and weights
  constexpr double history_row = 36.0;           // bytes at most in the file
  constexpr double history_kept = 48.0;          // bytes of a row in a vector that grows
  constexpr double other_files = 64e3;           // summary, log, case
  Estimate needs;
  const double across = static_cast<double>(grid.ny) * static_cast<double>(grid.nz);
  const double below = static_cast<double>(grid.nx) * static_cast<double>(grid.nz);
  const double behind = grid.in_space() ? static_cast<double>(grid.nx) * static_cast<double>(grid.ny) : 0.0;
  const double sides = 2.0 * (across + below + behind) * sizeof(double);
  constexpr double medium = 10.0;  // arrays of doubles, while coefficients are made
  needs.host = sides + std::min(field, staging);
  if (setup.beyond_poisson) needs.host += medium * sizeof(double) * points;
  if (!setup.method.stops_on_tolerance)  // else nobody knows how many there will be
    needs.host += history_kept * std::min(static_cast<double>(setup.method.max_iterations), 1e6);
  needs.device = largest_share(setup, ranks) * sweeps_bytes(setup) + small_buffers;
  if (ranks > 1 && setup.method.solver == JacobiSolver::multigrid)
    needs.device += 4.0 * gathered_nodes(ranks) * static_cast<double>(element_size(setup.method.precision));
  needs.disk = other_files;
  if (setup.the_case().boolean("output.fields.write")) needs.disk += field;
  if (setup.the_case().boolean("output.history"))
    needs.disk += history_row * static_cast<double>(setup.method.max_iterations);
  needs.checkpoint = other_files + field;
  needs.pieces = field;
  return needs;
}

}  // namespace quoin
