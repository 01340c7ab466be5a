// What is said of a matrix.

#include <gmock/gmock.h>

#include <cmath>
#include <random>

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

/// Some entries with partners, some of those with other values, and some alone, on either side.
TEST(MatrixFacts, OfManyMatricesAreThoseOfTheirDefinition) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const std::size_t size = 1 + seed;
    std::vector<std::vector<double>> rows(size, std::vector<double>(size));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const auto kind = random() % 8;
        if (kind < 3) rows[i][j] = rows[j][i] = static_cast<double>(random() % 5);
        if (kind == 3) rows[i][j] = static_cast<double>(random() % 5);
        if (kind == 4) rows[j][i] = static_cast<double>(random() % 5);
        if (kind == 5) rows[i][j] = rows[j][i] + static_cast<double>(random() % 3);
      }
    }
    std::int64_t alone = 0, diagonal = 0, dominant = 0;
    double difference = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      double others = 0.0;
      for (std::size_t j = 0; j < size; ++j) {
        if (rows[i][j] != 0.0 && rows[j][i] == 0.0) ++alone;
        difference = std::max(difference, std::abs(rows[i][j] - rows[j][i]));
        if (i != j) others += std::abs(rows[i][j]);
      }
      if (rows[i][i] == 0.0) ++diagonal;
      if (rows[i][i] > 0.0 && rows[i][i] >= others) ++dominant;
    }
    const MatrixFacts facts = facts_of(sparse(rows));
    EXPECT_EQ(facts.without_partner, alone);
    EXPECT_EQ(facts.largest_difference, difference);
    EXPECT_EQ(facts.without_diagonal, diagonal);
    EXPECT_EQ(facts.dominant_rows, dominant);
  }
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
