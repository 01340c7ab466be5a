#include "problems/linear_system/setup/block_inverses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

bool same_columns(const SparseMatrix& a, std::int64_t row, std::int64_t other) {
  const auto begin = [&](std::int64_t r) { return a.column.begin() + a.at[static_cast<std::size_t>(r)]; };
  return std::equal(begin(row), begin(row + 1), begin(other), begin(other + 1));
}

/// A square matrix, row by row.
class Block {
 public:
  Block(const SparseMatrix& a, std::int64_t first, std::int64_t last)
      : size_(static_cast<std::size_t>(last - first)), element_(size_ * size_) {
    for (std::size_t i = 0; i < size_; ++i) {
      const std::size_t row = static_cast<std::size_t>(first) + i;
      for (auto k = static_cast<std::size_t>(a.at[row]); k < static_cast<std::size_t>(a.at[row + 1]); ++k)
        if (a.column[k] >= first && a.column[k] < last)
          (*this)(i, static_cast<std::size_t>(a.column[k] - first)) = a.value[k];
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  double& operator()(std::size_t i, std::size_t j) { return element_[i * size_ + j]; }

  /// In place. False, and then its elements mean nothing, where there is no inverse.
  bool invert() {
    std::vector<std::size_t> pivots(size_);
    for (std::size_t k = 0; k < size_; ++k) {
      pivots[k] = pivot(k);
      if ((*this)(pivots[k], k) == 0.0) return false;
      swap_rows(k, pivots[k]);
      eliminate(k);
    }
    for (std::size_t k = size_; k-- > 0;) swap_columns(k, pivots[k]);
    return std::all_of(element_.begin(), element_.end(), [](double value) { return std::isfinite(value); });
  }

 private:
  std::size_t pivot(std::size_t k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < size_; ++i)
      if (std::abs((*this)(i, k)) > std::abs((*this)(best, k))) best = i;
    return best;
  }
  void swap_rows(std::size_t k, std::size_t l) {
    for (std::size_t j = 0; j < size_; ++j) std::swap((*this)(k, j), (*this)(l, j));
  }
  void swap_columns(std::size_t k, std::size_t l) {
    for (std::size_t i = 0; i < size_; ++i) std::swap((*this)(i, k), (*this)(i, l));
  }
  void eliminate(std::size_t k) {
    const double inverse = 1.0 / (*this)(k, k);
    (*this)(k, k) = 1.0;
    for (std::size_t j = 0; j < size_; ++j) (*this)(k, j) *= inverse;
    for (std::size_t i = 0; i < size_; ++i) {
      if (i == k) continue;
      const double factor = std::exchange((*this)(i, k), 0.0);
      for (std::size_t j = 0; j < size_; ++j) (*this)(i, j) = std::fma(-factor, (*this)(k, j), (*this)(i, j));
    }
  }

  std::size_t size_;
  std::vector<double> element_;
};

}  // namespace

std::vector<std::int64_t> natural_blocks(std::int64_t rows, std::int64_t length) {
  std::vector<std::int64_t> first;
  for (std::int64_t row = 0; row < rows; row += length) first.push_back(row);
  first.push_back(rows);
  return first;
}

std::vector<std::int64_t> supervariable_blocks(const SparseMatrix& a, std::int64_t length) {
  std::vector<std::int64_t> first{0};
  for (std::int64_t row = 0; row < a.rows;) {
    std::int64_t end = row + 1;
    while (end < a.rows && end - row < length && same_columns(a, row, end)) ++end;
    if (end - first.back() > length) first.push_back(row);
    row = end;
  }
  first.push_back(a.rows);
  return first;
}

BlockInverses block_inverses(const SparseMatrix& a, const std::vector<std::int64_t>& first) {
  std::int64_t entries = 0;
  for (std::size_t b = 0; b + 1 < first.size(); ++b) entries += (first[b + 1] - first[b]) * (first[b + 1] - first[b]);
  BlockInverses made{matrix_with_room(a.rows, a.columns, entries), 0};
  SparseMatrix& inverse = made.matrix;
  for (std::size_t b = 0; b + 1 < first.size(); ++b) {
    Block block(a, first[b], first[b + 1]);
    const bool regular = block.invert();
    made.singular += !regular;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double pivot = regular ? 0.0 : diagonal(a, first[b] + static_cast<std::int64_t>(i));
      for (std::size_t j = 0; j < block.size(); ++j) {
        inverse.column.push_back(first[b] + static_cast<std::int64_t>(j));
        inverse.value.push_back(regular ? block(i, j) : i != j ? 0.0 : pivot == 0.0 ? 1.0 : 1.0 / pivot);
      }
      inverse.at.push_back(static_cast<std::int64_t>(inverse.column.size()));
    }
  }
  return made;
}

}  // namespace quoin
