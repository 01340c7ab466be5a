#include <algorithm>
#include <array>
#include <bit>

#include "quoin/sparse_matrix.hpp"

namespace quoin {
namespace {

constexpr std::int64_t most_lines = 64;

/// Where the parts of so many rows or columns begin, and the end.
std::vector<std::int64_t> borders_of(std::int64_t count) {
  const std::int64_t parts = std::min(count, most_lines);
  std::vector<std::int64_t> first;
  for (std::int64_t k = 0; k <= parts; ++k) first.push_back(parts == 0 ? 0 : k * count / parts);
  return first;
}

char mark(std::int64_t entries, double positions) {
  if (entries == 0) return '.';
  char digit = '9';
  for (double share = 10.0 * static_cast<double>(entries); share <= positions && digit > '1'; share *= 10.0) --digit;
  return digit;
}

}  // namespace

MatrixPicture picture_of(const SparseMatrix& matrix) {
  MatrixPicture picture;
  const std::vector<std::int64_t> down = borders_of(matrix.rows);
  const std::vector<std::int64_t> across = borders_of(matrix.columns);
  for (std::size_t line = 0; line + 1 < down.size(); ++line) {
    std::array<std::int64_t, most_lines> entries{};
    for (std::int64_t row = down[line]; row < down[line + 1]; ++row) {
      const auto first = static_cast<std::size_t>(matrix.at[static_cast<std::size_t>(row)]);
      const auto last = static_cast<std::size_t>(matrix.at[static_cast<std::size_t>(row) + 1]);
      const auto bin = static_cast<std::size_t>(last - first < 2 ? last - first : 1 + std::bit_width(last - first - 1));
      if (picture.row_lengths.size() <= bin) picture.row_lengths.resize(bin + 1);
      ++picture.row_lengths[bin];
      std::size_t part = 0;  // columns ascend
      for (std::size_t k = first; k < last; ++k) {
        while (matrix.column[k] >= across[part + 1]) ++part;
        ++entries[part];
      }
    }
    picture.pattern.emplace_back();
    for (std::size_t part = 0; part + 1 < across.size(); ++part) {
      const std::int64_t height = down[line + 1] - down[line];
      const std::int64_t width = across[part + 1] - across[part];
      picture.pattern.back() += mark(entries[part], static_cast<double>(height) * static_cast<double>(width));
    }
  }
  return picture;
}

}  // namespace quoin
