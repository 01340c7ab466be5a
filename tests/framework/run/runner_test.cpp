#include "run/runner.hpp"

#include <csignal>
#include <nlohmann/json.hpp>

#include "quoin/error.hpp"
#include "quoin/testing/mocks.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using test::text_of;
using ::testing::_;
using ::testing::AtLeast;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::InSequence;
using testing::MockClock;
using testing::MockExecutor;
using testing::MockProblem;
using ::testing::NiceMock;
using ::testing::Not;
using ::testing::Return;
using ::testing::Throw;

Progress progress(Status status, std::int64_t iterations, double residual, std::vector<Row> history = {}) {
  Progress p;
  p.status = status;
  p.iterations = iterations;
  p.limit = 100;
  p.residual = residual;
  p.history = std::move(history);
  return p;
}

class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() {
    ON_CALL(clock, seconds).WillByDefault([this] { return time += 0.25; });
    ON_CALL(problem, advance).WillByDefault(Return(progress(Status::converged, 1, 0.5)));
    candidate.name = "mock";
    options.quiet = true;
  }

  Case parse(const std::vector<Override>& more = {}) const {
    std::vector<Override> overrides{{"output.directory", directory.string()}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return Case::parse("problem: {type: jacobi, grid: {nodes: [3, 2]}}\nbackend: serial\n", "case.yaml", overrides,
                       KeyTable::standard());
  }
  Outcome run(const Case& the_case) {
    const double now = clock.seconds();
    Runner runner(the_case, problem, executor, candidate, options, clock, {now, now});
    return runner.run();
  }
  [[nodiscard]] nlohmann::json summary() const { return nlohmann::json::parse(text_of(directory / "summary.json")); }

  /// The iterations of the checkpoints in the folder.
  [[nodiscard]] std::vector<std::int64_t> checkpoints() const {
    std::vector<std::int64_t> found;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      const std::string name = entry.path().filename();
      if (name.ends_with(".h5")) found.push_back(std::stoll(name.substr(std::string("checkpoint-").size())));
    }
    std::ranges::sort(found);
    return found;
  }

  std::int64_t steps = 0;
  test::TemporaryFolder temporary;
  std::filesystem::path directory = temporary.path / "results";
  double time = 100.0;
  NiceMock<MockClock> clock;
  NiceMock<MockProblem> problem;
  std::shared_ptr<NiceMock<MockExecutor>> executor = std::make_shared<NiceMock<MockExecutor>>();
  Candidate candidate;
  RunOptions options;
};

TEST_F(RunnerTest, CallsTheProblemInOrder) {
  const InSequence order;
  EXPECT_CALL(problem, set_up(_));
  EXPECT_CALL(problem, advance).WillOnce(Return(progress(Status::running, 1, 0.5)));
  EXPECT_CALL(problem, advance).WillOnce(Return(progress(Status::converged, 2, 0.25)));
  EXPECT_CALL(problem, write(_));
  EXPECT_CALL(problem, errors);
  const Outcome outcome = run(parse());
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.directory, directory);
}

TEST_F(RunnerTest, TheSummaryTellsWhatWasRunWhenAndWhere) {
  run(parse({{"title", "Waves & walls"}}));
  EXPECT_EQ(summary()["title"], "Waves & walls");
  EXPECT_EQ(summary()["date"].get<std::string>().size(), std::string("2026-01-31T23:59:59Z").size());
  for (const char* fact : {"name", "cpu", "os"}) EXPECT_NE(summary()["host"][fact], "") << fact;
  EXPECT_GE(summary()["host"]["cores"], 1);
  options.force = true;
  run(parse());
  EXPECT_FALSE(summary().contains("title"));
}

TEST_F(RunnerTest, TheSummaryTellsTheVersionsOfTheDevice) {
  run(parse());
  EXPECT_FALSE(summary()["versions"].contains("device") || summary()["versions"].contains("device_driver"));
  executor->fake.info.name = "mock\xff";  // which JSON may not hold
  executor->fake.info.driver = "driver 4.5\xff";
  executor->fake.info.version = "Mock 6.7";
  options.force = true;
  EXPECT_EQ(run(parse({{"run.checkpoint.end", "true"}})).exit_code, 0);
  EXPECT_THAT(summary()["versions"]["device_driver"].get<std::string>(), ::testing::StartsWith("driver 4.5"));
  EXPECT_EQ(summary()["versions"]["device"], "Mock 6.7");
}

