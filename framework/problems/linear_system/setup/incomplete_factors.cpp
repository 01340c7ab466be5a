#include "problems/linear_system/setup/incomplete_factors.hpp"

#include <cmath>

#include "problems/linear_system/setup/sparse_products.hpp"

namespace quoin {
namespace {

std::size_t begin_of(const SparseMatrix& a, std::int64_t row) {
  return static_cast<std::size_t>(a.at[static_cast<std::size_t>(row)]);
}

/// Where the diagonal entries are.
std::vector<std::size_t> diagonals(const SparseMatrix& a) {
  std::vector<std::size_t> place;
  for (std::int64_t row = 0; row < a.rows; ++row) {
    std::size_t k = begin_of(a, row);
    while (a.column[k] != row) ++k;
    place.push_back(k);
  }
  return place;
}

/// Passes over the rows. The entries of L without its ones, and of U, take the places of those of A.
class Elimination {
 public:
  explicit Elimination(const SparseMatrix& a)
      : a_(a), diagonal_(diagonals(a)), sum_(static_cast<std::size_t>(a.rows)), row_(sum_.size(), -1) {}

  [[nodiscard]] std::size_t diagonal(std::int64_t row) const { return diagonal_[static_cast<std::size_t>(row)]; }

  /// Writes `made`, from `known`: the same for elimination, or what the sweep before has made.
  void pass(const std::vector<double>& known, std::vector<double>& made) {
    const bool in_place = &known == &made;
    for (std::int64_t row = 0; row < a_.rows; ++row) {
      const std::size_t begin = begin_of(a_, row), end = begin_of(a_, row + 1);
      for (std::size_t k = begin; k < end; ++k) {
        sum(k) = a_.value[k];
        row_[static_cast<std::size_t>(a_.column[k])] = row;
      }
      for (std::size_t k = begin; k < diagonal(row); ++k) {
        const std::int64_t above = a_.column[k];
        made[k] = sum(k) / known[diagonal(above)];
        subtract(row, above, in_place ? made[k] : known[k], known);
      }
      for (std::size_t k = diagonal(row); k < end; ++k) made[k] = sum(k);
    }
  }

 private:
  double& sum(std::size_t k) { return sum_[static_cast<std::size_t>(a_.column[k])]; }
  void subtract(std::int64_t row, std::int64_t above, double factor, const std::vector<double>& known) {
    for (std::size_t k = diagonal(above) + 1; k < begin_of(a_, above + 1); ++k)
      if (row_[static_cast<std::size_t>(a_.column[k])] == row) sum(k) = std::fma(-factor, known[k], sum(k));
  }

  const SparseMatrix& a_;
  std::vector<std::size_t> diagonal_;
  std::vector<double> sum_;        // of each column
  std::vector<std::int64_t> row_;  // that has an entry in a column, of the newest
};

IncompleteFactors parted(const SparseMatrix& a, const Elimination& elimination, const std::vector<double>& value) {
  IncompleteFactors parts{matrix_with_room(a.rows, a.columns, a.entries() / 2),
                          matrix_with_room(a.rows, a.columns, a.entries() / 2),
                          {},
                          -1};
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const double pivot = value[elimination.diagonal(row)];
    if (parts.zero_pivot < 0 && (pivot == 0.0 || !std::isfinite(pivot))) parts.zero_pivot = row;
    parts.inverse_diagonal.push_back(1.0 / pivot);
    for (std::size_t k = begin_of(a, row); k < begin_of(a, row + 1); ++k) {
      if (a.column[k] == row) continue;
      const bool below = a.column[k] < row;
      SparseMatrix& part = below ? parts.lower : parts.upper;
      part.column.push_back(a.column[k]);
      part.value.push_back(below ? value[k] : value[k] / pivot);
    }
    parts.lower.at.push_back(static_cast<std::int64_t>(parts.lower.column.size()));
    parts.upper.at.push_back(static_cast<std::int64_t>(parts.upper.column.size()));
  }
  return parts;
}

}  // namespace

IncompleteFactors incomplete_factors(const SparseMatrix& a) {
  Elimination elimination(a);
  std::vector<double> value = a.value;
  elimination.pass(value, value);
  return parted(a, elimination, value);
}

IncompleteFactors incomplete_factors(const SparseMatrix& a, std::int64_t sweeps) {
  Elimination elimination(a);
  std::vector<double> value = a.value;
  for (std::int64_t row = 0; row < a.rows; ++row)
    for (std::size_t k = begin_of(a, row); k < elimination.diagonal(row); ++k)
      value[k] = a.value[k] / a.value[elimination.diagonal(a.column[k])];
  std::vector<double> next(value.size());
  for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
    elimination.pass(value, next);
    std::swap(value, next);
  }
  return parted(a, elimination, value);
}

}  // namespace quoin
