#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "quoin/kernel_entry.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Elements whose products are added up as one block.
inline constexpr std::int64_t vector_block = block_columns * block_rows;
/// Blocks of a vector with so many elements.
constexpr std::int64_t vector_blocks(std::int64_t rows) { return (rows + vector_block - 1) / vector_block; }

/// The rows [first, last) of a system.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] std::int64_t rows() const { return last - first; }
  /// Their elements of a vector.
  [[nodiscard]] std::span<const double> of(const std::vector<double>& values) const {
    return std::span(values).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows()));
  }
  /// Where there are none, a vector has one element all the same, and a matrix an empty row: no kernel is for nothing.
  [[nodiscard]] std::int64_t stored() const { return std::max<std::int64_t>(1, rows()); }
};

/// The rows of a matrix cut into a range for each rank: whole blocks of vectors, about equal in what a product and the
/// operations on vectors move. Where there are fewer blocks than ranks, some ranks have no rows.
class Cuts {
 public:
  Cuts() = default;  ///< of no rows
  Cuts(const SparseMatrix& matrix, int ranks);

  [[nodiscard]] int ranks() const { return static_cast<int>(first_.size()) - 1; }
  [[nodiscard]] std::int64_t rows() const { return first_.back(); }
  [[nodiscard]] RowRange operator[](int rank) const {
    return {first_[static_cast<std::size_t>(rank)], first_[static_cast<std::size_t>(rank) + 1]};
  }

 private:
  std::vector<std::int64_t> first_{0, 0};  // of each rank, and the end
};

}  // namespace quoin
