#include "problems/linear_system/setup/sparse_products.hpp"

#include <algorithm>
#include <cmath>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

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

/// For at most eight threads, each of which has a number for every column.
std::int64_t least_rows(std::int64_t rows) { return std::max(rows_of_thread, rows / 8); }

/// at[r + 1] = the entries of row r of a b, on all cores.
void count_entries(const SparseMatrix& a, const SparseMatrix& b, std::vector<std::int64_t>& at) {
  parallel_parts(
      a.rows,
      [&](const Part& part) {
        Columns columns(a, b);
        for (std::int64_t row = part.first; row < part.last; ++row)
          columns.row(
              row, [&](auto) { ++at[static_cast<std::size_t>(row) + 1]; }, [](auto, auto, auto) {});
      },
      least_rows(a.rows));
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

void place_entries(SparseMatrix& matrix) {
  for (std::size_t row = 1; row < matrix.at.size(); ++row) matrix.at[row] += matrix.at[row - 1];
  const auto entries = static_cast<std::size_t>(matrix.entries());
  resize_cleared(matrix.column, entries);
  resize_cleared(matrix.value, entries);
}

void append_row(SparseMatrix& to, const SparseMatrix& from, std::int64_t first, std::int64_t last) {
  to.column.insert(to.column.end(), from.column.begin() + first, from.column.begin() + last);
  to.value.insert(to.value.end(), from.value.begin() + first, from.value.begin() + last);
  to.rows = static_cast<std::int64_t>(to.at.size());
  to.at.push_back(static_cast<std::int64_t>(to.column.size()));
}

SparseMatrix transposed(const SparseMatrix& a) {
  SparseMatrix t{a.columns, a.rows, {}, {}, {}};
  t.at.resize(static_cast<std::size_t>(a.columns) + 1);
  for (const std::int64_t column : a.column) ++t.at[static_cast<std::size_t>(column) + 1];
  place_entries(t);
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
  SparseMatrix c{a.rows, b.columns, {}, {}, {}};
  c.at.resize(static_cast<std::size_t>(a.rows) + 1);
  count_entries(a, b, c.at);
  place_entries(c);
  parallel_parts(
      a.rows,
      [&](const Part& part) {
        Columns columns(a, b);
        std::vector<double> sum(static_cast<std::size_t>(b.columns));
        auto end = static_cast<std::size_t>(c.at[static_cast<std::size_t>(part.first)]);
        for (std::int64_t row = part.first; row < part.last; ++row) {
          const std::size_t begin = end;
          columns.row(
              row,
              [&](std::int64_t column) {
                sum[static_cast<std::size_t>(column)] = 0.0;
                c.column[end++] = column;
              },
              [&](std::int64_t column, double factor, double other) {
                double& s = sum[static_cast<std::size_t>(column)];
                s = std::fma(factor, other, s);
              });
          std::sort(c.column.begin() + static_cast<std::ptrdiff_t>(begin),
                    c.column.begin() + static_cast<std::ptrdiff_t>(end));
          for (std::size_t k = begin; k < end; ++k) c.value[k] = sum[static_cast<std::size_t>(c.column[k])];
        }
      },
      least_rows(a.rows));
  return c;
}

}  // namespace quoin
