#include "problems/linear_system/setup/sparse_products.hpp"

#include <algorithm>
#include <cmath>

#include "base/large_pages.hpp"

namespace quoin {
namespace {

/// The columns of the rows of a b, row by row, in no order.
class Columns {
 public:
  Columns(const SparseMatrix& a, const SparseMatrix& b)
      : a_(a), b_(b), last_row_(static_cast<std::size_t>(b.columns), -1) {}

  /// Calls first(column) where the row meets a column for the first time, and term(column, factor, factor) for each
  /// product of two entries.
  template <class First, class Term>
  void row(std::int64_t number, First&& first, Term&& term) {
    const auto row = static_cast<std::size_t>(number);
    for (auto k = static_cast<std::size_t>(a_.at[row]); k < static_cast<std::size_t>(a_.at[row + 1]); ++k) {
      const auto inner = static_cast<std::size_t>(a_.column[k]);
      for (auto l = static_cast<std::size_t>(b_.at[inner]); l < static_cast<std::size_t>(b_.at[inner + 1]); ++l) {
        std::int64_t& last = last_row_[static_cast<std::size_t>(b_.column[l])];
        if (last != number) first(b_.column[l]);
        last = number;
        term(b_.column[l], a_.value[k], b_.value[l]);
      }
    }
  }

 private:
  const SparseMatrix& a_;
  const SparseMatrix& b_;
  std::vector<std::int64_t> last_row_;  // in which a column was met
};

std::int64_t entries_of_product(const SparseMatrix& a, const SparseMatrix& b) {
  Columns columns(a, b);
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < a.rows; ++row)
    columns.row(
        row, [&](auto) { ++count; }, [](auto, auto, auto) {});
  return count;
}

}  // namespace

SparseMatrix matrix_with_room(std::int64_t rows, std::int64_t columns, std::int64_t entries) {
  SparseMatrix matrix{rows, columns, {}, {}, {}};
  reserve_cleared(matrix.at, static_cast<std::size_t>(rows) + 1);
  reserve_cleared(matrix.column, static_cast<std::size_t>(entries));
  reserve_cleared(matrix.value, static_cast<std::size_t>(entries));
  matrix.at.push_back(0);
  return matrix;
}

SparseMatrix transposed(const SparseMatrix& a) {
  SparseMatrix t = matrix_with_room(a.columns, a.rows, a.entries());
  t.at.resize(static_cast<std::size_t>(a.columns) + 1);
  t.column.resize(a.column.size());
  t.value.resize(a.value.size());
  for (const std::int64_t column : a.column) ++t.at[static_cast<std::size_t>(column) + 1];
  for (std::size_t k = 1; k < t.at.size(); ++k) t.at[k] += t.at[k - 1];
  std::vector<std::int64_t> next(t.at.begin(), t.at.end() - 1);
  for (std::size_t row = 0; row + 1 < a.at.size(); ++row) {
    for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(a.column[k])]++);
      t.column[place] = static_cast<std::int64_t>(row);
      t.value[place] = a.value[k];
    }
  }
  return t;
}

SparseMatrix product_of(const SparseMatrix& a, const SparseMatrix& b) {
  SparseMatrix c = matrix_with_room(a.rows, b.columns, entries_of_product(a, b));
  Columns columns(a, b);
  std::vector<double> sum(static_cast<std::size_t>(b.columns));
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(c.column.size());
    columns.row(
        row,
        [&](std::int64_t column) {
          sum[static_cast<std::size_t>(column)] = 0.0;
          c.column.push_back(column);
        },
        [&](std::int64_t column, double factor, double other) {
          double& s = sum[static_cast<std::size_t>(column)];
          s = std::fma(factor, other, s);
        });
    std::sort(c.column.begin() + begin, c.column.end());
    for (auto k = static_cast<std::size_t>(begin); k < c.column.size(); ++k)
      c.value.push_back(sum[static_cast<std::size_t>(c.column[k])]);
    c.at.push_back(static_cast<std::int64_t>(c.column.size()));
  }
  return c;
}

}  // namespace quoin
