#include "problems/linear_system/setup/sparse_products.hpp"

#include <algorithm>
#include <cmath>

namespace quoin {

SparseMatrix transposed(const SparseMatrix& a) {
  const auto rows = static_cast<std::size_t>(a.rows);
  const std::size_t entries = a.value.size();
  SparseMatrix t{a.columns, a.rows, std::vector<std::int64_t>(static_cast<std::size_t>(a.columns) + 1),
                 std::vector<std::int64_t>(entries), std::vector<double>(entries)};
  for (const std::int64_t column : a.column) ++t.at[static_cast<std::size_t>(column) + 1];
  for (std::size_t k = 1; k < t.at.size(); ++k) t.at[k] += t.at[k - 1];
  std::vector<std::int64_t> next(t.at.begin(), t.at.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(a.column[k])]++);
      t.column[place] = static_cast<std::int64_t>(row);
      t.value[place] = a.value[k];
    }
  }
  return t;
}

SparseMatrix product_of(const SparseMatrix& a, const SparseMatrix& b) {
  SparseMatrix c{a.rows, b.columns, {0}, {}, {}};
  c.at.reserve(a.at.size());
  std::vector<double> sum(static_cast<std::size_t>(b.columns));
  std::vector<std::int64_t> last_row(sum.size(), -1);  // that the sum of a column is of
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const auto first = static_cast<std::ptrdiff_t>(c.column.size());
    for (auto k = a.at[static_cast<std::size_t>(row)]; k < a.at[static_cast<std::size_t>(row) + 1]; ++k) {
      const auto inner = static_cast<std::size_t>(a.column[static_cast<std::size_t>(k)]);
      const double factor = a.value[static_cast<std::size_t>(k)];
      for (auto l = static_cast<std::size_t>(b.at[inner]); l < static_cast<std::size_t>(b.at[inner + 1]); ++l) {
        const auto column = static_cast<std::size_t>(b.column[l]);
        if (last_row[column] != row) {
          last_row[column] = row;
          sum[column] = 0.0;
          c.column.push_back(b.column[l]);
        }
        sum[column] = std::fma(factor, b.value[l], sum[column]);
      }
    }
    std::sort(c.column.begin() + first, c.column.end());
    for (auto k = static_cast<std::size_t>(first); k < c.column.size(); ++k)
      c.value.push_back(sum[static_cast<std::size_t>(c.column[k])]);
    c.at.push_back(static_cast<std::int64_t>(c.column.size()));
  }
  return c;
}

}  // namespace quoin
