// The formats ELL and COO and the hybrid of both: what is stored of a matrix, and where.

#include "problems/linear_system/setup/entries.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "problems/linear_system/setup/generators.hpp"

namespace quoin::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// Segments of these lengths: the entry k of segment s is in column s + k and has the value 100 s + k.
SparseMatrix segments_of(const std::vector<std::int64_t>& lengths) {
  const auto rows = static_cast<std::int64_t>(lengths.size());
  SparseMatrix matrix{rows, rows + 32, {0}, {}, {}};
  for (std::int64_t s = 0; s < rows; ++s) {
    for (std::int64_t k = 0; k < lengths[static_cast<std::size_t>(s)]; ++k) {
      matrix.column.push_back(s + k);
      matrix.value.push_back(static_cast<double>(100 * s + k));
    }
    matrix.at.push_back(static_cast<std::int64_t>(matrix.column.size()));
  }
  return matrix;
}

TEST(EntryColumns, HoldTheFirstEntriesSideBySide) {
  const EntryColumns columns = entry_columns(segments_of({2, 0, 3}), 2);
  EXPECT_EQ(columns.pitch, 32);
  EXPECT_EQ(columns.steps, 2);
  EXPECT_EQ(columns.entries, 4);
  const auto at = [&](std::size_t s, std::size_t k) { return columns.value.at(32 * k + s); };
  EXPECT_THAT((std::vector{at(0, 0), at(0, 1), at(2, 0), at(2, 1)}), ElementsAre(0.0, 1.0, 200.0, 201.0));
  EXPECT_EQ(columns.column.at(32 + 2), 3);
  for (std::size_t k = 0; k < columns.value.size(); ++k) {
    if (columns.column[k] != INT32_MIN) continue;
    EXPECT_TRUE(columns.value[k] == 0.0 && std::signbit(columns.value[k])) << k;
  }
  EXPECT_EQ(std::ranges::count(columns.column, INT32_MIN), 64 - 4);
}

TEST(EntryRuns, HoldTheRestAndNeverCutASegment) {
  const SparseMatrix segments = segments_of({20, 20, 0, 31, 32, 1, 1, 0, 32, 3});
  for (const std::int64_t steps : {0, 1, 20, 31, 32}) {
    const EntryRuns runs = entry_runs(segments, steps);
    std::size_t place = 0;
    for (std::int64_t s = 0; s < segments.rows; ++s) {
      const std::int64_t first = segments.at[static_cast<std::size_t>(s)];
      const std::int64_t end = segments.at[static_cast<std::size_t>(s) + 1];
      for (std::int64_t k = first + steps; k < end; ++k, ++place) {
        EXPECT_EQ(runs.segment.at(place), s);
        EXPECT_EQ(runs.column.at(place), segments.column[static_cast<std::size_t>(k)]);
        EXPECT_EQ(runs.value.at(place), segments.value[static_cast<std::size_t>(k)]);
      }
      if (steps > 0 || first < end) continue;
      EXPECT_EQ(runs.segment.at(place), s);
      EXPECT_EQ(runs.column.at(place), INT32_MIN);
      EXPECT_TRUE(std::signbit(runs.value.at(place++)));
    }
    EXPECT_EQ(runs.value.size(), place);
    EXPECT_EQ(runs.at.front(), 0);
    EXPECT_EQ(runs.at.back(), static_cast<std::int64_t>(place));
    for (std::size_t r = 1; r + 1 < runs.at.size(); ++r) {
      const auto k = static_cast<std::size_t>(runs.at[r]);
      EXPECT_NE(runs.segment.at(k), runs.segment.at(k - 1));
      EXPECT_LE(runs.at[r] - runs.at[r - 1], run_length);
      EXPECT_GT(runs.at[r + 1] - runs.at[r - 1], run_length);  // no two that could be one
    }
  }
}

TEST(HybridSteps, SufficeForFourOfFiveSegments) {
  EXPECT_EQ(hybrid_steps(segments_of({4, 3, 5, 6, 32})), 6);
  EXPECT_EQ(hybrid_steps(segments_of({4, 3, 5, 32, 32})), 32);
  EXPECT_EQ(hybrid_steps(segments_of({7, 7, 7, 7, 7})), 7);
  EXPECT_EQ(hybrid_steps(segments_of({0, 0, 0, 0, 9})), 0);
  EXPECT_EQ(hybrid_steps(segments_of({0, 0, 0})), 0);
  // 30 steps would be four places for each entry.
  EXPECT_EQ(hybrid_steps(segments_of({0, 0, 0, 30, 30, 30, 0, 0, 0, 0, 0, 0})), 22);
}

TEST(ColumnSlots, CountSegmentsOfLongRows) {
  EXPECT_DOUBLE_EQ(column_slots(segments_of({4, 4, 4})), 1.0);
  EXPECT_DOUBLE_EQ(column_slots(segments_of({1, 1, 10})), 30.0 / 12.0);
  EXPECT_DOUBLE_EQ(column_slots(segments_of({2, 33, 2})), (3 * 2 + 2 * 32) / 37.0);
  EXPECT_DOUBLE_EQ(column_slots(segments_of({0})), 0.0);
}

}  // namespace
}  // namespace quoin::test
