// The format SELL: what is stored of a matrix, and once for how many slices.

#include "problems/linear_system/setup/slices.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "problems/linear_system/setup/generators.hpp"

namespace quoin::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// The matrix that slices stand for.
SparseMatrix rows_of(const Slices& slices, std::int64_t rows) {
  SparseMatrix matrix{rows, rows, {0}, {}, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto slice = static_cast<std::size_t>(row / 32);
    const std::int64_t lane = row % 32;
    for (std::int64_t k = 0; k < slices.steps[slice]; ++k) {
      const auto pattern = [&](std::int64_t place) {
        return slices.pattern[static_cast<std::size_t>(slices.pattern_at[slice] + place)];
      };
      std::int64_t column = row / 32 * 32;
      if (slices.kind[slice] == 0) column = row + pattern(k);
      if (slices.kind[slice] == 1)
        column = ((static_cast<std::uint32_t>(pattern(2 * k + 1)) >> lane) & 1) != 0 ? row + pattern(2 * k) : -1;
      if (slices.kind[slice] == 2) column = pattern(32 * k + lane) == INT32_MIN ? -1 : column + pattern(32 * k + lane);
      const double value = slices.value[static_cast<std::size_t>(slices.value_at[slice] + 32 * k + lane)];
      if (column < 0) {
        EXPECT_TRUE(value == 0.0 && std::signbit(value));
        continue;
      }
      matrix.column.push_back(column);
      matrix.value.push_back(value);
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

void expect_equal(const SparseMatrix& found, const SparseMatrix& expected) {
  EXPECT_EQ(found.at, expected.at);
  EXPECT_EQ(found.column, expected.column);
  EXPECT_EQ(found.value, expected.value);
}

/// Rows of up to `most` entries anywhere.
SparseMatrix random_matrix(std::int64_t rows, std::int64_t most) {
  std::mt19937 random(7);
  SparseMatrix matrix{rows, rows, {0}, {}, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t entries = static_cast<std::int64_t>(random() % static_cast<unsigned>(most + 1));
    const std::int64_t stride = std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, entries));
    for (std::int64_t k = 0; k < entries; ++k) {
      matrix.column.push_back(k * stride + static_cast<std::int64_t>(random() % static_cast<unsigned>(stride)));
      matrix.value.push_back(static_cast<double>(random() % 1000) - 500.0);
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

TEST(Slices, HoldTheMatrix) {
  const SparseMatrix matrices[] = {poisson_matrix({23, 17, 1}, 5), poisson_matrix({64, 9, 5}, 27),
                                   tridiagonal_matrix(32),         tridiagonal_matrix(33),
                                   random_matrix(500, 32),         random_matrix(100, 3)};
  for (const SparseMatrix& matrix : matrices)
    for (const Sharing sharing : {Sharing::off, Sharing::automatic, Sharing::on})
      expect_equal(rows_of(slices_of(matrix, sharing), matrix.rows), matrix);
}

TEST(Slices, AreShiftedWhereAllLanesAreAlikeAndMaskedBesideASide) {
  const Slices slices = slices_of(poisson_matrix({64, 64, 1}, 5), Sharing::off);
  EXPECT_EQ(slices.shared, 0);
  EXPECT_EQ(slices.count(), 128);
  // Two to a row of nodes: each is beside a side.
  EXPECT_THAT(slices.kind, Each(1));
  const Slices wide = slices_of(poisson_matrix({96, 3, 1}, 5), Sharing::off);
  EXPECT_THAT(wide.kind, ElementsAre(1, 0, 1, 1, 0, 1, 1, 0, 1));
  EXPECT_THAT(wide.steps, ElementsAre(4, 4, 4, 5, 5, 5, 4, 4, 4));
  EXPECT_THAT(slices_of(random_matrix(320, 9), Sharing::off).kind, Each(2));
}

TEST(Slices, AreStoredOnceWhereTheyAreAlike) {
  const SparseMatrix matrix = poisson_matrix({96, 50, 1}, 5);
  const Slices shared = slices_of(matrix, Sharing::on);
  // Left, middle and right; in the lowest, in an inner and in the uppermost row, whose values are alike but for those
  // of missing neighbours.
  EXPECT_EQ(shared.count(), 150);
  EXPECT_EQ(shared.shared, 150 - 9);
  const Slices all = slices_of(matrix, Sharing::off);
  EXPECT_EQ(all.value.size(), 32 * 5 * 144 + 32 * 4 * 6);
  EXPECT_LT(shared.value.size(), all.value.size() / 15);
}

TEST(Slices, AreDifferentWhereAZeroHasAnotherSign) {
  SparseMatrix matrix = tridiagonal_matrix(128);
  for (double& value : matrix.value) value = 0.0;
  const std::int64_t before = slices_of(matrix, Sharing::on).shared;
  matrix.value[static_cast<std::size_t>(matrix.at[40])] = -0.0;
  EXPECT_EQ(slices_of(matrix, Sharing::on).shared, before - 1);
}

TEST(Slices, AreNotComparedOnceTooManyDiffer) {
  SparseMatrix matrix{32 * 100'010, 32 * 100'010, {0}, {}, {}};
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    matrix.column.push_back(row);
    // All differ but the last two, which are like the first.
    matrix.value.push_back(static_cast<double>(row / 32 < 100'008 ? row / 32 : 0));
    matrix.at.push_back(row + 1);
  }
  EXPECT_EQ(slices_of(matrix, Sharing::automatic).shared, 0);
  EXPECT_EQ(slices_of(matrix, Sharing::on).shared, 2);
}

TEST(SliceSample, SaysWhatSlicesWouldHold) {
  const SliceSample poisson = sample_slices(poisson_matrix({96, 50, 1}, 5));
  EXPECT_EQ(poisson.aligned, 1.0);
  EXPECT_LT(poisson.slots, 1.01);
  EXPECT_EQ(sample_slices(random_matrix(3200, 20)).aligned, 0.0);
  EXPECT_GT(sample_slices(random_matrix(3200, 20)).slots, 1.5);
  // Rows of more than 32 entries are stored elsewhere.
  EXPECT_LT(sample_slices(arrow_matrix(3200)).slots, 1.01);
}

}  // namespace
}  // namespace quoin::test
