// The model that `quoin bench scaling` fits to its rows.

#include "bench/scaling_model.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace quoin::bench::scaling {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What a machine that is as the model says would measure.
Sample sample_of(const Model& machine, int ranks, double entities, double bytes = 4096.0) {
  Sample sample{.ranks = ranks, .entities = entities, .messages = 0.25, .bytes = bytes, .collectives = 0.125};
  sample.kernels = machine.kernels(entities);
  sample.loop = machine.loop(sample);
  return sample;
}

TEST(ScalingModel, FindsTheCoefficientsOfAMachineThatIsSo) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6, .per_byte = 1e-10};
  const Model found =
      fit({sample_of(machine, 2, 1e6), sample_of(machine, 4, 5e5), sample_of(machine, 16, 1e5)}).value();
  EXPECT_NEAR(found.per_entity, machine.per_entity, 1e-6 * machine.per_entity);
  EXPECT_NEAR(found.latency, machine.latency, 1e-6 * machine.latency);
  EXPECT_NEAR(found.per_byte, machine.per_byte, 1e-6 * machine.per_byte);
}

TEST(ScalingModel, CountsAHopForEachDoublingTwice) {
  const Model machine{.latency = 1.0};
  for (const auto& [ranks, hops] : std::vector<std::pair<int, double>>{{2, 2}, {3, 4}, {4, 4}, {5, 6}, {1024, 20}})
    EXPECT_EQ(machine.others({.ranks = ranks, .collectives = 1.0}), hops) << ranks;
  EXPECT_EQ(machine.others({.ranks = 4, .messages = 3.0, .bytes = 1e9}), 3.0);
}

TEST(ScalingModel, HasNoNegativeCoefficient) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  std::vector<Sample> samples{sample_of(machine, 2, 1e6), sample_of(machine, 4, 5e5), sample_of(machine, 8, 2.5e5)};
  samples[0].bytes *= 10;  // in less time than the others'
  samples[0].loop -= 1e-6;
  const Model found = fit(samples).value();
  EXPECT_GT(found.latency, 0.0);
  EXPECT_EQ(found.per_byte, 0.0);
  for (Sample& sample : samples) sample.loop = 0.9 * sample.kernels;  // work and travel at the same time
  EXPECT_EQ(fit(samples).value().latency, 0.0);
}

TEST(ScalingModel, TakesTheRateOfTheMostRanks) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  std::vector<Sample> samples{sample_of(machine, 2, 1e6), sample_of(machine, 8, 2.5e5), sample_of(machine, 4, 5e5)};
  samples[0].kernels *= 0.8;  // as fewer ranks have more of the memory each
  samples[2].kernels *= 0.9;
  EXPECT_DOUBLE_EQ(fit(samples).value().per_entity, machine.per_entity);
}

TEST(ScalingModel, NeedsTwoNumbersOfRanks) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  EXPECT_FALSE(fit({}).has_value());
  EXPECT_FALSE(fit({sample_of(machine, 4, 1e6), sample_of(machine, 4, 2e6)}).has_value());
}

TEST(ScalingModel, PartsAreWholeRowsOfBlocks) {
  EXPECT_EQ(largest_part({100, 96}, 32, 2), 6400);
  EXPECT_EQ(largest_part({100, 96}, 32, 3), 3200);
  EXPECT_EQ(largest_part({100, 96}, 32, 4), 0);
  EXPECT_EQ(largest_part({100, 97}, 32, 4), 3200);
  EXPECT_EQ(largest_part({10, 7}, 0, 3), 24);
  EXPECT_EQ(largest_part({10, 7}, 0, 70), 1);
  EXPECT_EQ(largest_part({10, 7}, 0, 71), 0);
}

