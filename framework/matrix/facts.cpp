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

/// What the row has to do with the diagonal.
void look_at_row(const SparseMatrix& matrix, std::int64_t row, MatrixFacts& facts) {
  double diagonal = 0.0;
  double others = 0.0;
  for (std::int64_t k = matrix.at[static_cast<std::size_t>(row)]; k < matrix.at[static_cast<std::size_t>(row) + 1];
       ++k) {
    const double magnitude = std::abs(matrix.value[static_cast<std::size_t>(k)]);
    if (matrix.column[static_cast<std::size_t>(k)] == row)
      diagonal = magnitude;
    else
      others += magnitude;
  }
  if (diagonal == 0.0) ++facts.without_diagonal;
  if (diagonal >= others && diagonal > 0.0) ++facts.dominant_rows;
}

/// Compares the entries on both sides of the diagonal. Rows ascend, so that the partners that they look for in a later
/// row do too: one look at each entry is enough.
void look_for_partners(const SparseMatrix& matrix, MatrixFacts& facts) {
  const auto pair = [&facts](double value, double partner) {
    facts.largest_difference = std::max(facts.largest_difference, std::abs(value - partner));
  };
  const auto alone = [&](std::int64_t k) {
    ++facts.without_partner;
    pair(matrix.value[static_cast<std::size_t>(k)], 0.0);
  };
  // Of each row the first entry that no earlier row has looked at.
  std::vector<std::int64_t> next(matrix.at.begin(), matrix.at.begin() + matrix.rows);
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t end = matrix.at[static_cast<std::size_t>(row) + 1];
    std::int64_t k = next[static_cast<std::size_t>(row)];
    for (; k < end && matrix.column[static_cast<std::size_t>(k)] < row; ++k) alone(k);
    for (; k < end; ++k) {
      const auto column = static_cast<std::size_t>(matrix.column[static_cast<std::size_t>(k)]);
      if (matrix.column[static_cast<std::size_t>(k)] == row) continue;
      std::int64_t& other = next[column];
      const std::int64_t last = matrix.at[column + 1];
      for (; other < last && matrix.column[static_cast<std::size_t>(other)] < row; ++other) alone(other);
      if (other < last && matrix.column[static_cast<std::size_t>(other)] == row)
        pair(matrix.value[static_cast<std::size_t>(k)], matrix.value[static_cast<std::size_t>(other++)]);
      else
        alone(k);
    }
  }
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
  if (matrix.rows == matrix.columns) look_for_partners(matrix, facts);
  return facts;
}

}  // namespace quoin
