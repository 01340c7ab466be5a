#pragma once

// The levels of algebraic multigrid by smoothed aggregation. P. Vanek, J. Mandel, M. Brezina, Algebraic multigrid by
// smoothed aggregation for second and fourth order elliptic problems, Computing 56 (1996) 179-196.

#include <array>
#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// All but the coarsest level.
struct MultigridLevel {
  SparseMatrix matrix;  ///< empty for the finest, which is the system's
  /// Of the two steps of its smoother, z = z + weight (r - A z): the inverse of the diagonal over the roots of the
  /// Chebyshev polynomial for the upper part of the spectrum.
  std::array<std::vector<double>, 2> weight;
  SparseMatrix prolongation, restriction;
};
struct Multigrid {
  std::vector<MultigridLevel> levels;  ///< the finest first; none for a matrix that is small
  SparseMatrix inverse;                ///< of the coarsest matrix; of its diagonal where it has none or is large
  std::int64_t entries = 0;            ///< of the matrices of all levels
  std::int64_t rows = 0;               ///< of the coarsest
};

/// With the coarsest: enough for a billion rows, where a level has a sixth of the rows of the one before.
inline constexpr std::size_t most_multigrid_levels = 12;
/// Rows of a coarsest matrix that is inverted.
inline constexpr std::int64_t most_coarsest_rows = 500;

/// `a` has no zero on its diagonal. Entries a(i, j) are strong where their square is more than strength^2 |a(i, i)
/// a(j, j)|; strength is halved from level to level.
Multigrid multigrid_of(const SparseMatrix& a, double strength);

}  // namespace quoin
