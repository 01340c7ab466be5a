#pragma once

// The grids of multigrid and linear interpolation between two of them, on the host.

#include <cstdint>
#include <vector>

#include "problems/jacobi/scheme/stencil.hpp"
#include "problems/jacobi/setup/setup.hpp"
#include "problems/jacobi/setup/strips.hpp"

namespace quoin {

/// One grid: nx by ny interior nodes of the whole rectangle.
struct Level {
  std::int64_t nx, ny;
  Stencil stencil;
  std::vector<double> weights;  ///< of a cycle's sweeps; of all but the finest grid the first is one from zero
};

/// The finest grid, which is the case's, first. Grids have evenly spaced nodes and need not share them: of the numbers
/// of intervals next to a half, the even one is taken, so that all but the finest can be halved again.
std::vector<Level> multigrid_levels(const Grid& grid);

/// Of so many nodes inside a direction those of the next coarser grid.
std::int64_t halved(std::int64_t nodes);

/// Between the unknowns of a direction and of a coarser grid's.
struct Interpolation {
  Interpolation(const Axis& fine, const Axis& coarse);
  /// Between n nodes and m <= n with known sides.
  Interpolation(std::int64_t n, std::int64_t m);

  /// Up to the rows `fine`, down to `made` of the coarser grid, for fields that begin with row fine.first and with row
  /// `coarse_first`.
  [[nodiscard]] Interpolation part(const Strip& fine, const Strip& made, std::int64_t coarse_first) const;

  // Up: the value at node i lies share[i] of the way from coarse node below[i] to the next; -1 and m are the ring.
  std::vector<std::int64_t> below;
  std::vector<double> share;
  // Down, the transpose times the spacing over the coarser one: coarse node k is the sum over s < count of
  // weights[s * m + k] times node first[k] + s, which may be -1 where sides are joined. Weights of zero fill up the
  // shorter sums.
  std::vector<std::int64_t> first;
  std::vector<double> weights;
  std::int64_t count;
};

}  // namespace quoin
