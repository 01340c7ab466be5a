// Time steps that follow the speed of the waves, and dams whose fronts outrun those of the start.

#include <gmock/gmock.h>

#include <cmath>
#include <optional>

#include "numerics/dgcvs/solver.hpp"
#include "quoin/error.hpp"
#include "quoin/testing/fake_checkpoint.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::DgSolved;
using test::solve;

/// Stoker's solution for a dam at x = 0 between water 1 deep and water `low` deep, with gravity 1.
struct Stoker {
  explicit Stoker(double low) : right(low) {
    double above = 1.0;
    double below = low;
    for (int pass = 0; pass < 100; ++pass) {
      middle = (above + below) / 2;
      const double behind_shock = (middle - low) * std::sqrt((1 / middle + 1 / low) / 2);
      velocity = 2 * (1 - std::sqrt(middle));
      (behind_shock > velocity ? above : below) = middle;
    }
    shock = middle * velocity / (middle - low);
  }
  [[nodiscard]] double depth(double speed) const {
    if (speed < -1.0) return 1.0;
    if (speed < velocity - std::sqrt(middle)) return (2.0 - speed) * (2.0 - speed) / 9.0;
    return speed < shock ? middle : right;
  }
  double right, middle = 0.0, velocity = 0.0, shock = 0.0;
};

/// A strip between walls, or a square; nothing of the method but order and final time where `more` is empty.
Case dam(double low, int order, const std::string& more = "", double time = 1.0, bool square = false) {
  const std::string mesh = square ? "mesh: {cells: [40, 40]}, domain: {x: [-2, 2], y: [-2, 2]}"
                                  : "mesh: {cells: [80, 2]}, domain: {x: [-2, 2], y: [0, 0.1]}";
  return dgcvs_case("equation: {type: shallow_water, gravity: 1}, " + mesh +
                        ", boundary: {left: wall, right: wall, bottom: wall, top: wall}, "
                        "initial: {h: 'x < 0 ? 1 : " +
                        std::to_string(low) + "', hu: 0, hv: 0}",
                    "order: " + std::to_string(order) + ", final_time: " + std::to_string(time) + more);
}

class DamBreak : public ::testing::TestWithParam<std::tuple<double, int>> {};

TEST_P(DamBreak, RunsWithTheDefaultMethodAsStokerSays) {
  const auto [low, order] = GetParam();
  const Stoker exact(low);
  const DgSolved solved = solve(dam(low, order));
  ASSERT_EQ(solved.last.status, Status::completed) << solved.last.message;
  EXPECT_DOUBLE_EQ(*solved.last.time, 1.0);
  EXPECT_LT(solved.drift(), 3e-12);  // rounding, of up to 400 steps
  EXPECT_GT(solved.lowest(), 0.5 * low);
  EXPECT_LT(solved.highest(), 1.01);
  const auto depth = [&](Point at) { return exact.depth(at.x); };
  EXPECT_LT(test::rectangles_l1(solved, order, {-2, 0}, {2, 0.1}, {80, 2}, depth) / 0.1, order == 0 ? 0.2 : 0.1);
  double front = -2.0;
  for (std::size_t node = 0; node < solved.cells.nodes.size(); ++node)
    if (solved.values()[node] > (exact.middle + low) / 2) front = std::max(front, solved.cells.nodes[node].x);
  EXPECT_NEAR(front, exact.shock, 0.15);
}

INSTANTIATE_TEST_SUITE_P(DgCvs, DamBreak,
                         ::testing::Combine(::testing::Values(1 / 20.0, 1 / 200.0), ::testing::Range(0, 4)));

TEST(DgCvs, BreaksADamOnASquareBetweenWalls) {
  for (const int order : {1, 2}) {
    const DgSolved solved = solve(dam(1 / 200.0, order, "", 0.3, true));
    EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
    EXPECT_LT(solved.drift(), 1e-13);
  }
}

// With the limiter everywhere the sweeps of the boundary are as few as those inside.
TEST(DgCvs, KeepsLimitedWaterAtRestBetweenWalls) {
  for (int order = 1; order <= 3; ++order) {
    const DgSolved solved =
        solve(dgcvs_case("equation: {type: shallow_water, gravity: 1}, mesh: {cells: [5, 5], perturb: 0.2}, domain: "
                         "{x: [0, 5], y: [0, 5]}, boundary: {left: wall, right: wall, bottom: wall, top: open}, "
                         "initial: {h: 1, hu: 0, hv: 0}",
                         "order: " + std::to_string(order) + ", final_time: 40, limiter: always"));
    ASSERT_EQ(solved.last.status, Status::completed) << solved.last.message;
    EXPECT_NEAR(solved.lowest(), 1.0, 1e-9) << order;
    EXPECT_NEAR(solved.highest(), 1.0, 1e-9) << order;
  }
}

// Cells that the dam cuts start from their means, or the projections would fall below the bed.
TEST(DgCvs, BreaksADamThatCutsCells) {
  for (const int order : {1, 3}) {
    const DgSolved solved = solve(dgcvs_case(
        "equation: {type: shallow_water, gravity: 1}, mesh: {cells: [30, 4], perturb: 0.2}, domain: {x: [-2, 2], y: "
        "[0, 0.5]}, boundary: {left: wall, right: wall, bottom: wall, top: wall}, initial: {h: 'x < 0 ? 1 : 0.005', "
        "hu: 0, hv: 0}",
        "order: " + std::to_string(order) + ", final_time: 0.3"));
    EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
    EXPECT_LT(solved.drift(), 1e-12);
  }
}

