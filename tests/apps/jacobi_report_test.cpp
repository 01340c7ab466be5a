// What `quoin bench jacobi` makes of the figures of its runs.

#include "bench/jacobi_report.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace quoin::bench::jacobi {
namespace {

using ::testing::HasSubstr;

/// A row of runs of 10 iterations whose loops took so many seconds and whose fields have these hashes.
Json row(const std::string& variant, const std::vector<std::pair<double, std::string>>& runs,
         const std::string& precision = "double", const std::string& backend = "serial") {
  Json result{{"requested", backend}, {"variant", variant}, {"precision", precision},
              {"device", "a device"}, {"iterations", 10},   {"repeats", Json::array()}};
  for (const auto& [seconds, hash] : runs)
    result["repeats"].push_back({{"seconds", seconds / 2},
                                 {"loop_seconds", seconds},
                                 {"field_sha256", hash},
                                 {"history_sha256", "h"},
                                 {"triad_gbytes_per_second", 48.0}});
  return result;
}

/// A study of one case with 100 x 20 nodes whose source is an array: 48 kB an iteration in double.
Json study(const std::vector<Json>& rows) {
  return {{"repeats", 3},
          {"backends", {"serial", "other"}},
          {"cases",
           {{{"case", "poisson"}, {"nodes", {100, 20}}, {"source", "array"}, {"reals_per_point", 3}, {"rows", rows}}}}};
}

TEST(JacobiReport, TakesMediansRatiosAndTheRoofline) {
  Json all = study({row("classic", {{40e-6, "a"}, {80e-6, "a"}, {50e-6, "a"}}), row("fused", {{20e-6, "a"}}),
                    row("fused", {{10e-6, "b"}}, "float")});
  all["cases"][0]["rows"][1]["repeats"][0]["triad_gbytes_per_second"] = 96.0;
  evaluate(all);
  const Json& rows = all["cases"][0]["rows"];
  EXPECT_DOUBLE_EQ(rows[0]["us_per_iteration"]["median"], 5.0);
  EXPECT_DOUBLE_EQ(rows[0]["us_per_iteration"]["min"], 4.0);
  EXPECT_DOUBLE_EQ(rows[0]["us_per_iteration"]["max"], 8.0);
  EXPECT_DOUBLE_EQ(rows[0]["kernels_us_per_iteration"]["median"], 2.5);
  EXPECT_DOUBLE_EQ(rows[0]["speed_ratio"], 1.0);
  EXPECT_DOUBLE_EQ(rows[1]["speed_ratio"], 2.5);
  EXPECT_DOUBLE_EQ(rows[2]["speed_ratio"], 5.0);                                  // next to classic in double
  EXPECT_DOUBLE_EQ(all["devices"]["a device"]["triad_gbytes_per_second"], 96.0);  // the best of all rows
  EXPECT_DOUBLE_EQ(rows[0]["roofline_us_per_iteration"], 0.5);
  EXPECT_DOUBLE_EQ(rows[0]["percent_of_roofline"], 10.0);
  EXPECT_DOUBLE_EQ(rows[1]["percent_of_roofline"], 25.0);
  EXPECT_DOUBLE_EQ(rows[2]["roofline_us_per_iteration"], 0.25);
}

TEST(JacobiReport, ComparesBitsInOnePrecisionOverVariantsAndBackends) {
  Json all = study({row("classic", {{1, "a"}, {1, "a"}}), row("fused", {{1, "a"}, {1, "x"}}),
                    row("classic", {{1, "b"}}, "float"), row("fused", {{1, "b"}}, "float"),
                    row("classic", {{1, "a"}}, "double", "other"), row("fused", {{1, "a"}}, "double", "other")});
  all["cases"][0]["rows"][5]["repeats"][0]["history_sha256"] = "another";
  evaluate(all);
  std::vector<bool> same;
  for (const Json& one : all["cases"][0]["rows"]) same.push_back(one["same_bits"]);
  EXPECT_THAT(same, ::testing::ElementsAre(true, false, true, true, true, false));
  EXPECT_THAT(table(all), HasSubstr("differ"));
}

TEST(JacobiReport, SaysWhatIsMissing) {
  Json failed = row("classic", {{1, "a"}});
  failed["error"] = "the device was lost";
  Json without_rate = row("classic", {{1, "a"}}, "double", "other");
  without_rate["device"] = "an unknown device";
  without_rate["repeats"][0]["triad_gbytes_per_second"] = nullptr;
  Json all = study({failed, row("fused", {{1, "a"}}), without_rate,
                    Json{{"requested", "other"}, {"variant", "fused"}, {"precision", "double"}}});
  evaluate(all);
  const Json& rows = all["cases"][0]["rows"];
  EXPECT_FALSE(rows[0].contains("speed_ratio"));
  EXPECT_TRUE(rows[1]["speed_ratio"].is_null());  // never next to another backend's
  EXPECT_TRUE(rows[1]["same_bits"]);
  EXPECT_TRUE(rows[2]["percent_of_roofline"].is_null());
  const std::string text = table(all);
  for (const char* words :
       {"the device was lost", "not run", "Triad of a device: 48.0 GB/s", "[2] other: an unknown", "poisson 100 x 20"})
    EXPECT_THAT(text, HasSubstr(words));
}

}  // namespace
}  // namespace quoin::bench::jacobi
