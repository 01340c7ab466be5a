#include "problems/jacobi/setup/strips.hpp"

#include <algorithm>

#include "quoin/kernel_entry.hpp"

namespace quoin {

Strips::Strips(std::int64_t rows, int ranks) {
  const std::int64_t blocks = (rows + block_rows - 1) / block_rows;
  for (int rank = 0; rank <= ranks; ++rank) first_.push_back(std::min(blocks * rank / ranks * block_rows, rows));
}

Strips Strips::coarser(const std::vector<std::int64_t>& first) const {
  Strips made;
  for (int rank = 0; rank < ranks(); ++rank)
    made.first_.push_back(std::ranges::lower_bound(first, (*this)[rank].first) - first.begin());
  made.first_.push_back(static_cast<std::int64_t>(first.size()));
  return made;
}

Strip Strips::operator[](int rank) const {
  return {first_[static_cast<std::size_t>(rank)], first_[static_cast<std::size_t>(rank) + 1]};
}

std::optional<int> Strips::beside(int rank, int step) const {
  if ((*this)[rank].rows() == 0) return std::nullopt;
  for (int other = rank + step; other >= 0 && other < ranks(); other += step)
    if ((*this)[other].rows() > 0) return other;
  return std::nullopt;
}

bool Strips::hold(const Strips& finer, std::int64_t least) const {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (finer[rank].rows() == 0) continue;
    const std::int64_t needed = finer.above(rank) ? least : 1;
    if ((*this)[rank].rows() < needed) return false;
  }
  return true;
}

}  // namespace quoin
