#pragma once

#include "matrix/market_entries.hpp"

namespace quoin {

/// The entries by row and, where symmetry mirrors them, mirrored; those of a row in the order of the file.
SparseMatrix collect_rows(const MarketHeader& header, const MarketEntries& entries);

/// Brings each row into the order of its columns; what comes more than once in a column stays in the order of the file.
/// Returns the first row where there is such, or the number of rows.
std::int64_t sort_rows(SparseMatrix& matrix);

/// Makes one entry of those that lie in one place of sorted rows: their sum, from the first to the last.
void sum_duplicates(SparseMatrix& matrix);

}  // namespace quoin
