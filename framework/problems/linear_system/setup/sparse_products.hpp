#pragma once

// Matrices made of matrices. Every sum is one chain of fma by ascending index, so that it is the same everywhere.

#include "quoin/sparse_matrix.hpp"

namespace quoin {

/// Rows that are worth a thread of their own.
inline constexpr std::int64_t rows_of_thread = 4096;

/// One without rows yet, and with room for so many rows and entries.
SparseMatrix matrix_with_room(std::int64_t rows, std::int64_t columns, std::int64_t entries);
/// One whose at[r + 1] is the number of entries of row r: makes it where the row ends, and room for all entries, 0
/// each.
void place_entries(SparseMatrix& matrix);
/// The entries [first, last) of another matrix as one more row.
void append_row(SparseMatrix& to, const SparseMatrix& from, std::int64_t first, std::int64_t last);

SparseMatrix transposed(const SparseMatrix& a);
/// a b, with an entry wherever a term is.
SparseMatrix product_of(const SparseMatrix& a, const SparseMatrix& b);

}  // namespace quoin
