#pragma once

// Rows of a matrix that belong together.

#include <cmath>
#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Which entries of a matrix tie their row to their column: those beside the diagonal whose square is more than
/// strength^2 |a(i, i) a(j, j)|.
class Ties {
 public:
  Ties(const SparseMatrix& a, double strength) : a_(a), square_(strength * strength) {
    diagonal_.reserve(static_cast<std::size_t>(a.rows));
    for (std::int64_t row = 0; row < a.rows; ++row) diagonal_.push_back(quoin::diagonal(a, row));
  }

  /// Of entry k, which is in the row.
  [[nodiscard]] bool strong(std::size_t row, std::size_t k) const {
    const auto column = static_cast<std::size_t>(a_.column[k]);
    return column != row && a_.value[k] * a_.value[k] > square_ * std::abs(diagonal_[row] * diagonal_[column]);
  }
  [[nodiscard]] const SparseMatrix& matrix() const { return a_; }
  [[nodiscard]] const std::vector<double>& diagonal() const { return diagonal_; }

 private:
  const SparseMatrix& a_;
  double square_;
  std::vector<double> diagonal_;
};

/// For each row its aggregate, numbered by their first rows, or -1 for a row without ties.
std::vector<std::int64_t> aggregates_of(const Ties& ties);

}  // namespace quoin
