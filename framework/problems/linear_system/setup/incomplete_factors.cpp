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

/// In the arithmetic of T. Quotients of floats may be taken in double: rounded to float, they are the same.
template <class T>
std::vector<double> eliminated_in(const SparseMatrix& a, std::vector<double> value) {
  const std::vector<std::size_t> diagonal = diagonals(a);
  std::vector<std::size_t> place(static_cast<std::size_t>(a.columns));  // of the newest row's entry in a column
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const std::size_t begin = begin_of(a, row), end = begin_of(a, row + 1);
    for (std::size_t k = begin; k < end; ++k) place[static_cast<std::size_t>(a.column[k])] = k;
    for (std::size_t k = begin; k < diagonal[static_cast<std::size_t>(row)]; ++k) {
      const std::int64_t above = a.column[k];
      const std::size_t pivot = diagonal[static_cast<std::size_t>(above)];
      value[k] = static_cast<T>(value[k] / value[pivot]);
      for (std::size_t u = pivot + 1; u < begin_of(a, above + 1); ++u) {
        const std::size_t to = place[static_cast<std::size_t>(a.column[u])];
        if (to < begin || to >= end || a.column[to] != a.column[u]) continue;
        value[to] = std::fma(static_cast<T>(-value[k]), static_cast<T>(value[u]), static_cast<T>(value[to]));
      }
    }
  }
  return value;
}

std::vector<double> values_in(const SparseMatrix& a, Precision precision) {
  std::vector<double> values = a.value;
  for (double& value : values) value = rounded(value, precision);
  return values;
}

}  // namespace

std::vector<double> eliminated(const SparseMatrix& a, Precision precision) {
  return precision == Precision::float32 ? eliminated_in<float>(a, values_in(a, precision))
                                         : eliminated_in<double>(a, values_in(a, precision));
}

std::vector<double> before_sweeps(const SparseMatrix& a, Precision precision) {
  const std::vector<std::size_t> diagonal = diagonals(a);
  const std::vector<double> values = values_in(a, precision);
  std::vector<double> start = values;
  for (std::int64_t row = 0; row < a.rows; ++row)
    for (std::size_t k = begin_of(a, row); k < diagonal[static_cast<std::size_t>(row)]; ++k)
      start[k] = rounded(values[k] / values[diagonal[static_cast<std::size_t>(a.column[k])]], precision);
  return start;
}

IncompleteFactors factors_of(const SparseMatrix& a, std::span<const double> entries, Precision precision) {
  const std::vector<std::size_t> diagonal = diagonals(a);
  IncompleteFactors factors{matrix_with_room(a.rows, a.columns, a.entries() / 2),
                            matrix_with_room(a.rows, a.columns, a.entries() / 2),
                            {},
                            -1};
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const double pivot = entries[diagonal[static_cast<std::size_t>(row)]];
    if (factors.zero_pivot < 0 && (pivot == 0.0 || !std::isfinite(pivot))) factors.zero_pivot = row;
    factors.inverse_diagonal.push_back(rounded(1.0 / pivot, precision));
    for (std::size_t k = begin_of(a, row); k < begin_of(a, row + 1); ++k) {
      if (a.column[k] == row) continue;
      const bool below = a.column[k] < row;
      SparseMatrix& part = below ? factors.lower : factors.upper;
      part.column.push_back(a.column[k]);
      part.value.push_back(below ? entries[k] : rounded(entries[k] / pivot, precision));
    }
    factors.lower.at.push_back(static_cast<std::int64_t>(factors.lower.column.size()));
    factors.upper.at.push_back(static_cast<std::int64_t>(factors.upper.column.size()));
  }
  return factors;
}

}  // namespace quoin