TEST_F(RunnerTest, AProblemNeedsNoKeyForItsPrecision) {
  ProblemType plain;
  plain.name = "plain";
  const Case the_case =
      Case::parse("problem: {type: plain}\nbackend: serial\noutput: {directory: '" + directory.string() + "'}\n",
                  "case.yaml", {}, KeyTable({plain}));
  EXPECT_EQ(run(the_case).exit_code, 0);
  EXPECT_EQ(summary()["precision"], "double");
}

TEST_F(RunnerTest, EachStatusHasItsExitCode) {
  const std::vector<std::pair<Status, int>> expected{{Status::converged, 0},     {Status::completed, 0},
                                                     {Status::not_converged, 4}, {Status::stagnated, 4},
                                                     {Status::max_steps, 4},     {Status::diverged, 5}};
  options.force = true;
  for (const auto& [status, code] : expected) {
    EXPECT_CALL(problem, advance).WillOnce(Return(progress(status, 7, 0.5)));
    EXPECT_EQ(run(parse()).exit_code, code);
    EXPECT_EQ(summary()["status"], to_string(status));
    EXPECT_EQ(summary()["exit_code"], code);
  }
}

// rows 9, 10
TEST_F(RunnerTest, ASignalEndsTheRunAfterTheChunkAndLeavesItsResults) {
  options.force = true;
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    EXPECT_CALL(problem, advance).WillOnce([s = signal] {
      std::raise(s);
      return progress(Status::running, 5, 0.5, {{0, 0.75}});
    });
    EXPECT_CALL(problem, write(_));
    const Outcome outcome = run(parse());
    EXPECT_EQ(outcome.status, Status::interrupted);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_EQ(summary()["status"], "interrupted");
    EXPECT_EQ(summary()["iterations"], 5);
    EXPECT_EQ(text_of(directory / "history.csv"), "iteration,residual\n0,0.75\n");
  }
}

struct FakeWatcher : RunWatcher {
  void started(const std::filesystem::path& where) override { folder = where; }
  bool progressed(const Progress& progress) override {
    told.push_back(progress.iterations);
    return progress.iterations < last;
  }
  std::filesystem::path folder;
  std::vector<std::int64_t> told;
  std::int64_t last = 2;
};

TEST_F(RunnerTest, AWatcherIsToldHowFarTheRunIsAndMayEndIt) {
  FakeWatcher watcher;
  options.watcher = &watcher;
  EXPECT_CALL(problem, advance)
      .WillOnce(Return(progress(Status::running, 1, 0.5)))
      .WillOnce(Return(progress(Status::running, 2, 0.25)));
  EXPECT_EQ(run(parse()).exit_code, 130);
  EXPECT_EQ(watcher.folder, directory);
  EXPECT_THAT(watcher.told, ElementsAre(1, 2));
  EXPECT_THAT(checkpoints(), ElementsAre(2));
}

TEST_F(RunnerTest, AWatcherThatEndsARunThatEndsAnywayLeavesItItsCheckpoint) {
  FakeWatcher watcher;
  options.watcher = &watcher;
  EXPECT_CALL(problem, advance).WillOnce([] {
    std::raise(SIGTERM);
    return progress(Status::running, 5, 0.5);
  });
  EXPECT_EQ(run(parse()).exit_code, 143);
  EXPECT_THAT(checkpoints(), ElementsAre(5));
}

TEST_F(RunnerTest, CheckpointsFollowTheCountOfIterations) {
  EXPECT_CALL(problem, advance)
      .WillOnce(Return(progress(Status::running, 5, 0.5)))
      .WillOnce(Return(progress(Status::running, 7, 0.5)))
      .WillOnce(Return(progress(Status::running, 10, 0.5)))
      .WillOnce(Return(progress(Status::running, 15, 0.5)))
      .WillOnce(Return(progress(Status::converged, 20, 0.5)));
  EXPECT_CALL(problem, save(_)).Times(3);
  run(parse({{"run.checkpoint", "{every: 5, end: false}"}}));
  EXPECT_THAT(checkpoints(), ElementsAre(10, 15));
}

