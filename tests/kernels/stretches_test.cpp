#include "kernels/stretches.hpp"

#include <gtest/gtest.h>

namespace quoin::kernels {
namespace {

constexpr std::uint64_t entry = 12, at_once = 131072, group = 256;

std::uint64_t lanes_of_rows(std::int64_t length) {
  constexpr std::int64_t rows = 100000;
  return stretch_lanes(length * rows, entry, rows, at_once, group);
}

TEST(Stretches, ShortOnesAreReadByAsManyLanesAsThereAre) {
  EXPECT_EQ(lanes_of_rows(1), 0);
  EXPECT_EQ(lanes_of_rows(5), 0);  // 2184 lanes' fit, more than a multiprocessor has
}

TEST(Stretches, LongOnesAreReadByWholeGroupsThatTheCacheHolds) {
  EXPECT_EQ(lanes_of_rows(27), 2 * group);  // 404 lanes' fit
  for (std::int64_t length = 6; length <= 40; ++length) {
    const std::uint64_t lanes = lanes_of_rows(length);
    EXPECT_EQ(lanes % group, 0);
    EXPECT_NEAR(static_cast<double>(lanes), at_once / (static_cast<double>(entry) * static_cast<double>(length)),
                group / 2.0 + 1.0);
  }
}

TEST(Stretches, OneGroupReadsTheLongest) { EXPECT_EQ(lanes_of_rows(100000), group); }

TEST(Stretches, NothingIsChosenWithoutACacheOrEntries) {
  EXPECT_EQ(stretch_lanes(2700, entry, 100, 0, group), 0);
  EXPECT_EQ(stretch_lanes(0, entry, 100, at_once, group), 0);
}

}  // namespace
}  // namespace quoin::kernels
