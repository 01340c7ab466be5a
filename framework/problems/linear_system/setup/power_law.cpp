#include <algorithm>
#include <bit>
#include <random>
#include <utility>

#include "problems/linear_system/setup/generators.hpp"

namespace quoin {
namespace {

using RowPair = std::pair<std::int32_t, std::int32_t>;

/// Halves the square of all places again and again; its quarters have the probabilities 0.57, 0.19, 0.19 and 0.05, in
/// parts of 2^16. Places outside the matrix, which is no power of two, are drawn again.
RowPair draw_edge(std::mt19937_64& random, std::int64_t rows) {
  constexpr std::uint64_t upper_left = 37356, upper_right = upper_left + 12452, lower_left = upper_right + 12452;
  const auto levels = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows - 1)));
  while (true) {
    std::int64_t i = 0, j = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < levels; ++level) {
      if (level % 4 == 0) bits = random();  // the standard gives its numbers
      const std::uint64_t part = bits & 0xffff;
      bits >>= 16;
      i = 2 * i + (part >= upper_right ? 1 : 0);
      j = 2 * j + ((part >= upper_left && part < upper_right) || part >= lower_left ? 1 : 0);
    }
    if (i < rows && j < rows) return {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
  }
}

}  // namespace

SparseMatrix power_law_matrix(std::int64_t rows, std::int64_t degree, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::int64_t drawn = rows / 2 * degree + rows % 2 * degree / 2;
  std::vector<RowPair> edges;
  edges.reserve(static_cast<std::size_t>(drawn));
  std::vector<std::int64_t> next(static_cast<std::size_t>(rows) + 1);
  for (std::int64_t k = 0; k < drawn; ++k) {
    const auto [i, j] = draw_edge(random, rows);
    if (i == j) continue;
    edges.emplace_back(i, j);
    ++next[static_cast<std::size_t>(i) + 1];
    ++next[static_cast<std::size_t>(j) + 1];
  }
  for (std::size_t row = 1; row < next.size(); ++row) next[row] += next[row - 1];
  std::vector<std::int32_t> neighbours(2 * edges.size());  // row by row; then `next` is where each row ends
  for (const auto& [i, j] : edges) {
    neighbours[static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++)] = j;
    neighbours[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = i;
  }
  edges = {};
  SparseMatrix matrix{rows, rows, {0}, {}, {}};
  matrix.at.reserve(static_cast<std::size_t>(rows) + 1);
  matrix.column.reserve(neighbours.size() + static_cast<std::size_t>(rows));
  matrix.value.reserve(neighbours.size() + static_cast<std::size_t>(rows));
  auto first = neighbours.begin();
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto behind = neighbours.begin() + next[static_cast<std::size_t>(row)];
    std::sort(first, behind);
    const auto last = std::unique(first, behind);
    const auto middle = std::lower_bound(first, last, row);
    matrix.column.insert(matrix.column.end(), first, middle);
    matrix.column.push_back(row);
    matrix.column.insert(matrix.column.end(), middle, last);
    matrix.value.resize(matrix.column.size(), -1.0);
    matrix.value[static_cast<std::size_t>(matrix.at.back() + (middle - first))] =
        static_cast<double>(last - first) + 1.0;
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
    first = behind;
  }
  return matrix;
}

}  // namespace quoin
