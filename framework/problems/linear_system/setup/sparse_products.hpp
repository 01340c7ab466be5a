#pragma once

// Matrices made of matrices. Every sum is one chain of fma by ascending index, so that it is the same everywhere.

#include "quoin/sparse_matrix.hpp"

namespace quoin {

SparseMatrix transposed(const SparseMatrix& a);
/// a b, with an entry wherever a term is.
SparseMatrix product_of(const SparseMatrix& a, const SparseMatrix& b);

}  // namespace quoin
