#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "quoin/error.hpp"
#include "quoin/matrix_market.hpp"

namespace quoin::test {

/// The place and the sentence of the error that must come.
inline std::string mistake(ErrorKind kind, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.where() + ": " + error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

inline std::string mistake(const std::string& text, const MarketOptions& options = {}) {
  return mistake(ErrorKind::case_file, [&] { parse_matrix(text, "a.mtx", options); });
}

/// What a file with these words in its first line holds, its mistakes included.
inline std::string market(const std::string& words, const std::string& rest) {
  return "%%MatrixMarket matrix " + words + "\n" + rest;
}

/// The entries, by row and column from 1 as in a file; and that the matrix keeps its promises.
inline std::map<std::pair<std::int64_t, std::int64_t>, double> entries_of(const SparseMatrix& matrix) {
  std::map<std::pair<std::int64_t, std::int64_t>, double> entries;
  EXPECT_EQ(matrix.at.size(), static_cast<std::size_t>(matrix.rows) + 1);
  EXPECT_EQ(matrix.at.front(), 0);
  EXPECT_EQ(matrix.at.back(), static_cast<std::int64_t>(matrix.column.size()));
  EXPECT_EQ(matrix.column.size(), matrix.value.size());
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const auto begin = matrix.column.begin() + matrix.at[row], end = matrix.column.begin() + matrix.at[row + 1];
    EXPECT_EQ(std::adjacent_find(begin, end, std::greater_equal<>()), end) << "row " << row;
    for (std::int64_t k = matrix.at[row]; k < matrix.at[row + 1]; ++k) {
      EXPECT_TRUE(matrix.column[k] >= 0 && matrix.column[k] < matrix.columns);
      entries[{row + 1, matrix.column[k] + 1}] = matrix.value[k];
    }
  }
  return entries;
}

}  // namespace quoin::test
