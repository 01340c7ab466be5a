// What `quoin bench dgcvs` makes of the figures of its runs.

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/dgcvs_report.hpp"

namespace quoin::bench::dgcvs {
namespace {

using ::testing::HasSubstr;

/// A row of a backend with ten cells and ten vertices, of runs of 100 steps with these seconds and hashes.
Json row(const std::string& backend, const std::vector<std::pair<double, std::string>>& runs) {
  Json result{{"requested", backend},    {"backend", backend}, {"device", "a device"},
              {"precision", "double"},   {"steps", 100},       {"entities", {{"cells", 10}, {"vertices", 10}}},
              {"repeats", Json::array()}};
  constexpr double launches = 2e-6;
  for (const auto& [seconds, hash] : runs)
    result["repeats"].push_back({{"seconds", seconds}, {"loop_seconds", seconds + launches}, {"field_sha256", hash}});
  return result;
}

Json study(const std::vector<Json>& rows) {
  Json backends = Json::array();
  for (const Json& one : rows) backends.push_back(one["requested"]);
  return {{"repeats", 4},
          {"backends", backends},
          {"machine", {{"cores", 2}, {"one_core", {{"samples", {90, 100}}}}, {"all_cores", {{"samples", {190, 180}}}}}},
          {"cases", {{{"case", "waves"}, {"equation", "burgers"}, {"order", 1}, {"backends", rows}}}}};
}

TEST(BenchReport, TakesMediansExtremesAndRates) {
  Json all = study({row("serial", {{4e-6, "a"}, {2e-6, "a"}, {10e-6, "a"}, {6e-6, "a"}})});
  evaluate(all);
  const Json& found = all["cases"][0]["backends"][0];
  EXPECT_DOUBLE_EQ(found["ns_per_entity_update"]["median"], 2.5);
  EXPECT_DOUBLE_EQ(found["ns_per_entity_update"]["min"], 1.0);
  EXPECT_DOUBLE_EQ(found["ns_per_entity_update"]["max"], 5.0);
  EXPECT_DOUBLE_EQ(found["seconds_per_step"]["median"], 50e-9);
  EXPECT_DOUBLE_EQ(found["loop_seconds_per_step"]["median"], 70e-9);
  EXPECT_DOUBLE_EQ(found["entity_updates_per_second"], 4e8);
  EXPECT_DOUBLE_EQ(found["nominal_gflops"], 1320.0);
  EXPECT_DOUBLE_EQ(all["machine"]["one_core"]["gflops"], 100.0);
  EXPECT_DOUBLE_EQ(all["machine"]["all_cores"]["gflops"], 190.0);
  EXPECT_DOUBLE_EQ(found["percent_of_core"], 1320.0);
}

TEST(BenchReport, ComparesWithTheFirstThatRan) {
  const Json failed{{"requested", "nonesuch"}, {"error", "there is no such backend"}};
  Json all = study({failed, row("serial", {{4e-6, "a"}, {4e-6, "a"}}), row("openmp", {{2e-6, "a"}, {2e-6, "a"}})});
  evaluate(all);
  const Json& rows = all["cases"][0]["backends"];
  EXPECT_FALSE(rows[0].contains("speed_ratio"));
  EXPECT_EQ(rows[1]["speed_ratio"], 1.0);
  EXPECT_EQ(rows[2]["speed_ratio"], 2.0);
  EXPECT_DOUBLE_EQ(rows[2]["loop_speed_ratio"], 1.5);
  EXPECT_TRUE(rows[2]["same_fields"]);
  EXPECT_TRUE(rows[2]["percent_of_core"].is_null());  // of how many cores, it does not say
  EXPECT_THAT(table(all), HasSubstr("there is no such backend"));
  EXPECT_THAT(table(all), HasSubstr("[3] openmp: a device"));
}

TEST(BenchReport, TellsFieldsThatDiffer) {
  Json all = study({row("serial", {{4e-6, "a"}, {4e-6, "a"}}), row("openmp", {{2e-6, "a"}, {2e-6, "b"}})});
  evaluate(all);
  EXPECT_TRUE(all["cases"][0]["backends"][0]["same_fields"]);
  EXPECT_FALSE(all["cases"][0]["backends"][1]["same_fields"]);
  EXPECT_THAT(table(all), HasSubstr("differ"));
}

TEST(BenchReport, SaysWhatDidNotRun) {
  Json all = study({Json{{"requested", "serial"}}});
  evaluate(all);
  EXPECT_THAT(table(all), HasSubstr("not run"));
}

}  // namespace
}  // namespace quoin::bench::dgcvs
