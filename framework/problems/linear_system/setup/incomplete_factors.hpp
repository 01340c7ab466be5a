#pragma once

// Incomplete factors of a matrix, with entries only where it has some: A is near (I + lower) D (I + upper). All numbers
// are those of a precision.

#include <cstdint>
#include <span>
#include <vector>

#include "quoin/precision.hpp"
#include "quoin/sparse_matrix.hpp"

namespace quoin {

struct IncompleteFactors {
  SparseMatrix lower, upper;             ///< without the diagonal
  std::vector<double> inverse_diagonal;  ///< of D
  std::int64_t zero_pivot = -1;  ///< the first row whose pivot is zero or not finite: the rest is not to be used
};

// The entries of the factors L, without its ones, and U = D (I + upper) of a matrix `a` that has an entry on the
// diagonal of each row. They take the places of its own.

/// By elimination, row by row.
std::vector<double> eliminated(const SparseMatrix& a, Precision precision);
/// What sweeps over all entries start from: the lower triangle over the diagonal, and the upper one.
std::vector<double> before_sweeps(const SparseMatrix& a, Precision precision);
/// The factors with these entries.
IncompleteFactors factors_of(const SparseMatrix& a, std::span<const double> entries, Precision precision);

}  // namespace quoin