TEST_F(RunnerTest, TheEndHasACheckpointUnlessTheRunDivergedOrTheCaseWantsNone) {
  options.force = true;
  for (const auto& [status, end, expected] :
       {std::tuple{Status::converged, "true", 1}, std::tuple{Status::not_converged, "true", 1},
        std::tuple{Status::stagnated, "true", 1}, std::tuple{Status::max_steps, "true", 1},
        std::tuple{Status::completed, "false", 0}, std::tuple{Status::diverged, "true", 0}}) {
    EXPECT_CALL(problem, advance).WillOnce(Return(progress(status, 7, 0.5)));
    EXPECT_CALL(problem, save(_)).Times(expected);
    run(parse({{"run.checkpoint.end", end}}));
    EXPECT_EQ(checkpoints(), std::vector<std::int64_t>(static_cast<std::size_t>(expected), 7)) << to_string(status);
  }
}

TEST_F(RunnerTest, WhatOnlyTheEndWritesIsNotInItsCheckpoint) {
  Progress end = progress(Status::not_converged, 7, 0.5, {{6, 0.75}});
  end.closing = {{7, 0.5}};
  EXPECT_CALL(problem, advance).WillOnce(Return(end));
  EXPECT_CALL(problem, write(_)).WillOnce([](FieldSink& sink) { sink.table({"last", {"step"}, {{7}}}); });
  run(parse());
  EXPECT_EQ(text_of(directory / "history.csv"), "iteration,residual\n6,0.75\n7,0.5\n");
  const FoundCheckpoint found = newest_checkpoint(directory);
  EXPECT_EQ(found.checkpoint.text("history").size(), 18U);  // of one row
  EXPECT_THAT(found.checkpoint.text("files"), Not(HasSubstr("last")));
}

TEST_F(RunnerTest, CheckpointsFollowTheClock) {
  EXPECT_CALL(problem, advance).Times(30).WillRepeatedly([this] {
    ++steps;
    return progress(steps < 30 ? Status::running : Status::converged, steps, 0.5);
  });
  EXPECT_CALL(problem, save(_)).Times(AtLeast(2));
  run(parse({{"run.checkpoint", "{every: 2 s, keep: 100, end: false}"}}));
  const std::vector<std::int64_t> written = checkpoints();
  ASSERT_GE(written.size(), 2U);
  for (std::size_t k = 1; k < written.size(); ++k)
    EXPECT_GE(written[k] - written[k - 1], 6);  // of 0.25 s each, and more
}

// row 11
TEST_F(RunnerTest, ASecondSignalLeavesTheEarlierCheckpoint) {
  EXPECT_CALL(problem, advance).WillOnce(Return(progress(Status::running, 5, 0.5))).WillOnce([] {
    std::raise(SIGINT);
    std::raise(SIGINT);
    return progress(Status::running, 7, 0.5);
  });
  EXPECT_EQ(run(parse({{"run.checkpoint.every", "5"}})).exit_code, 130);
  EXPECT_EQ(summary()["status"], "interrupted");
  EXPECT_THAT(checkpoints(), ElementsAre(5));
}

// row 10
TEST_F(RunnerTest, WithoutTheTimeForItSigtermLeavesTheEarlierCheckpoint) {
  options.force = true;
  for (const auto& [grace, last] : {std::pair{"0.1", 5}, std::pair{"5", 7}}) {
    EXPECT_CALL(problem, advance).WillOnce(Return(progress(Status::running, 5, 0.5))).WillOnce([] {
      std::raise(SIGTERM);
      return progress(Status::running, 7, 0.5);
    });
    EXPECT_EQ(run(parse({{"run.checkpoint.every", "5"}, {"run.grace", grace}})).exit_code, 143);
    EXPECT_EQ(checkpoints().back(), last);
  }
}

