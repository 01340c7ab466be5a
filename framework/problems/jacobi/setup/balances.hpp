#pragma once

// The equations of the unknowns, each the balance of the cell around a node, divided by dx dy (dz). The matrix is
// symmetric: what crosses a face leaves one cell and enters the next.

#include <cstdint>
#include <vector>

#include "problems/jacobi/setup/axis.hpp"

namespace quoin {

/// An interval that holds eigenvalues, 0 < least <= most.
struct Spectrum {
  double least, most;
};

/// k in the cells between nodes, row by row.
struct Cells {
  std::int64_t nx, ny;
  std::vector<double> k;
  std::int64_t nz = 1;

  /// Larger ones that fill the same box, with the mean of what each covers: the energy of a linear function then
  /// is what it is in the finer cells. Less would let a coarser grid correct too much where k jumps.
  [[nodiscard]] Cells coarser(std::int64_t coarse_nx, std::int64_t coarse_ny, std::int64_t coarse_nz = 1) const;
};

/// A u at unknown (i, j, k), as kernels/diffusion/kernels.h has it: kx has nx + 1 values a row, ky has ny + 1 rows a
/// plane, and kz has nz + 1 planes, or nothing in the plane.
struct Balances {
  /// With no sink yet.
  Balances(const Cells& cells, const Axis& along_x, const Axis& along_y, const Axis& along_z = Axis::flat());

  Axis x, y, z;
  std::vector<double> kx, ky, kz, sink;

  [[nodiscard]] double west(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return kx[at(i, k * y.count + j, x.count + 1)];
  }
  [[nodiscard]] double south(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return ky[at(i, k * (y.count + 1) + j, x.count)];
  }
  [[nodiscard]] double behind(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return kz.empty() ? 0.0 : kz[at(i, k * y.count + j, x.count)];
  }
  [[nodiscard]] double& sink_at(std::int64_t i, std::int64_t j, std::int64_t k = 0) {
    return sink[at(i, k * y.count + j, x.count)];
  }
  [[nodiscard]] double sink_at(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return sink[at(i, k * y.count + j, x.count)];
  }
  /// Of the cell around a node, over dx dy (dz).
  [[nodiscard]] double volume(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return x.width(i) * y.width(j) * z.width(k);
  }
  [[nodiscard]] double diagonal(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return west(i, j, k) + west(i + 1, j, k) + south(i, j, k) + south(i, j + 1, k) +
           (behind(i, j, k) + behind(i, j, k + 1)) + sink_at(i, j, k);
  }
  /// Whether a constant may be added to u: nothing says what its values are.
  [[nodiscard]] bool floating() const;

 private:
  [[nodiscard]] static std::size_t at(std::int64_t i, std::int64_t row, std::int64_t width) {
    return static_cast<std::size_t>(row * width + i);
  }
};

/// What holds all eigenvalues, but for the 0 of a constant that may be added: of the matrix over the volumes of cells,
/// `operator_least` their least, and of what Jacobi's method makes of it, the matrix over its diagonal.
struct Bounds {
  double operator_least;
  Spectrum jacobi;
};
/// The largest is Gershgorin's, and safe. The least is that of the sum of one-dimensional operators whose faces have
/// the least of their column (row, plane), found by counting the signs of pivots: as a quadratic form that is nowhere
/// larger. It is 0 where no such sum says more; then that of `jacobi` is an estimate, on which the speed of Chebyshev's
/// weights depends, and nothing else.
Bounds bounds_of(const Balances& balances);

}  // namespace quoin
