#pragma once

// The rows of a triangular matrix by levels: a row is one level behind the furthest of those that it has entries for,
// so that the rows of a level need one another for nothing.

#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

struct Levels {
  std::vector<std::int64_t> first;  ///< where each level begins among the rows, and their end
  std::vector<std::int32_t> row;    ///< by level, then ascending

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(first.size()) - 1; }
};

/// Of a matrix with entries on one side of its diagonal alone.
Levels levels_of(const SparseMatrix& triangle);
/// Its rows in that order.
SparseMatrix ordered_rows(const SparseMatrix& triangle, const Levels& levels);

}  // namespace quoin
