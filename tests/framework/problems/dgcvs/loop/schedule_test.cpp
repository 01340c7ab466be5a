#include "problems/dgcvs/loop/schedule.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

namespace quoin {
namespace {

using ::testing::ElementsAre;

Case parse(const std::string& equation, const std::string& method, const std::string& output) {
  return Case::parse("problem: {type: dg-cvs, equation: " + equation +
                         ", mesh: {cells: [2, 2]}, boundary: {left: periodic, right: periodic, bottom: periodic, "
                         "top: periodic}, initial: " +
                         (equation == "burgers" ? "'1'" : "{h: '1', hu: '0', hv: '0'}") + "}\nmethod: {final_time: 1" +
                         method + "}\nbackend: serial\noutput: {" + output + "}\n",
                     "case.yaml", {}, KeyTable::standard());
}

/// The steps 0 to 40 for which that holds.
std::vector<std::int64_t> steps(const std::function<bool(std::int64_t)>& holds) {
  std::vector<std::int64_t> found;
  for (std::int64_t step = 0; step <= 40; ++step)
    if (holds(step)) found.push_back(step);
  return found;
}

constexpr Pace pace{.from = 0, .last = 33, .start = 0.0, .dt = 0.03125};

TEST(DgSchedule, SumsAreLookedAtForRowsEveryTenStepsAndAtTheEnd) {
  const DgSetup setup(parse("burgers", "", "history_every: 12"));
  const Schedule schedule(setup);
  EXPECT_THAT(steps([&](std::int64_t step) { return schedule.row_after(step); }), ElementsAre(0, 12, 24, 36));
  EXPECT_THAT(steps([&](std::int64_t step) { return schedule.sums_after(step, pace); }),
              ElementsAre(0, 10, 12, 20, 24, 30, 33, 36, 40));
}

TEST(DgSchedule, TheFlowIsLookedAtOftenAtFirstAndNeverOfAScalarLaw) {
  const DgSetup waves(parse("shallow_water", "", ""));
  EXPECT_THAT(steps([&](std::int64_t step) { return Schedule(waves).flow_after(step, pace); }),
              ElementsAre(0, 1, 2, 4, 8, 16, 32, 33));
  const DgSetup scalar(parse("burgers", "", ""));
  EXPECT_THAT(steps([&](std::int64_t step) { return Schedule(scalar).flow_after(step, pace); }), ElementsAre());
}

TEST(DgSchedule, ThereIsAPauseForFramesByTimeAndForProbesBySteps) {
  const DgSetup setup(parse("burgers", "", "fields: {every: 0.3}, probes: {points: [[0.5, 0.5]], every: 15 steps}"));
  const Schedule schedule(setup);
  EXPECT_THAT(steps([&](std::int64_t step) { return schedule.frame_after(step, pace); }),
              ElementsAre(0, 10, 20, 29, 39));
  EXPECT_THAT(steps([&](std::int64_t step) { return schedule.pause_after(step, pace); }),
              ElementsAre(0, 10, 15, 20, 29, 30, 39));
}

TEST(DgSchedule, TheLastStepIsTheLimitWhereThatComesFirst) {
  const DgSetup free(parse("burgers", "", ""));
  EXPECT_EQ(Schedule(free).last_step(pace), 33);
  const DgSetup limited(parse("burgers", ", max_steps: 20", ""));
  EXPECT_EQ(Schedule(limited).last_step(pace), 20);
  const DgSetup beyond(parse("burgers", ", max_steps: 200", ""));
  EXPECT_EQ(Schedule(beyond).last_step(pace), 33);
}

}  // namespace
}  // namespace quoin
