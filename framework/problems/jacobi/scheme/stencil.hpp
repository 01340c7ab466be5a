#pragma once

// The operator A = -d2/dx2 - d2/dy2 of five points, or with - d2/dz2 of seven, on nodes with known sides, and the
// weights of sweeps that its eigenvalues call for.

#include <cstdint>
#include <limits>
#include <vector>

#include "problems/jacobi/setup/balances.hpp"
#include "problems/jacobi/setup/grid.hpp"

namespace quoin {

struct Stencil {
  Stencil(double dx, double dy, double dz = std::numeric_limits<double>::infinity())
      : a(1.0 / (dx * dx)), b(1.0 / (dy * dy)), c(1.0 / (dz * dz)), diagonal(2.0 * a + 2.0 * b + 2.0 * c) {}
  explicit Stencil(const Grid& grid)
      : Stencil(grid.dx, grid.dy, grid.in_space() ? grid.along_z.spacing : std::numeric_limits<double>::infinity()) {}

  /// The smallest and the largest eigenvalue.
  [[nodiscard]] Spectrum spectrum(std::int64_t nx, std::int64_t ny, std::int64_t nz = 1) const;
  [[nodiscard]] Spectrum spectrum(const Grid& grid) const { return spectrum(grid.nx, grid.ny, grid.nz); }

  double a, b, c, diagonal;
};

/// The share of the error that `sweeps` sweeps with Chebyshev's weights leave at most.
double chebyshev_reduction(const Spectrum& spectrum, std::int64_t sweeps);

/// The sweeps of a cycle, a power of two: as many as it takes to leave a hundredth of the error, so that what the end
/// of a cycle costs is little, and at most 65536, which then leave more.
std::int64_t chebyshev_cycle(const Spectrum& spectrum);

/// Those weights, one over the roots of Chebyshev's polynomial on the interval, in the order of Lebedev and Finogenov,
/// which keeps the error of rounding small on the way. `sweeps` is a power of two.
std::vector<double> chebyshev_weights(const Spectrum& spectrum, std::int64_t sweeps);

}  // namespace quoin
