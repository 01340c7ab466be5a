#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace quoin {

/// A matrix row by row: the entries of row r are those from at[r] to at[r + 1], by ascending column, each column once.
/// Rows and columns are numbered from 0. Zeros that a file stores are entries as any other.
struct SparseMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int64_t> at;  ///< rows + 1 offsets
  std::vector<std::int64_t> column;
  std::vector<double> value;

  [[nodiscard]] std::int64_t entries() const { return at.empty() ? 0 : at.back(); }
};
/// a(row, row), 0 where there is no such entry.
double diagonal(const SparseMatrix& matrix, std::int64_t row);

/// What decides how a matrix is stored and solved.
struct MatrixFacts {
  std::int64_t shortest_row = 0, median_row = 0, longest_row = 0;  ///< entries
  std::int64_t empty_rows = 0;
  std::int64_t below = 0, above = 0;  ///< the furthest that an entry lies from the diagonal, 0 where none does

  // Of square matrices; 0 for others.
  std::int64_t without_diagonal = 0;  ///< rows whose diagonal entry is 0 or missing
  std::int64_t dominant_rows = 0;     ///< whose diagonal entry is no less than the others' magnitudes together
  std::int64_t without_partner = 0;   ///< entries (i, j) without an entry (j, i)
  double largest_difference = 0.0;    ///< |a(i, j) - a(j, i)|, a missing entry counting as 0
  double largest_entry = 0.0;         ///< its magnitude

  [[nodiscard]] bool symmetric() const { return without_partner == 0 && largest_difference == 0.0; }
};
MatrixFacts facts_of(const SparseMatrix& matrix);

/// A matrix at a glance.
struct MatrixPicture {
  /// At most 64 lines of at most 64 characters, each for as many rows and columns: a dot where none of their positions
  /// holds an entry, 9 where more than a tenth of them do, 8 where more than a hundredth do, and so on down to 1.
  std::vector<std::string> pattern;
  /// Rows with 0, 1, 2, 3 to 4, 5 to 8, ... entries, as far as there are such.
  std::vector<std::int64_t> row_lengths;
};
MatrixPicture picture_of(const SparseMatrix& matrix);

}  // namespace quoin
