// What `quoin bench end` makes of the seconds of its runs.

#include "bench/end_report.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace quoin::bench::end {
namespace {

using ::testing::HasSubstr;

/// A run whose process takes 0.5 s around 1 s of set-up, this loop and 2 s behind it.
Json run_with(double loop) {
  return {{"process_seconds", loop + 3.5},
          {"wall_seconds", loop + 3.0},
          {"setup_seconds", 1.0},
          {"loop_seconds", loop},
          {"end_seconds", {{"fields", 1.5}, {"errors", 0.5}}},
          {"triad_gbytes_per_second", nullptr},
          {"field_sha256", "a"}};
}

Json study(const Json& goal, const std::vector<double>& loops) {
  Json row{{"requested", "serial"}, {"backend", "serial"}, {"device", "a core"}, {"precision", "double"}};
  for (const double loop : loops) row["repeats"].push_back(run_with(loop));
  return {{"repeats", loops.size()},
          {"backends", {"serial"}},
          {"cases", {{{"case", "waves"}, {"goal", goal}, {"rows", {row}}}}}};
}

TEST(EndReport, TellsWhereTheTimeWent) {
  Json all = study(nullptr, {7.0, 1.0, 3.5});
  evaluate(all);
  const Json& row = all["cases"][0]["rows"][0];
  EXPECT_DOUBLE_EQ(row["seconds"]["start"]["median"], 0.5);
  EXPECT_DOUBLE_EQ(row["seconds"]["setup"]["max"], 1.0);
  EXPECT_DOUBLE_EQ(row["seconds"]["loop"]["min"], 1.0);
  EXPECT_DOUBLE_EQ(row["seconds"]["fields"]["median"], 1.5);
  EXPECT_DOUBLE_EQ(row["seconds"]["checkpoint"]["median"], 0.0);
  EXPECT_DOUBLE_EQ(row["seconds"]["all"]["median"], 7.0);
  EXPECT_DOUBLE_EQ(row["beside_loop"]["median"], 3.5);
  EXPECT_DOUBLE_EQ(row["over_loop"]["median"], 2.0);
  EXPECT_DOUBLE_EQ(row["over_loop"]["max"], 4.5);
  EXPECT_FALSE(row.contains("reached"));
  EXPECT_THAT(table(all), HasSubstr("2.00  -       equal"));
}

TEST(EndReport, HoldsTheMedianAgainstTheGoal) {
  const auto reached = [](const char* figure, double must) {
    Json all = study({{"figure", figure}, {"must", must}, {"aim", 0.0}}, {7.0, 1.0, 3.5});
    evaluate(all);
    EXPECT_THAT(table(all), HasSubstr(all["cases"][0]["rows"][0]["reached"] == true ? " reached " : " missed "));
    return all["cases"][0]["rows"][0]["reached"].get<bool>();
  };
  EXPECT_TRUE(reached("over_loop", 2.0));
  EXPECT_FALSE(reached("over_loop", 1.99));
  EXPECT_TRUE(reached("beside_loop", 3.5));
  EXPECT_FALSE(reached("beside_loop", 3.49));
}

}  // namespace
}  // namespace quoin::bench::end
