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
    result["repeats"].push_back({{"seconds", seconds},
                                 {"loop_seconds", seconds + launches},
                                 {"field_sha256", hash},
                                 {"multiply_add_gflops_per_second", seconds < 3e-6 ? 120.0 : 110.0},
                                 {"kernels", {{{"flops", 4000.0}}, {{"flops", 2000.0}}}}});
  return result;
}

Json study(const std::vector<Json>& rows) {
  Json backends = Json::array();
  for (const Json& one : rows) backends.push_back(one["requested"]);
  return {{"repeats", 4},
          {"backends", backends},
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
  EXPECT_DOUBLE_EQ(found["flops_per_update"], 3.0);  // of 2000
  EXPECT_DOUBLE_EQ(found["gflops"], 1.2);
  EXPECT_DOUBLE_EQ(found["multiply_add_gflops_per_second"], 120.0);
  EXPECT_DOUBLE_EQ(found["percent_of_multiply_adds"], 1.0);
}

TEST(BenchReport, DoesWithoutACeiling) {
  Json all = study({row("serial", {{4e-6, "a"}})});
  all["cases"][0]["backends"][0]["repeats"][0]["multiply_add_gflops_per_second"] = nullptr;
  evaluate(all);
  EXPECT_TRUE(all["cases"][0]["backends"][0]["percent_of_multiply_adds"].is_null());
  EXPECT_THAT(table(all), HasSubstr("serial"));
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
