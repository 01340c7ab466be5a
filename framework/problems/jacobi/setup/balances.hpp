#pragma once

// The equations of the unknowns, each the balance of the cell around a node, divided by dx dy. The matrix is symmetric:
// what crosses a face leaves one cell and enters the next.

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

  /// Larger ones that fill the same rectangle, with the mean of what each covers: the energy of a linear function then
  /// is what it is in the finer cells. Less would let a coarser grid correct too much where k jumps.
  [[nodiscard]] Cells coarser(std::int64_t coarse_nx, std::int64_t coarse_ny) const;
};

/// A u at unknown (i, j), as kernels/diffusion/kernels.h has it: kx has nx + 1 values a row, and ky has ny + 1 rows.
struct Balances {
  /// With no sink yet.
  Balances(const Cells& cells, const Axis& along_x, const Axis& along_y);

  Axis x, y;
  std::vector<double> kx, ky, sink;

  [[nodiscard]] double west(std::int64_t i, std::int64_t j) const { return kx[at(i, j, x.count + 1)]; }
  [[nodiscard]] double south(std::int64_t i, std::int64_t j) const { return ky[at(i, j, x.count)]; }
  [[nodiscard]] double& sink_at(std::int64_t i, std::int64_t j) { return sink[at(i, j, x.count)]; }
  [[nodiscard]] double sink_at(std::int64_t i, std::int64_t j) const { return sink[at(i, j, x.count)]; }
  /// Of the cell around a node, over dx dy.
  [[nodiscard]] double volume(std::int64_t i, std::int64_t j) const { return x.width(i) * y.width(j); }
  [[nodiscard]] double diagonal(std::int64_t i, std::int64_t j) const {
    return west(i, j) + west(i + 1, j) + south(i, j) + south(i, j + 1) + sink_at(i, j);
  }
  /// Whether a constant may be added to u: nothing says what its values are.
  [[nodiscard]] bool floating() const;

 private:
  [[nodiscard]] static std::size_t at(std::int64_t i, std::int64_t j, std::int64_t width) {
    return static_cast<std::size_t>(j * width + i);
  }
};

/// What holds all eigenvalues, but for the 0 of a constant that may be added: of the matrix over the volumes of cells,
/// `operator_least` their least, and of what Jacobi's method makes of it, the matrix over its diagonal.
struct Bounds {
  double operator_least;
  Spectrum jacobi;
};
/// The largest is Gershgorin's, and safe. The least is that of the sum of one-dimensional operators whose faces have
/// the least of their column (row), found by counting the signs of pivots: as a quadratic form that is nowhere larger.
/// It is 0 where no such sum says more; then that of `jacobi` is an estimate, on which the speed of Chebyshev's weights
/// depends, and nothing else.
Bounds bounds_of(const Balances& balances);

}  // namespace quoin