Json row(const Model& machine, int ranks, double share) {
  const double nodes = 1024.0 * 4096;
  const Sample sample = sample_of(machine, ranks, nodes / ranks);
  Json run{{"seconds", 100 * sample.kernels}, {"loop_seconds", 100 * share * sample.loop}};
  run["traffic"] = {{"messages", 25}, {"bytes", 409600}, {"collectives", 12.5}};
  return {{"requested", "serial"},
          {"precision", "double"},
          {"ranks", ranks},
          {"nodes", {1024, 4096}},
          {"shares_cores", false},
          {"iterations", 100},
          {"us_per_iteration", {{"median", 1e6 * share * sample.loop}}},
          {"repeats", {run, run}}};
}

Json study(const std::vector<Json>& rows) {
  return {{"cases", {{{"case", "waves"}, {"rows_together", 32}, {"rows", rows}}}}};
}

TEST(ScalingModel, IsDrawnOutAsFarAsThereAreRows) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6, .per_byte = 1e-10};
  Json all = study({row(machine, 2, 1.0), row(machine, 4, 1.0), row(machine, 8, 1.0)});
  Json& of_case = all["cases"][0];
  add_models(of_case);
  ASSERT_EQ(of_case["models"].size(), 1U);
  const Json& model = of_case["models"][0];
  EXPECT_EQ(model["fitted_to_ranks"], Json({2, 4, 8}));
  EXPECT_NEAR(model["largest_error"].get<double>(), 0.0, 1e-6);
  ASSERT_EQ(model["points"].size(), 5U);
  const Json& hundred = model["points"][1];
  EXPECT_EQ(hundred["ranks"], 100);
  const double others = machine.others({.ranks = 100, .messages = 0.25, .bytes = 4096.0, .collectives = 0.125});
  const double part = 2 * 32 * 1024;  // of 128 rows of blocks
  EXPECT_NEAR(hundred["strong"]["us_per_iteration"].get<double>(), 1e6 * (machine.kernels(part) + others), 1e-3);
  EXPECT_NEAR(hundred["strong"]["efficiency"].get<double>(), machine.kernels(part) / (machine.kernels(part) + others),
              1e-6);
  const double each = 1024.0 * 512;
  EXPECT_NEAR(hundred["weak"]["us_per_iteration"].get<double>(), 1e6 * (machine.kernels(each) + others), 1e-3);
  EXPECT_TRUE(model["points"][2]["strong"].is_null());
  EXPECT_EQ(model["points"][4]["ranks"], 100'000);
  EXPECT_THAT(models_text(all),
              ::testing::AllOf(HasSubstr("A model, nothing of it measured"), HasSubstr("waves on serial"),
                               HasSubstr("of 2, 4, 8 ranks"), HasSubstr("  100000             -")));
}

TEST(ScalingModel, SaysHowFarItIsOff) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  Json all = study({row(machine, 2, 1.0), row(machine, 4, 1.5), row(machine, 8, 1.0)});
  add_models(all["cases"][0]);
  EXPECT_GT(all["cases"][0]["models"][0]["largest_error"].get<double>(), 0.1);
}

TEST(ScalingModel, LeavesOutRanksOfSeveralCores) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  const Model with_threads{.per_entity = 0.5e-9, .latency = 5e-6};
  Json all = study({row(with_threads, 2, 1.0), row(machine, 8, 1.0), row(machine, 16, 1.0)});
  add_models(all["cases"][0]);
  EXPECT_EQ(all["cases"][0]["models"][0]["fitted_to_ranks"], Json({8, 16}));
  all = study({row(with_threads, 2, 1.0), row(machine, 16, 1.0)});
  add_models(all["cases"][0]);
  EXPECT_THAT(all["cases"][0]["models"], IsEmpty());
}

TEST(ScalingModel, IsAbsentWithoutRowsToFit) {
  const Model machine{.per_entity = 2e-9, .latency = 5e-6};
  Json failed = row(machine, 4, 1.0);
  failed["error"] = "the run ended with code 7";
  Json crowded = row(machine, 8, 1.0);
  crowded["shares_cores"] = true;
  Json all = study({row(machine, 2, 1.0), failed, crowded});
  add_models(all["cases"][0]);
  EXPECT_THAT(all["cases"][0]["models"], IsEmpty());
  EXPECT_EQ(models_text(all), "");
}

}  // namespace
}  // namespace quoin::bench::scaling