/// What a run leaves, with its steps launched as `longest_chunk` allows, and interrupted after `stop` steps.
struct Left {
  std::vector<Row> history;
  std::vector<double> values;
  double time_step = 0.0;
};

Left left_by(const Case& the_case, std::int64_t longest_chunk, std::optional<std::int64_t> stop = {}) {
  Left left;
  DgSolved sink;
  std::optional<DgProblem> problem;
  const auto go = [&](std::int64_t pause) {
    problem->pause_every(pause);
    Progress progress;
    do {
      progress = problem->advance();
      left.history.insert(left.history.end(), progress.history.begin(), progress.history.end());
    } while (progress.status == Status::running && (pause == 0 || progress.iterations < pause));
    EXPECT_NE(progress.status, Status::diverged) << progress.message;
  };
  problem.emplace(the_case, longest_chunk);
  problem->set_up(test::executor());
  if (stop) {
    go(*stop);
    testing::FakeCheckpoint checkpoint;
    problem->save(checkpoint);
    problem.emplace(the_case, longest_chunk);
    problem->set_up(test::executor());
    problem->restore(checkpoint);
  }
  go(0);
  problem->write(sink);
  left.values = sink.values();
  for (const Figure& figure : problem->figures())
    if (figure.name == "time_step") left.time_step = std::get<double>(figure.value);
  return left;
}

TEST(DgCvs, TakesShorterStepsOfTheSameBitsInChunksOfAnyLength) {
  const Case the_case = dam(0.05, 2, "", 0.3);
  const Left whole = left_by(the_case, 256);
  const double first_step = std::get<double>(whole.history[1][1]);
  EXPECT_LT(whole.time_step, 0.9 * first_step);
  for (const std::int64_t chunk : {1, 7}) {
    const Left other = left_by(the_case, chunk);
    EXPECT_EQ(other.history, whole.history) << chunk;
    EXPECT_EQ(other.values, whole.values) << chunk;
  }
}

TEST(DgCvs, ResumesAcrossAChangeOfTheTimeStep) {
  const Case the_case = dam(0.05, 2, "", 0.3);
  const Left whole = left_by(the_case, 256);
  for (const std::int64_t stop : {3, 8, 16, 20}) {  // before, at and after changes
    const Left resumed = left_by(the_case, 256, stop);
    EXPECT_EQ(resumed.history, whole.history) << stop;
    EXPECT_EQ(resumed.values, whole.values) << stop;
  }
}

TEST(DgCvs, KeepsItsStepWhereTheFlowDoesNotSpeedUp) {
  const DgSolved solved = solve(test::shipped("vortex", {{"method.order", "1"}}));
  EXPECT_EQ(solved.last.iterations, 9);
  EXPECT_DOUBLE_EQ(*solved.last.time, 0.5);
}

TEST(DgCvs, TakesTheTimeStepThatIsGivenAndKeepsIt) {
  const Left left = left_by(dam(0.05, 1, ", time_step: 0.0031", 0.3), 256);
  EXPECT_EQ(left.history.size(), 98U);  // 97 steps and the start
  EXPECT_DOUBLE_EQ(left.time_step, 0.3 / 97);
  EXPECT_THAT([] { DgProblem(dam(0.05, 1, ", time_step: 0.01, cfl: 0.1")); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("method.cfl is given as well")));
}

TEST(DgCvs, SaysWhereARunDivergedInWhatAndWhatWouldBeStable) {
  const auto message = [](const Case& the_case) {
    const DgSolved solved = solve(the_case);
    EXPECT_EQ(solved.last.status, Status::diverged);
    return solved.last.message;
  };
  using ::testing::ContainsRegex;
  using ::testing::HasSubstr;
  const std::string place = "in cell [0-9]+ at \\(.*, .*\\), where ";
  const std::string rough = "initial: '1+0.9*sin(1234.5*x*x+77.7*y)*cos(513.1*y*y-98.3*x)'";
  const std::string mesh = "mesh: {cells: [6, 6]}, domain: {x: [0, 6], y: [0, 6]}, " + test::periodic;
  const std::string advection = message(dgcvs_case("equation: {type: advection, velocity: [1, 0]}, " + mesh + rough,
                                                   "order: 2, cfl: 0.7, final_time: 900"));
  EXPECT_THAT(advection, ContainsRegex(place + "u is "));
  EXPECT_THAT(advection,
              HasSubstr("method.cfl is 0.7, and 0.45 would be stable: the time step is 0.699844, the stable one 0.45"));
  const std::string burgers =
      message(dgcvs_case("equation: burgers, " + mesh + rough, "order: 2, time_step: 2, final_time: 900"));
  EXPECT_THAT(burgers, ContainsRegex(place + "u is "));
  EXPECT_THAT(burgers, HasSubstr("method.time_step is 2: the time step is 2, the stable one 0."));
  const std::string water = message(dam(0.005, 2, ", limiter: none, cfl: 0.4"));
  EXPECT_THAT(water, ContainsRegex(place + "h is -"));
  EXPECT_THAT(water, HasSubstr("the depth h is not positive"));
  EXPECT_THAT(water, ContainsRegex("the time step is .*, the stable one .*: use method.limiter: always"));
}

}  // namespace
}  // namespace quoin
