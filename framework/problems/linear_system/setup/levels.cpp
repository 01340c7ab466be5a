#include "problems/linear_system/setup/levels.hpp"

#include <algorithm>
#include <numeric>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

bool is_upper(const SparseMatrix& triangle) {
  for (std::int64_t row = 0; row < triangle.rows; ++row) {
    const auto first = static_cast<std::size_t>(triangle.at[static_cast<std::size_t>(row)]);
    if (triangle.at[static_cast<std::size_t>(row) + 1] > triangle.at[static_cast<std::size_t>(row)])
      return triangle.column[first] > row;
  }
  return false;
}

}  // namespace

Levels levels_of(const SparseMatrix& triangle) {
  const auto rows = static_cast<std::size_t>(triangle.rows);
  const bool upper = is_upper(triangle);
  std::vector<std::int64_t> level(rows);
  std::int64_t count = 0;
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t row = upper ? rows - 1 - k : k;
    for (auto e = static_cast<std::size_t>(triangle.at[row]); e < static_cast<std::size_t>(triangle.at[row + 1]); ++e)
      level[row] = std::max(level[row], level[static_cast<std::size_t>(triangle.column[e])] + 1);
    count = std::max(count, level[row] + 1);
  }
  Levels levels;
  levels.first.resize(static_cast<std::size_t>(count) + 1);
  for (const std::int64_t of : level) ++levels.first[static_cast<std::size_t>(of) + 1];
  std::partial_sum(levels.first.begin(), levels.first.end(), levels.first.begin());
  std::vector<std::int64_t> next(levels.first.begin(), levels.first.end());
  levels.row.resize(rows);
  for (std::size_t row = 0; row < rows; ++row)
    levels.row[static_cast<std::size_t>(next[static_cast<std::size_t>(level[row])]++)] = static_cast<std::int32_t>(row);
  return levels;
}

SparseMatrix ordered_rows(const SparseMatrix& triangle, const Levels& levels) {
  SparseMatrix ordered = matrix_with_room(triangle.rows, triangle.columns, triangle.entries());
  for (const std::int32_t row : levels.row) {
    const auto r = static_cast<std::size_t>(row);
    append_row(ordered, triangle, triangle.at[r], triangle.at[r + 1]);
  }
  return ordered;
}

}  // namespace quoin
