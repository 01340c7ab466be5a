#include <algorithm>
#include <cmath>

#include "quoin/sparse_matrix.hpp"

namespace quoin {
namespace {

/// Where the entry (row, column) is, or entries().
std::int64_t place_of(const SparseMatrix& matrix, std::int64_t row, std::int64_t column) {
  const auto first = matrix.column.begin() + matrix.at[static_cast<std::size_t>(row)];
  const auto last = matrix.column.begin() + matrix.at[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? found - matrix.column.begin() : matrix.entries();
}

void count_lengths(const SparseMatrix& matrix, MatrixFacts& facts) {
  if (matrix.rows == 0) return;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(matrix.rows));
  for (std::size_t r = 0; r < lengths.size(); ++r) lengths[r] = matrix.at[r + 1] - matrix.at[r];
  facts.empty_rows = std::count(lengths.begin(), lengths.end(), 0);
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  facts.shortest_row = *shortest;
  facts.longest_row = *longest;
  const auto middle = lengths.begin() + matrix.rows / 2;
  std::nth_element(lengths.begin(), middle, lengths.end());
  facts.median_row = *middle;
}

/// What the row has to do with the diagonal, and with its column.
void look_at_row(const SparseMatrix& matrix, std::int64_t row, MatrixFacts& facts) {
  double diagonal = 0.0;
  double others = 0.0;
  for (std::int64_t k = matrix.at[static_cast<std::size_t>(row)]; k < matrix.at[static_cast<std::size_t>(row) + 1];
       ++k) {
    const std::int64_t column = matrix.column[static_cast<std::size_t>(k)];
    const double value = matrix.value[static_cast<std::size_t>(k)];
    if (column == row) {
      diagonal = std::abs(value);
      continue;
    }
    others += std::abs(value);
    const std::int64_t partner = place_of(matrix, column, row);
    const bool alone = partner == matrix.entries();
    if (alone) ++facts.without_partner;
    const double mirrored = alone ? 0.0 : matrix.value[static_cast<std::size_t>(partner)];
    facts.largest_difference = std::max(facts.largest_difference, std::abs(value - mirrored));
  }
  if (diagonal == 0.0) ++facts.without_diagonal;
  if (diagonal >= others && diagonal > 0.0) ++facts.dominant_rows;
}

}  // namespace

double diagonal(const SparseMatrix& matrix, std::int64_t row) {
  const std::int64_t place = place_of(matrix, row, row);
  return place < matrix.entries() ? matrix.value[static_cast<std::size_t>(place)] : 0.0;
}

MatrixFacts facts_of(const SparseMatrix& matrix) {
  MatrixFacts facts;
  count_lengths(matrix, facts);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t k = matrix.at[static_cast<std::size_t>(row)]; k < matrix.at[static_cast<std::size_t>(row) + 1];
         ++k) {
      const std::int64_t right = matrix.column[static_cast<std::size_t>(k)] - row;
      facts.above = std::max(facts.above, right);
      facts.below = std::max(facts.below, -right);
      facts.largest_entry = std::max(facts.largest_entry, std::abs(matrix.value[static_cast<std::size_t>(k)]));
    }
    if (matrix.rows == matrix.columns) look_at_row(matrix, row, facts);
  }
  return facts;
}

}  // namespace quoin