TEST_F(RunnerTest, AnErrorInTheLoopIsInTheSummaryAndThrown) {
  EXPECT_CALL(problem, advance)
      .WillOnce(Return(progress(Status::running, 3, 0.5, {{3, 0.5}})))
      .WillOnce(Throw(Error(ErrorKind::device, "the device was lost")));
  EXPECT_THROW(run(parse()), Error);
  EXPECT_EQ(summary()["status"], "failed");
  EXPECT_EQ(summary()["exit_code"], 7);
  EXPECT_EQ(summary()["message"], "the device was lost");
  EXPECT_EQ(summary()["iterations"], 3);
}

TEST_F(RunnerTest, AnErrorInTheSetUpTouchesNoFolder) {
  EXPECT_CALL(problem, set_up(_)).WillOnce(Throw(Error(ErrorKind::case_file, "1/0 at node (0, 0)")));
  EXPECT_THROW(run(parse()), Error);
  EXPECT_FALSE(std::filesystem::exists(directory));
}

// row 27
TEST_F(RunnerTest, DivergenceIsExplained) {
  Progress end = progress(Status::diverged, 4, std::numeric_limits<double>::quiet_NaN());
  end.message = "the residual of iteration 4 is not finite";
  EXPECT_CALL(problem, advance).WillOnce(Return(end));
  EXPECT_EQ(run(parse()).exit_code, 5);
  EXPECT_EQ(summary()["message"], end.message);
  EXPECT_TRUE(summary()["residual"].is_null());
}

