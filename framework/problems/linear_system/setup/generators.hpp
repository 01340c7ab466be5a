#pragma once

// Matrices of model problems.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Columns are numbers of 32 bits.
inline constexpr std::int64_t most_rows = (std::int64_t{1} << 31) - (std::int64_t{1} << 16);

/// Rows are nodes of a grid, x fastest, 1 node along z in the plane: the number of neighbours on the diagonal and -1
/// for each neighbour that is a node. `points`: 5, 7 (neighbours along the axes), 9 or 27 (around corners as well).
SparseMatrix poisson_matrix(const std::array<std::int64_t, 3>& nodes, int points);
/// - div (k grad u) on the same nodes, times the square of their distance: for each neighbour along an axis minus the
/// coefficient half way to it, for each node the sum of those around it, sides included. `factors` of 2 or 3 axes
/// multiply the coefficient there; `coefficient` is given places in halves of the distance, node i at 2 i + 2, and
/// asked for each twice. Symmetric to the bit; positive definite for positive numbers.
SparseMatrix diffusion_matrix(const std::array<std::int64_t, 3>& nodes, const std::vector<double>& factors,
                              const std::function<double(const std::array<std::int64_t, 3>&)>& coefficient);
/// -u_xx - u_yy + velocity . grad u on nodes at a distance of 1, zeros around them, differences of the first order
/// upwind.
SparseMatrix convection_diffusion_matrix(const std::array<std::int64_t, 2>& nodes,
                                         const std::array<double, 2>& velocity);
/// 2 on the diagonal, -1 beside it.
SparseMatrix tridiagonal_matrix(std::int64_t rows);
/// `rows` on the diagonal, 1 in the rest of the first row and column.
SparseMatrix arrow_matrix(std::int64_t rows);
/// The Laplacian of a graph plus 1: the number of neighbours and 1 on the diagonal, -1 for each neighbour, so that it
/// is symmetric and positive definite. The graph is R-MAT's (Chakrabarti, Zhan and Faloutsos 2004, with the
/// probabilities of the Graph 500): `rows` times half of `degree` edges are drawn; those between a row and itself, and
/// those drawn before, fall away. Few rows have very many neighbours. The same on every machine.
SparseMatrix power_law_matrix(std::int64_t rows, std::int64_t degree, std::uint64_t seed);

}  // namespace quoin
