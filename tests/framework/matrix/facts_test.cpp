// What is said of a matrix.

#include <gmock/gmock.h>

#include "quoin/sparse_matrix.hpp"

namespace quoin {
namespace {

/// From its dense rows; zeros are no entries.
SparseMatrix sparse(const std::vector<std::vector<double>>& rows) {
  SparseMatrix matrix;
  matrix.rows = static_cast<std::int64_t>(rows.size());
  matrix.columns = static_cast<std::int64_t>(rows.front().size());
  matrix.at.push_back(0);
  for (const std::vector<double>& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column] == 0.0) continue;
      matrix.column.push_back(static_cast<std::int64_t>(column));
      matrix.value.push_back(row[column]);
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.value.size()));
  }
  return matrix;
}

TEST(MatrixFacts, OfASymmetricMatrix) {
  const MatrixFacts facts = facts_of(sparse({{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}));
  EXPECT_TRUE(facts.symmetric());
  EXPECT_EQ(facts.shortest_row, 2);
  EXPECT_EQ(facts.longest_row, 3);
  EXPECT_EQ(facts.below, 1);
  EXPECT_EQ(facts.above, 1);
  EXPECT_EQ(facts.without_diagonal, 0);
  EXPECT_EQ(facts.dominant_rows, 3);
  EXPECT_EQ(facts.largest_entry, 2.0);
}

TEST(MatrixFacts, OfValuesThatDiffer) {
  const MatrixFacts facts = facts_of(sparse({{1, 4}, {3.5, 2}}));
  EXPECT_FALSE(facts.symmetric());
  EXPECT_EQ(facts.without_partner, 0);
  EXPECT_EQ(facts.largest_difference, 0.5);
  EXPECT_EQ(facts.dominant_rows, 0);
}

TEST(MatrixFacts, OfEntriesOnOneSide) {
  const MatrixFacts facts = facts_of(sparse({{0, 0, 0, -7}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(facts.without_partner, 1);
  EXPECT_EQ(facts.largest_difference, 7.0);
  EXPECT_EQ(facts.above, 3);
  EXPECT_EQ(facts.below, 0);
  EXPECT_EQ(facts.without_diagonal, 3);
  EXPECT_EQ(facts.empty_rows, 2);
  EXPECT_EQ(facts.shortest_row, 0);
}

TEST(MatrixFacts, OfAMatrixThatIsNotSquare) {
  const MatrixFacts facts = facts_of(sparse({{1, 0, 0, 2}, {0, 0, 3, 0}}));
  EXPECT_EQ(facts.above, 3);
  EXPECT_EQ(facts.median_row, 2);
  EXPECT_EQ(facts.without_diagonal, 0);
  EXPECT_EQ(facts.without_partner, 0);
}

}  // namespace
}  // namespace quoin
