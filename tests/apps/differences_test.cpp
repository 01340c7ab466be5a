#include "differences.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace quoin {
namespace {

using ::testing::DoubleEq;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Difference, IsOfTheValues) {
  const FieldDifference found = difference(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{1.0, 2.5, 3.0, 2.0});
  EXPECT_FALSE(found.equal_bits);
  EXPECT_EQ(found.largest, 2.0);
  EXPECT_THAT(found.l2, DoubleEq(std::sqrt((0.25 + 4.0) / 4.0)));
}

TEST(Difference, OfEqualBitsIsZeroWhateverTheyAre) {
  const std::vector same{0.0, -0.0, nan, infinity, -infinity};
  const FieldDifference found = difference(same, same);
  EXPECT_TRUE(found.equal_bits);
  EXPECT_EQ(found.largest, 0.0);
  EXPECT_EQ(found.l2, 0.0);
  EXPECT_TRUE(difference({}, {}).equal_bits);
  EXPECT_EQ(difference({}, {}).l2, 0.0);
}

TEST(Difference, SeesTheSignOfZero) {
  const FieldDifference found = difference(std::vector{0.0}, std::vector{-0.0});
  EXPECT_FALSE(found.equal_bits);
  EXPECT_EQ(found.largest, 0.0);
}

TEST(Difference, ToWhatIsNoNumberIsNone) {
  for (const auto& [a, b] : {std::pair{std::vector{nan, 1.0}, std::vector{1.0, 9.0}},
                             std::pair{std::vector{1.0, 9.0}, std::vector{9.0, nan}}}) {
    EXPECT_TRUE(std::isnan(difference(a, b).largest));
    EXPECT_FALSE(difference(a, b).equal_bits);
  }
  EXPECT_EQ(difference(std::vector{infinity}, std::vector{-infinity}).largest, infinity);
}

TEST(Differences, OfFiguresAndTimesAreTakenApart) {
  const Json a = Json::parse(R"({"status": "converged", "iterations": 3, "errors": {"l1": 1e-3, "l2": 2e-3},
    "wall_seconds": 2.0, "end_seconds": {"rates": 0.0}, "host": {"name": "here"}, "kernels": [{"calls": 1}],
    "versions": {"quoin": "1"}, "launches": 4, "residual": null})");
  const Json b = Json::parse(R"({"status": "converged", "iterations": 4, "errors": {"l1": 1e-3, "l2": null},
    "wall_seconds": 3.0, "end_seconds": {"rates": 1.0}, "host": {"name": "there"}, "kernels": [],
    "versions": {"quoin": "2"}, "launches": 5, "residual": null, "mass": {"end": 1}})");
  EXPECT_EQ(figure_differences(a, b), Json::parse(R"([{"name": "errors.l2", "a": 2e-3, "b": null},
    {"name": "iterations", "a": 3, "b": 4}, {"name": "mass.end", "a": null, "b": 1}])"));
  EXPECT_EQ(time_differences(a, b), Json::parse(R"([{"name": "end_seconds.rates", "a": 0.0, "b": 1.0, "ratio": null},
    {"name": "wall_seconds", "a": 2.0, "b": 3.0, "ratio": 1.5}])"));
}

TEST(Columns, StandBelowEachOtherWhateverTheLettersAre) {
  EXPECT_EQ(in_columns({{"größe", "1"}, {"a", "222"}, {"", ""}}, "lr"), "größe    1\na      222\n\n");
}

}  // namespace
}  // namespace quoin
