#pragma once

// Incomplete factors of a matrix, with entries only where it has some: A is near (I + lower) D (I + upper).

#include <cstdint>
#include <vector>

#include "quoin/sparse_matrix.hpp"

namespace quoin {

struct IncompleteFactors {
  SparseMatrix lower, upper;             ///< without the diagonal
  std::vector<double> inverse_diagonal;  ///< of D
  std::int64_t zero_pivot = -1;  ///< the first row whose pivot is zero or not finite: the rest is not to be used
};

/// By elimination, row by row. `a` has an entry on the diagonal of each row.
IncompleteFactors incomplete_factors(const SparseMatrix& a);
/// By so many sweeps over all entries, each of which takes those of the sweep before: as many as elimination has levels
/// give its factors. E. Chow, A. Patel, Fine-grained parallel incomplete LU factorization, SIAM J. Sci. Comput. 37
/// (2015) C169-C193, whose sweeps take what is newest and so depend on the device.
IncompleteFactors incomplete_factors(const SparseMatrix& a, std::int64_t sweeps);

}  // namespace quoin