TEST_F(RunnerTest, TheSummaryHasItsKeys) {
  const std::vector<double> values{1.0, 2.0};
  EXPECT_CALL(problem, write(_)).WillOnce([&values](FieldSink& sink) {
    sink.grid({"u", 2, 1, 0.0, 0.0, 1.0, 1.0, Precision::float64, std::as_bytes(std::span(values))});
  });
  EXPECT_CALL(problem, advance).WillOnce(Return(progress(Status::converged, 1, 0.5, {{0, 1.0}, {1, 2.0}})));
  EXPECT_CALL(problem, errors).WillOnce(Return(Errors{1.0, 2.0, 3.0}));
  EXPECT_CALL(problem, launches).WillRepeatedly(Return(11));
  EXPECT_CALL(problem, kernels).WillRepeatedly(Return(std::vector<KernelRow>{{"sweep", 10, 2.0, 8e9, 4e9}}));
  options.command_line = "quoin run case.yaml";
  const Outcome outcome = run(parse());
  const nlohmann::json json = summary();
  EXPECT_EQ(json.dump(), nlohmann::json::parse(outcome.summary).dump());
  for (const char* key :
       {"version",    "status",   "exit_code",    "problem",      "backend",       "device",        "precision",
        "iterations", "residual", "errors",       "wall_seconds", "setup_seconds", "loop_seconds",  "kernels",
        "launches",   "versions", "command_line", "case_sha256",  "field_sha256",  "history_sha256"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["backend"], "mock");
  EXPECT_EQ(json["device"], "mock device");
  EXPECT_EQ(json["launches"], 11);
  EXPECT_EQ(json["errors"]["linf"], 3.0);
  const auto sum_of = [](const nlohmann::json& parts, std::vector<std::string>& names) {
    double sum = 0.0;
    for (const auto& [what, seconds] : parts.items()) {
      names.push_back(what);
      EXPECT_GE(seconds.get<double>(), 0.0) << what;
      sum += seconds.get<double>();
    }
    return sum;
  };
  std::vector<std::string> before;
  EXPECT_NEAR(sum_of(json["setup_parts_seconds"], before), json["setup_seconds"].get<double>(), 1e-9);
  EXPECT_THAT(before, ::testing::ElementsAre("device", "evaluate", "read", "upload"));
  std::vector<std::string> behind;
  const double parts =
      json["setup_seconds"].get<double>() + json["loop_seconds"].get<double>() + sum_of(json["end_seconds"], behind);
  EXPECT_THAT(behind, ::testing::ElementsAre("checkpoint", "errors", "fields", "rates"));
  EXPECT_LE(parts, json["wall_seconds"].get<double>());
  EXPECT_THAT(outcome.table,
              ::testing::ContainsRegex("\nwall [0-9.]+ s: set-up [0-9.]+ \\(read [0-9.]+, device [0-9.]+, evaluate "
                                       "[0-9.]+, upload [0-9.]+\\), loop [0-9.]+, fields [0-9.]+, checkpoint [0-9.]+, "
                                       "errors [0-9.]+, rates [0-9.]+\n"));
  EXPECT_EQ(json["kernels"][0]["name"], "sweep");
  EXPECT_EQ(json["kernels"][0]["gbytes_per_second"], 4.0);
  EXPECT_EQ(json["command_line"], "quoin run case.yaml");
  EXPECT_EQ(json["case_sha256"], parse().sha256());
  // The field and the residuals are the same two doubles: printf '...' | sha256sum of their sixteen bytes.
  EXPECT_EQ(json["field_sha256"], "dc91ce9a50ddc828740aa26743716897fdb2bb64f1db662fe263a59be56145ae");
  EXPECT_EQ(json["history_sha256"], json["field_sha256"]);
  EXPECT_THAT(outcome.table, HasSubstr("sweep"));
}

TEST_F(RunnerTest, LeavesTheFilesThatTheCaseAsksFor) {
  const Case full = parse();
  run(full);
  EXPECT_EQ(text_of(directory / "case.yaml"), full.resolved());
  EXPECT_THAT(text_of(directory / "timing.csv"), HasSubstr("iteration,seconds\n1,0."));
  EXPECT_TRUE(std::filesystem::exists(directory / "run.log"));
  EXPECT_TRUE(std::filesystem::exists(directory / "history.csv"));

  options.force = true;
  run(parse({{"output.history", "false"}}));
  EXPECT_FALSE(std::filesystem::exists(directory / "history.csv"));
}

TEST_F(RunnerTest, ForceRemovesTheFieldsOfAnEarlierRun) {
  const std::vector<double> values{1.0};
  EXPECT_CALL(problem, write(_)).WillRepeatedly([&values](FieldSink& sink) {
    sink.grid({"u", 1, 1, 0.0, 0.0, 1.0, 1.0, Precision::float64, std::as_bytes(std::span(values))});
  });
  run(parse());
  EXPECT_TRUE(std::filesystem::exists(directory / "u.vti"));
  test::write_text(directory / "notes.vti", "not ours");
  options.force = true;
  run(parse({{"output.fields", "false"}}));
  EXPECT_FALSE(std::filesystem::exists(directory / "u.vti"));
  EXPECT_TRUE(std::filesystem::exists(directory / "notes.vti"));
}

Progress step(Status status, std::int64_t steps, bool frame) {
  Progress p;
  p.status = status;
  p.iterations = steps;
  p.limit = 4;
  p.time = 0.5 * static_cast<double>(steps);
  p.final_time = 2.0;
  p.frame = frame;
  return p;
}

TEST_F(RunnerTest, FramesAreWrittenWhenTheyAreWantedAndAtTheEndButOnceAStep) {
  for (const bool last : {false, true}) {
    options.force = true;
    const InSequence order;
    EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::running, 0, true)));
    EXPECT_CALL(problem, write(_));
    EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::running, 2, false)));
    EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::running, 3, true)));
    EXPECT_CALL(problem, write(_));
    EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::completed, 4, last)));
    EXPECT_CALL(problem, write(_));
    EXPECT_EQ(run(parse()).status, Status::completed);
  }
}

