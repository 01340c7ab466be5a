#include "matrix/market_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

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

/// Rows that are worth a thread of their own.
constexpr std::int64_t rows_of_thread = 1 << 16;

/// Whether the rows of entries ascend, as files mostly have them.
bool by_rows(const MarketEntries& entries) {
  std::vector<char> ascend(entries.size());
  parallel_parts(
      static_cast<std::int64_t>(entries.size()),
      [&](const Part& some) {
        for (std::int64_t k = some.first; k < some.last; ++k)
          ascend[k] = std::ranges::is_sorted(entries[k], {}, &MarketEntry::row) ? 1 : 0;
      },
      1);
  std::int64_t last = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (ascend[k] == 0 || (!entries[k].empty() && entries[k].front().row < last)) return false;
    if (!entries[k].empty()) last = entries[k].back().row;
  }
  return true;
}

/// Where they do, each part knows the place of its entries, and sets the offsets of the rows that begin in it.
SparseMatrix rows_in_order(const MarketHeader& header, const MarketEntries& entries) {
  SparseMatrix matrix{header.rows, header.columns, {}, {}, {}};
  std::vector<std::int64_t> first{0};
  std::vector<std::int64_t> row_before{-1};
  for (const std::vector<MarketEntry>& part : entries) {
    first.push_back(first.back() + static_cast<std::int64_t>(part.size()));
    row_before.push_back(part.empty() ? row_before.back() : part.back().row);
  }
  make_room(matrix.at, header.rows + 1);
  make_room(matrix.column, first.back());
  make_room(matrix.value, first.back());
  const auto begin_rows = [&](std::int64_t after, std::int64_t last, std::int64_t at) {
    std::fill(matrix.at.begin() + after + 1, matrix.at.begin() + last + 1, at);
  };
  parallel_parts(
      static_cast<std::int64_t>(entries.size()),
      [&](const Part& some) {
        for (std::int64_t part = some.first; part < some.last; ++part) {
          std::int64_t k = first[part];
          std::int64_t row = row_before[part];
          for (const MarketEntry& entry : entries[part]) {
            if (entry.row != row) begin_rows(row, entry.row, k);
            row = entry.row;
            matrix.column[k] = entry.column;
            matrix.value[k++] = entry.value;
          }
        }
      },
      1);
  begin_rows(row_before.back(), header.rows, first.back());
  return matrix;
}

}  // namespace

SparseMatrix collect_rows(const MarketHeader& header, const MarketEntries& entries) {
  const bool mirrored = header.symmetry != MarketSymmetry::general;
  if (!mirrored && by_rows(entries)) return rows_in_order(header, entries);
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
  std::vector<std::int64_t> repeated(static_cast<std::size_t>(parts_of(matrix.rows, rows_of_thread)), matrix.rows);
  parallel_parts(
      matrix.rows,
      [&](const Part& part) {
        std::vector<std::pair<std::int64_t, double>> scratch;
        for (std::int64_t row = part.first; row < part.last; ++row) {
          const auto begin = matrix.column.begin() + matrix.at[row];
          const auto end = matrix.column.begin() + matrix.at[row + 1];
          if (std::adjacent_find(begin, end, std::greater_equal<>()) == end) continue;
          sort_row(matrix, matrix.at[row], matrix.at[row + 1], scratch);
          if (repeated[part.number] == matrix.rows && std::adjacent_find(begin, end) != end)
            repeated[part.number] = row;
        }
      },
      rows_of_thread);
  return std::ranges::min(repeated);
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
