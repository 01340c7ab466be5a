#include "problems/linear_system/setup/cuts.hpp"

#include <algorithm>

namespace quoin {
namespace {

/// What a row costs besides its entries, in entries: some ten elements of vectors.
constexpr std::int64_t cost_of_row = 8;

}  // namespace

Cuts::Cuts(const SparseMatrix& matrix, int ranks) {
  const auto row_of = [&](std::int64_t block) { return std::min(block * vector_block, matrix.rows); };
  const auto cost_before = [&](std::int64_t block) {
    const std::int64_t row = row_of(block);
    return matrix.at[static_cast<std::size_t>(row)] + cost_of_row * row;
  };
  const std::int64_t blocks = vector_blocks(matrix.rows);
  const auto all = static_cast<double>(cost_before(blocks));
  first_.clear();
  std::int64_t block = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    // To the block of which more than half lies behind the share of lower ranks.
    const double twice = 2.0 * all * rank / ranks;
    while (block < blocks && static_cast<double>(cost_before(block) + cost_before(block + 1)) < twice) ++block;
    first_.push_back(row_of(block));
  }
  first_.push_back(matrix.rows);
}

}  // namespace quoin
