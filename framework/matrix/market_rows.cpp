#include "matrix/market_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/large_pages.hpp"

namespace quoin {
namespace {

template <class T>
void make_room(std::vector<T>& values, std::size_t count) {
  reserve_large(values, count);
  values.resize(count);
}

template <class Do>
void for_each_entry(const MarketEntries& entries, const Do& act) {
  for (const std::vector<MarketEntry>& part : entries)
    for (const MarketEntry& entry : part) act(entry);
}

void sort_row(SparseMatrix& matrix, std::int64_t begin, std::int64_t end,
              std::vector<std::pair<std::int64_t, double>>& row) {
  row.clear();
  for (std::int64_t k = begin; k < end; ++k) row.emplace_back(matrix.column[k], matrix.value[k]);
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::int64_t k = begin; k < end; ++k) std::tie(matrix.column[k], matrix.value[k]) = row[k - begin];
}

}  // namespace

SparseMatrix collect_rows(const MarketHeader& header, const MarketEntries& entries) {
  const bool mirrored = header.symmetry != MarketSymmetry::general;
  const double sign = header.symmetry == MarketSymmetry::skew_symmetric ? -1 : 1;
  SparseMatrix matrix{header.rows, header.columns, {}, {}, {}};
  std::vector<std::int64_t>& at = matrix.at;
  make_room(at, header.rows + 1);
  for_each_entry(entries, [&](const MarketEntry& entry) {
    ++at[entry.row + 1];
    if (mirrored && entry.row != entry.column) ++at[entry.column + 1];
  });
  std::partial_sum(at.begin(), at.end(), at.begin());
  make_room(matrix.column, at.back());
  make_room(matrix.value, at.back());
  const auto add = [&](std::int64_t row, std::int64_t column, double value) {
    const std::int64_t k = at[row]++;
    matrix.column[k] = column;
    matrix.value[k] = value;
  };
  for_each_entry(entries, [&](const MarketEntry& entry) {
    add(entry.row, entry.column, entry.value);
    if (mirrored && entry.row != entry.column) add(entry.column, entry.row, sign * entry.value);
  });
  // Each offset has moved to the end of its row, where the next one starts.
  std::copy_backward(at.begin(), at.end() - 1, at.end());
  at.front() = 0;
  return matrix;
}

std::int64_t sort_rows(SparseMatrix& matrix) {
  std::int64_t repeated = matrix.rows;
  std::vector<std::pair<std::int64_t, double>> scratch;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const auto begin = matrix.column.begin() + matrix.at[row];
    const auto end = matrix.column.begin() + matrix.at[row + 1];
    if (std::adjacent_find(begin, end, std::greater_equal<>()) == end) continue;
    sort_row(matrix, matrix.at[row], matrix.at[row + 1], scratch);
    if (repeated == matrix.rows && std::adjacent_find(begin, end) != end) repeated = row;
  }
  return repeated;
}

void sum_duplicates(SparseMatrix& matrix) {
  std::int64_t kept = 0, k = 0;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t begin = kept;
    for (; k < matrix.at[row + 1]; ++k) {
      if (kept > begin && matrix.column[kept - 1] == matrix.column[k]) {
        matrix.value[kept - 1] += matrix.value[k];
      } else {
        matrix.column[kept] = matrix.column[k];
        matrix.value[kept++] = matrix.value[k];
      }
    }
    matrix.at[row] = begin;
  }
  matrix.at.back() = kept;
  matrix.column.resize(kept);
  matrix.value.resize(kept);
}

}  // namespace quoin
