#include <gmock/gmock.h>

#include "quoin/sparse_matrix.hpp"

namespace quoin {
namespace {

using testing::Each;
using testing::ElementsAre;

/// With the entries for which `has` is true.
template <class Has>
SparseMatrix matrix_of(std::int64_t rows, std::int64_t columns, const Has& has) {
  SparseMatrix matrix{rows, columns, {0}, {}, {}};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      if (has(i, j)) matrix.column.push_back(j);
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  matrix.value.assign(matrix.column.size(), 1.0);
  return matrix;
}

TEST(MatrixPicture, OfASmallMatrixShowsEachEntry) {
  const auto picture = picture_of(matrix_of(3, 4, [](auto i, auto j) { return i == j || (i == 2 && j > 0); }));
  EXPECT_THAT(picture.pattern, ElementsAre("9...", ".9..", ".999"));
  EXPECT_THAT(picture.row_lengths, ElementsAre(0, 2, 0, 1));
}

TEST(MatrixPicture, TellsHowFullAPartIs) {
  // Parts of 100 x 100 positions, the first full, of the others a tenth and less.
  const auto picture = picture_of(matrix_of(6400, 200, [](std::int64_t i, std::int64_t j) {
    if (i < 100) return true;
    if (i < 200) return j % 10 == 0;
    if (i < 300) return j == 0 || (j == 100 && i == 200);
    return false;
  }));
  ASSERT_EQ(picture.pattern.size(), 64);
  // Parts of 3 or 4 columns.
  EXPECT_THAT(picture.pattern[0], Each('9'));
  EXPECT_EQ(picture.pattern[2][0], '9');
  EXPECT_EQ(picture.pattern[2][32], '7');  // one of 300
  EXPECT_THAT(picture.pattern[63], Each('.'));
  EXPECT_THAT(picture.row_lengths, ElementsAre(6100, 99, 1, 0, 0, 0, 100, 0, 0, 100));
}

TEST(MatrixPicture, OfNothingIsEmpty) {
  EXPECT_TRUE(picture_of({0, 0, {0}, {}, {}}).pattern.empty());
  const auto picture = picture_of({2, 0, {0, 0, 0}, {}, {}});
  EXPECT_THAT(picture.pattern, ElementsAre("", ""));
  EXPECT_THAT(picture.row_lengths, ElementsAre(2));
}

}  // namespace
}  // namespace quoin
