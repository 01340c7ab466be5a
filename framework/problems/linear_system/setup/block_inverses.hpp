#pragma once

// The inverses of blocks on the diagonal of a matrix.

#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// The first rows of blocks of `length` successive rows, the last of which may be shorter, and the number of rows.
std::vector<std::int64_t> natural_blocks(std::int64_t rows, std::int64_t length);
/// The same of blocks of up to `length` rows that part no rows which have their entries in the same columns, unless
/// more than `length` of them follow each other. J. Fuhrmann, H. Anzt, E. Quintana-Orti, Batched Gauss-Jordan
/// elimination for block-Jacobi preconditioner generation on GPUs, PMAM 2017, calls such rows supervariables.
std::vector<std::int64_t> supervariable_blocks(const SparseMatrix& a, std::int64_t length);

struct BlockInverses {
  SparseMatrix matrix;        ///< with a full block for each
  std::int64_t singular = 0;  ///< blocks that have no inverse: there, that of the diagonal, and 1 where it is zero
};
/// By Gauss-Jordan elimination with the largest element of a column as pivot, the first where several are.
BlockInverses block_inverses(const SparseMatrix& a, const std::vector<std::int64_t>& first);

}  // namespace quoin
