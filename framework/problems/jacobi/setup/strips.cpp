#include "problems/jacobi/setup/strips.hpp"

#include <algorithm>

#include "quoin/kernel_entry.hpp"

namespace quoin {

Strips::Strips(std::int64_t rows, int ranks) : rows_(rows), ranks_(ranks) {}

Strip Strips::operator[](int rank) const {
  const std::int64_t blocks = (rows_ + block_rows - 1) / block_rows;
  const auto row_of = [&](std::int64_t k) { return std::min(blocks * k / ranks_ * block_rows, rows_); };
  return {row_of(rank), row_of(rank + 1)};
}

std::optional<int> Strips::beside(int rank, int step) const {
  if ((*this)[rank].rows() == 0) return std::nullopt;
  for (int other = rank + step; other >= 0 && other < ranks_; other += step)
    if ((*this)[other].rows() > 0) return other;
  return std::nullopt;
}

}  // namespace quoin
