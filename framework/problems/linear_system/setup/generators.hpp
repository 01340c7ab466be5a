#pragma once

// Matrices of model problems.

#include <array>
#include <cstdint>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Columns are numbers of 32 bits.
inline constexpr std::int64_t most_rows = (std::int64_t{1} << 31) - (std::int64_t{1} << 16);

/// Rows are nodes of a grid, x fastest, 1 node along z in the plane: the number of neighbours on the diagonal and -1
/// for each neighbour that is a node. `points`: 5, 7 (neighbours along the axes), 9 or 27 (around corners as well).
SparseMatrix poisson_matrix(const std::array<std::int64_t, 3>& nodes, int points);
/// -u_xx - u_yy + velocity . grad u on nodes at a distance of 1, zeros around them, differences of the first order
/// upwind.
SparseMatrix convection_diffusion_matrix(const std::array<std::int64_t, 2>& nodes,
                                         const std::array<double, 2>& velocity);
/// 2 on the diagonal, -1 beside it.
SparseMatrix tridiagonal_matrix(std::int64_t rows);
/// `rows` on the diagonal, 1 in the rest of the first row and column.
SparseMatrix arrow_matrix(std::int64_t rows);

}  // namespace quoin