TEST_F(RunnerTest, TheStartHasItsFrameAndItsValuesAtPoints) {
  const InSequence order;
  EXPECT_CALL(problem, set_up(_));
  EXPECT_CALL(problem, frame_at_start).WillOnce(Return(true));
  EXPECT_CALL(problem, sample(_)).WillOnce([](FieldSink& sink) { sink.series({"probes", {"step"}, {{0}}}); });
  EXPECT_CALL(problem, write(_));
  EXPECT_CALL(problem, advance).WillOnce([this] {
    EXPECT_EQ(summary()["status"], "running");
    EXPECT_EQ(summary()["fields"], nlohmann::json{"probes.csv"});  // a run that is killed has told its files
    return step(Status::running, 2, false);
  });
  EXPECT_CALL(problem, sample(_)).WillOnce([](FieldSink& sink) { sink.series({"probes", {"step"}, {{2}}}); });
  EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::completed, 4, false)));
  EXPECT_CALL(problem, sample(_)).WillOnce([](FieldSink& sink) { sink.series({"probes", {"step"}, {{4}}}); });
  EXPECT_CALL(problem, write(_));
  run(parse());
  EXPECT_EQ(text_of(directory / "probes.csv"), "step\n0\n2\n4\n");
}

TEST_F(RunnerTest, ARunWithoutAResidualTellsItsTimeAndItsFigures) {
  EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::completed, 4, false)));
  EXPECT_CALL(problem, figures)
      .WillRepeatedly(Return(std::vector<Figure>{{"steps", 4}, {"mass.start", 1.5}, {"mass.drift", 1e-15}}));
  run(parse());
  const nlohmann::json json = summary();
  EXPECT_TRUE(json.at("residual").is_null());
  EXPECT_EQ(json["time"], 2.0);
  EXPECT_EQ(json["steps"], 4);
  EXPECT_TRUE(json["steps"].is_number_integer());
  EXPECT_EQ(json["mass"], nlohmann::json::parse(R"({"start": 1.5, "drift": 1e-15})"));
  EXPECT_THAT(text_of(directory / "run.log"), HasSubstr("completed after 4 steps, t = 2\n"));
}

TEST_F(RunnerTest, TheHistoryHasTheColumnsThatTheProblemNames) {
  Progress end = step(Status::completed, 4, false);
  end.history = {{3, 1.5, 1.0}, {4, 2.0, 2.0}};
  EXPECT_CALL(problem, history_columns).WillRepeatedly(Return(std::vector<std::string>{"step", "time", "mass"}));
  EXPECT_CALL(problem, advance).WillOnce(Return(end));
  run(parse());
  EXPECT_EQ(text_of(directory / "history.csv"), "step,time,mass\n3,1.5,1\n4,2,2\n");
  // Of the doubles 1.5, 1, 2, 2.
  EXPECT_EQ(summary()["history_sha256"], "a42f44f5fe371f9a5ea98ad26a0b324f4ab90713a8be095a3823ec1910c0c190");
}

TEST_F(RunnerTest, TheFilesOfARunThatEndsInTheMiddleAreKnown) {
  const auto write = [](FieldSink& sink) {
    sink.elements({.level = "cells",
                   .shapes = {CellShape::triangle},
                   .nodes = {{0, 0}, {1, 0}, {0, 1}},
                   .fields = {{"u", {1, 2, 3}}},
                   .data = {}});
    sink.series({"probes", {"step"}, {{1}}});
  };
  EXPECT_CALL(problem, write(_)).WillRepeatedly(write);
  EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::running, 1, true))).WillOnce([this] {
    EXPECT_EQ(summary()["status"], "running");
    EXPECT_TRUE(summary()["exit_code"].is_null());
    EXPECT_THAT(summary()["fields"].get<std::vector<std::string>>(),
                ::testing::ElementsAre("cells-000000.h5", "cells-000000.vtu", "cells.pvd", "probes.csv"));
    return step(Status::completed, 1, false);
  });
  run(parse());
  test::write_text(directory / "notes.h5", "not ours");
  options.force = true;
  EXPECT_CALL(problem, write(_));
  EXPECT_CALL(problem, advance).WillOnce(Return(step(Status::completed, 1, false)));
  run(parse());
  for (const char* name : {"cells-000000.h5", "cells-000000.vtu", "cells.pvd", "probes.csv"})
    EXPECT_FALSE(std::filesystem::exists(directory / name)) << name;
  EXPECT_TRUE(std::filesystem::exists(directory / "notes.h5"));
}

}  // namespace
}  // namespace quoin
