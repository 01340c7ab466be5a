#include "problems/dgcvs/setup/series.hpp"

#include <gmock/gmock.h>

#include "temporary_folder.hpp"

namespace quoin {
namespace {

TEST(TimeSeries, IsLinearBetweenItsTimes) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path / "series.csv", "time,discharge\r\n0, 1\r\n2;3\n# a flood\n4, -1 # falls\n");
  const TimeSeries series(folder.path / "series.csv", 4.0);
  EXPECT_EQ(series.at(0.0), 1.0);
  EXPECT_EQ(series.at(0.5), 1.5);
  EXPECT_EQ(series.at(2.0), 3.0);
  EXPECT_EQ(series.at(3.0), 1.0);
  EXPECT_EQ(series.at(4.0), -1.0);
}

}  // namespace
}  // namespace quoin
