#include <array>
#include <cmath>
#include <limits>

#include "mocks.hpp"
#include "problems/jacobi/problem.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using test::HostBytes;
using test::MockEvent;
using test::MockExecutor;
using test::MockKernel;
using testing::_;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;

struct Launch {
  std::string name;
  Box box;
  std::vector<Argument> arguments;
};

double* doubles(const Argument& argument) {
  return reinterpret_cast<double*>(static_cast<HostBytes*>(argument.memory)->data.data() + argument.offset);
}

/// A device that notes every launch; its norms are what `norm` says, and they obey the stop rule.
class JacobiProblemTest : public testing::Test {
 protected:
  JacobiProblemTest() {
    ON_CALL(*executor, kernel).WillByDefault([this](const KernelSpec& spec) {
      specs.push_back(spec);
      auto kernel = std::make_unique<NiceMock<MockKernel>>();
      ON_CALL(*kernel, cost).WillByDefault(Return(Cost{10.0, 5.0}));
      ON_CALL(*kernel, launch).WillByDefault([this, name = spec.name](Queue&, const Box& box, auto arguments) {
        launches.push_back({name, box, {arguments.begin(), arguments.end()}});
        if (name == "residual_norm") finish_iterations(box.extent(1), launches.back().arguments);
      });
      return kernel;
    });
    ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.constant("depth", 1) == 1; });
    ON_CALL(*executor, event).WillByDefault([] {
      auto event = std::make_unique<NiceMock<MockEvent>>();
      ON_CALL(*event, seconds_since).WillByDefault(Return(1e-6));
      return event;
    });
  }

  void finish_iterations(std::int64_t count, const std::vector<Argument>& a) const {
    auto* control = reinterpret_cast<std::int64_t*>(doubles(a[8]));
    if (control[0] != 0) return;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t iteration = a[3].integer_value + k;
      const double value = norm(iteration);
      doubles(a[1])[a[2].integer_value + k] = value;
      const bool small = value <= a[7].real_value && iteration % a[4].integer_value == 0;
      if (control[0] == 0 && (small || !std::isfinite(value))) control[0] = iteration;
    }
  }

  static Case parse(const std::string& problem, const std::string& method) {
    return Case::parse("problem: {type: jacobi, " + problem + "}\nmethod: {" + method + "}\nbackend: serial\n",
                       "case.yaml", {}, KeyTable::standard());
  }

  /// A run with that method is refused, because the device lacks what is named.
  void expect_lack(const std::string& method, const std::string& named) const {
    JacobiProblem problem(parse("grid: {nodes: [3, 3]}", method));
    try {
      problem.set_up(executor);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
      EXPECT_THAT(error.what(), HasSubstr(named));
    }
  }

  /// Runs to the end; returns the last progress with the whole history.
  static Progress finish(Problem& problem) {
    std::vector<Row> history;
    Progress progress;
    do {
      progress = problem.advance();
      history.insert(history.end(), progress.history.begin(), progress.history.end());
    } while (progress.status == Status::running);
    progress.history = history;
    return progress;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Launch& launch : launches) all.push_back(launch.name);
    return all;
  }

  std::shared_ptr<NiceMock<MockExecutor>> executor = std::make_shared<NiceMock<MockExecutor>>();
  std::function<double(std::int64_t)> norm = [](std::int64_t k) { return 1.0 / static_cast<double>(k); };
  std::vector<KernelSpec> specs;
  std::vector<Launch> launches;
};

TEST_F(JacobiProblemTest, ClassicLaunchesTheFourKernelsAndTheNorm) {
  JacobiProblem problem(parse("grid: {nodes: [20, 40]}, domain: {x: [0, 21], y: [0, 20.5]}",
                              "variant: classic, stop: iterations, max_iterations: 2"));
  problem.set_up(executor);
  EXPECT_EQ(finish(problem).status, Status::completed);
  const std::vector<std::string> one{"jacobi_laplacian", "jacobi_boundary", "jacobi_update", "jacobi_norm",
                                     "residual_norm"};
  std::vector<std::string> two = one;
  two.insert(two.end(), one.begin(), one.end());
  ASSERT_EQ(names(), two);

  EXPECT_EQ(launches[0].box.lower, (std::array<std::int64_t, 3>{1, 1, 0}));
  EXPECT_EQ(launches[0].box.upper, (std::array<std::int64_t, 3>{19, 39, 1}));
  for (const std::size_t k : {1U, 2U, 3U}) {
    EXPECT_EQ(launches[k].box.lower, (std::array<std::int64_t, 3>{0, 0, 0}));
    EXPECT_EQ(launches[k].box.upper, (std::array<std::int64_t, 3>{20, 40, 1}));
  }
  // dx = 1, dy = 1/2
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_EQ(launches[k].arguments[2].real_value, 1.0);
    EXPECT_EQ(launches[k].arguments[3].real_value, 4.0);
    EXPECT_EQ(launches[k].arguments[4].real_value, 10.0);
  }
  EXPECT_EQ(launches[2].arguments[4].real_value, 0.1);
  EXPECT_EQ(launches[3].arguments[1].pitch, 2);  // blocks of 16 columns
  const Launch& last = launches[4];
  EXPECT_EQ(last.box.upper, (std::array<std::int64_t, 3>{4, 1, 1}));  // 2 by 2 blocks
  EXPECT_EQ(last.arguments[3].integer_value, 1);
  EXPECT_EQ(last.arguments[5].real_value, 0.5);
  EXPECT_EQ(last.arguments[6].real_value, 800.0);
  EXPECT_EQ(last.arguments[7].real_value, -1.0);
}

TEST_F(JacobiProblemTest, ClassicHasNoInnerLaunchWhereEveryNodeLiesNextToASide) {
  JacobiProblem problem(parse("grid: {nodes: [2, 9]}", "variant: classic, stop: iterations, max_iterations: 1"));
  problem.set_up(executor);
  finish(problem);
  EXPECT_EQ(names(), (std::vector<std::string>{"jacobi_boundary", "jacobi_update", "jacobi_norm", "residual_norm"}));
}

TEST_F(JacobiProblemTest, FusedGoesBackAndForthBetweenTwoFields) {
  JacobiProblem problem(
      parse("grid: {nodes: [4, 4]}, source: '2'", "variant: auto, stop: iterations, max_iterations: 3"));
  problem.set_up(executor);
  finish(problem);
  ASSERT_EQ(names(), (std::vector<std::string>{"jacobi_sweeps", "residual_norm", "jacobi_sweeps", "residual_norm",
                                               "jacobi_sweeps", "residual_norm"}));
  EXPECT_EQ(launches[0].arguments[2].memory, launches[2].arguments[0].memory);
  EXPECT_EQ(launches[2].arguments[2].memory, launches[0].arguments[0].memory);
  EXPECT_EQ(launches[4].arguments[0].memory, launches[0].arguments[0].memory);
  EXPECT_EQ(launches[0].arguments[1].memory, nullptr);
  EXPECT_EQ(launches[0].arguments[8].real_value, 2.0);
}

/// The launches of passes among all, in order.
std::vector<const Launch*> passes(const std::vector<Launch>& launches) {
  std::vector<const Launch*> found;
  for (const Launch& launch : launches)
    if (launch.name == "jacobi_sweeps") found.push_back(&launch);
  return found;
}

TEST_F(JacobiProblemTest, BlockedDoesAsManySweepsAPassAsTheDeviceCan) {
  ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.constant("depth", 1) <= 8; });
  JacobiProblem problem(parse("grid: {nodes: [20, 40]}", "stop: iterations, max_iterations: 21"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::completed);
  EXPECT_EQ(end.history.size(), 22U);
  const auto found = passes(launches);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(launches.size(), 3U + 3U);
  for (const std::size_t k : {0U, 1U, 2U}) EXPECT_EQ(found[k]->arguments[9].integer_value, k < 2 ? 8 : 5);
  EXPECT_EQ(found[0]->arguments[2].memory, found[1]->arguments[0].memory);
  EXPECT_EQ(found[1]->arguments[2].memory, found[0]->arguments[0].memory);
  EXPECT_EQ(doubles(found[0]->arguments[7])[7], 1.0 / (2.0 * 441.0 + 2.0 * 1681.0));  // the last of 8 weights
  // The norms of a pass follow it, from the block sums of its sweeps: 2 by 2 blocks each.
  EXPECT_EQ(launches[1].arguments[0].pitch, 4);
  EXPECT_EQ(launches[3].box.upper, (std::array<std::int64_t, 3>{4, 8, 1}));
  EXPECT_EQ(launches[3].arguments[3].integer_value, 9);
  EXPECT_EQ(launches[5].box.upper, (std::array<std::int64_t, 3>{4, 5, 1}));
  const KernelRow row = problem.kernels()[1];
  EXPECT_EQ(row.name, "jacobi_sweeps");
  EXPECT_EQ(row.calls, 3U);
  EXPECT_DOUBLE_EQ(row.flops, 5.0 * (1.0 + 1.0 + 5.0 / 8.0));
}

TEST_F(JacobiProblemTest, APassThatStopsOnItsWayIsDoneAgainWithFewerSweeps) {
  ON_CALL(*executor, supports).WillByDefault(Return(true));
  norm = [](std::int64_t iteration) { return iteration < 21 ? 1.0 : 1e-9; };
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "variant: blocked, tolerance: 1e-6, max_iterations: 1000"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.iterations, 21);
  const auto found = passes(launches);
  const Launch& again = *found.back();
  EXPECT_EQ(again.arguments[9].integer_value, 5);
  EXPECT_EQ(again.arguments[0].memory, found[1]->arguments[0].memory);
  EXPECT_EQ(again.arguments[2].memory, found[1]->arguments[2].memory);
  EXPECT_EQ(reinterpret_cast<std::int64_t*>(doubles(again.arguments[10]))[0], 0);  // or the pass would do nothing
}

TEST_F(JacobiProblemTest, ChebyshevGivesEverySweepAWeightInTurn) {
  const std::string grid = "grid: {nodes: [2, 1]}, domain: {x: [0, 1], y: [0, 1]}";
  JacobiProblem classic(parse(grid, "solver: chebyshev, variant: classic, stop: iterations, max_iterations: 21"));
  classic.set_up(executor);
  finish(classic);
  std::vector<double> weights;
  for (const Launch& launch : launches)
    if (launch.name == "jacobi_update") weights.push_back(launch.arguments[4].real_value);
  ASSERT_EQ(weights.size(), 21U);
  // The eigenvalues are 17 and 35: four sweeps leave a hundredth, and their weights are one over Chebyshev's roots.
  const std::vector<double> roots{26 + 9 * std::cos(std::acos(-1) / 8), 26 + 9 * std::cos(7 * std::acos(-1) / 8),
                                  26 + 9 * std::cos(3 * std::acos(-1) / 8), 26 + 9 * std::cos(5 * std::acos(-1) / 8)};
  for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_DOUBLE_EQ(weights[k], 1.0 / roots[k % 4]) << k;

  launches.clear();
  ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.constant("depth", 1) <= 8; });
  JacobiProblem blocked(parse(grid, "solver: chebyshev, stop: iterations, max_iterations: 21"), 7);
  blocked.set_up(executor);
  finish(blocked);
  std::size_t sweep = 0;
  for (const Launch* pass : passes(launches))  // of 7 sweeps, so that they begin anywhere in the cycle
    for (std::int64_t s = 0; s < pass->arguments[9].integer_value; ++s)
      EXPECT_EQ(doubles(pass->arguments[7])[s], weights.at(sweep++));
  EXPECT_EQ(sweep, 21U);
}

TEST_F(JacobiProblemTest, ACycleOfMultigridGoesDownToTheCoarsestGridAndUpAgain) {
  // Ten intervals, then five, which sixteen sweeps solve.
  JacobiProblem problem(
      parse("grid: {nodes: [9, 9]}, source: '2'", "solver: multigrid, stop: iterations, max_iterations: 2"));
  problem.set_up(executor);
  finish(problem);
  std::vector<std::string> one{"jacobi_sweeps", "jacobi_sweeps", "jacobi_restrict"};
  one.insert(one.end(), 15, "jacobi_sweeps");  // the restriction does the first
  for (const char* name : {"jacobi_prolong", "jacobi_sweeps", "jacobi_sweeps", "residual_norm"}) one.emplace_back(name);
  std::vector<std::string> two = one;
  two.insert(two.end(), one.begin(), one.end());
  ASSERT_EQ(names(), two);

  const auto extent = [&](std::size_t k) { return launches[k].box.extent(0); };
  EXPECT_EQ(extent(0), 9);
  EXPECT_EQ(extent(2), 4);
  EXPECT_EQ(extent(3), 4);
  EXPECT_EQ(extent(18), 9);
  EXPECT_EQ(extent(20), 9);
  // The norm is that of the first sweep, and every cycle ends where it began.
  const auto memory = [&](std::size_t k, std::size_t argument) { return launches[k].arguments[argument].memory; };
  EXPECT_EQ(memory(0, 3), memory(21, 0));
  for (const std::size_t k : {1U, 3U, 19U, 20U}) EXPECT_NE(memory(k, 3), memory(21, 0)) << k;
  EXPECT_EQ(memory(2, 0), memory(0, 0));  // the residual of the smoothed iterate,
  EXPECT_EQ(memory(2, 2), memory(3, 0));  // and what the restriction makes of it is swept on
  EXPECT_EQ(memory(2, 3), memory(3, 1));
  EXPECT_EQ(memory(17, 2), memory(18, 1));  // the correction
  EXPECT_EQ(memory(18, 0), memory(19, 0));
  EXPECT_EQ(memory(20, 2), memory(0, 0));
  EXPECT_EQ(memory(22, 0), memory(0, 0));
  EXPECT_EQ(launches[0].arguments[8].real_value, 2.0);
  EXPECT_EQ(memory(0, 1), nullptr);

  for (const auto& [name, calls] :
       {std::pair{"residual_norm", 2U}, {"jacobi_sweeps", 38U}, {"jacobi_restrict", 2U}, {"jacobi_prolong", 2U}}) {
    const auto rows = problem.kernels();
    EXPECT_EQ(std::ranges::count(rows, name, &KernelRow::name), 1) << name;  // all grids together
    EXPECT_EQ(std::ranges::find(rows, name, &KernelRow::name)->calls, calls) << name;
  }
}

TEST_F(JacobiProblemTest, MultigridSmoothsInPassesOfTwoSweepsWhereTheDeviceCan) {
  ON_CALL(*executor, supports).WillByDefault(Return(true));
  JacobiProblem problem(parse("grid: {nodes: [9, 9]}", "solver: multigrid, stop: iterations, max_iterations: 1"));
  problem.set_up(executor);
  finish(problem);
  std::vector<std::int64_t> counts;
  for (const Launch* pass : passes(launches)) counts.push_back(pass->arguments[9].integer_value);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{2, 8, 7, 2}));
  const Launch& coarse = *passes(launches)[1];
  const auto weight = [&](std::size_t pass, int k) { return doubles(passes(launches)[pass]->arguments[7])[k]; };
  EXPECT_EQ(weight(1, 8), weight(2, 0));
  for (const Launch& launch : launches) {
    if (launch.name != "jacobi_restrict") continue;
    EXPECT_EQ(launch.arguments[14].real_value, weight(1, -1));
    EXPECT_EQ(launch.arguments[2].memory, coarse.arguments[0].memory);
  }
}

TEST_F(JacobiProblemTest, ACycleOfMultigridEndsWhereItBeganWhateverTheDeviceCanHold) {
  for (const std::int64_t most : {1, 2, 3, 5, 6, 7, 16}) {
    ON_CALL(*executor, supports).WillByDefault([most](const KernelSpec& spec) {
      return spec.constant("depth", 1) <= most;
    });
    launches.clear();
    JacobiProblem problem(parse("grid: {nodes: [3, 3]}", "solver: multigrid, stop: iterations, max_iterations: 1"));
    problem.set_up(executor);
    finish(problem);
    EXPECT_EQ(passes(launches).back()->arguments[2].memory, passes(launches).front()->arguments[0].memory) << most;
  }
}

TEST_F(JacobiProblemTest, MultigridHasNoClassicVariant) {
  try {
    JacobiProblem(parse("grid: {nodes: [9, 9]}", "solver: multigrid, variant: classic"));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("case.yaml:2:"), HasSubstr("no classic variant")));
  }
}

TEST_F(JacobiProblemTest, BlockedIsRefusedWhereTheBackendLacksIt) {
  expect_lack("variant: blocked", "'jacobi_sweeps', rhs_array 0, depth 2, in double");
}

TEST_F(JacobiProblemTest, ASourceThatVariesIsAnArray) {
  JacobiProblem problem(
      parse("grid: {nodes: [2, 2]}, source: 'x+10*y', domain: {x: [0, 3], y: [0, 3]}", "max_iterations: 1"));
  problem.set_up(executor);
  finish(problem);
  EXPECT_EQ(specs.back().constant("rhs_array", 0), 1);
  const Argument& f = launches[0].arguments[1];
  ASSERT_NE(f.memory, nullptr);
  EXPECT_DOUBLE_EQ(doubles(f)[0], 11.0);
  EXPECT_DOUBLE_EQ(doubles(f)[1], 12.0);
  EXPECT_DOUBLE_EQ(doubles(f)[f.pitch], 21.0);
}

TEST_F(JacobiProblemTest, TheRingHoldsTheSideValues) {
  JacobiProblem problem(
      parse("grid: {nodes: [2, 3]}, domain: {x: [0, 3], y: [0, 4]}, initial: 'x*y', "
            "boundary: {left: '100+y', right: '200+y', bottom: '300+x', top: '400+x'}",
            "max_iterations: 1"));
  problem.set_up(executor);
  finish(problem);
  for (const std::size_t k : {0U, 2U}) {  // both fields of the fused sweep
    const Argument& u = launches[0].arguments[k];
    const double* at = doubles(u);
    for (std::int64_t j = 0; j < 3; ++j) {
      EXPECT_DOUBLE_EQ(at[j * u.pitch - 1], 101.0 + static_cast<double>(j));
      EXPECT_DOUBLE_EQ(at[j * u.pitch + 2], 201.0 + static_cast<double>(j));
    }
    for (std::int64_t i = 0; i < 2; ++i) {
      EXPECT_DOUBLE_EQ(at[i - u.pitch], 301.0 + static_cast<double>(i));
      EXPECT_DOUBLE_EQ(at[i + 3 * u.pitch], 401.0 + static_cast<double>(i));
    }
  }
  EXPECT_DOUBLE_EQ(doubles(launches[0].arguments[0])[1 + launches[0].arguments[0].pitch], 4.0);
}

TEST_F(JacobiProblemTest, AStopOnTheDeviceEndsTheRunAtThatIteration) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "tolerance: 0.1, max_iterations: 1000"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.iterations, 10);
  EXPECT_EQ(end.residual, 0.1);
  ASSERT_EQ(end.history.size(), 11U);  // row 0 is that of the initial guess
  EXPECT_EQ(end.history[0], (Row{0, 1.0}));
  EXPECT_EQ(end.history[1], (Row{1, 1.0}));
  EXPECT_EQ(end.history[10], (Row{10, 0.1}));
  for (const KernelRow& row : problem.kernels()) {
    EXPECT_EQ(row.calls, 10) << row.name;  // launches after the stop did nothing
    EXPECT_DOUBLE_EQ(row.bytes, 100.0);
    EXPECT_DOUBLE_EQ(row.flops, 50.0);
    EXPECT_NEAR(row.seconds, 10e-6, 1e-12);
  }
  EXPECT_EQ(problem.advance().iterations, 10);  // a run that has ended stays as it is
}

TEST_F(JacobiProblemTest, ARelativeToleranceIsHeldAgainstTheNormOfAZeroField) {
  std::vector<double> first_values;
  norm = [&](std::int64_t iteration) {
    const Argument& u = launches[launches.size() - 2].arguments[0];
    if (iteration == 1) first_values.push_back(doubles(u)[0]);
    return first_values.size() == 1 ? 8.0 : 1.0 / static_cast<double>(iteration);  // the zero field's, then the run's
  };
  JacobiProblem problem(
      parse("grid: {nodes: [4, 4]}, initial: '3'", "tolerance: 0.5, relative_tolerance: 0.0125, max_iterations: 1000"));
  problem.set_up(executor);
  EXPECT_EQ(launches.size(), 2U);
  const Progress end = finish(problem);
  EXPECT_EQ(first_values, (std::vector<double>{0.0, 3.0}));
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.tolerance, 0.1);
  EXPECT_EQ(end.iterations, 10);
  for (const KernelRow& row : problem.kernels()) EXPECT_EQ(row.calls, 10) << row.name;  // of the run alone
}

TEST_F(JacobiProblemTest, WithoutAStopOnTheToleranceARelativeOneMeansNothing) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "relative_tolerance: 0.5, stop: iterations, max_iterations: 3"));
  problem.set_up(executor);
  EXPECT_TRUE(launches.empty());
  EXPECT_EQ(finish(problem).status, Status::completed);
}

TEST_F(JacobiProblemTest, CheckEveryLooksAtEveryThatManyIterationsOnly) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "tolerance: 0.1, max_iterations: 1000, check_every: 7"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.iterations, 14);
  EXPECT_EQ(end.history.size(), 15U);
  for (const Launch& launch : launches) {
    if (launch.name != "residual_norm") continue;
    EXPECT_EQ(launch.arguments[4].integer_value, 7);
    EXPECT_EQ(launch.arguments[7].real_value, 0.1);
  }
}

TEST_F(JacobiProblemTest, TheLimitEndsARunThatDoesNotConverge) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "tolerance: 1e-9, max_iterations: 50"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::not_converged);
  EXPECT_EQ(end.iterations, 50);
  EXPECT_EQ(end.tolerance, 1e-9);
}

TEST_F(JacobiProblemTest, ANormThatIsNotFiniteDivergesAndNamesItsIteration) {
  norm = [](std::int64_t k) { return k < 6 ? 1.0 : std::numeric_limits<double>::quiet_NaN(); };
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "stop: iterations, max_iterations: 50"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::diverged);
  EXPECT_EQ(end.iterations, 6);
  EXPECT_THAT(end.message, HasSubstr("iteration 6 "));
}

TEST_F(JacobiProblemTest, ChunksGrowUpToTheLongestAndAreReadOnce) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "stop: iterations, max_iterations: 100"), 8);
  problem.set_up(executor);
  std::vector<std::int64_t> lengths;
  std::int64_t before = 0;
  while (problem.advance().status == Status::running) {
    lengths.push_back(static_cast<std::int64_t>(launches.size()) / 2 - before);
    before = static_cast<std::int64_t>(launches.size()) / 2;
  }
  EXPECT_EQ(lengths.at(0), 1);
  EXPECT_EQ(lengths.at(1), 4);
  EXPECT_EQ(lengths.at(2), 8);
  EXPECT_EQ(lengths.at(3), 8);
}

TEST_F(JacobiProblemTest, AValueThatIsNotFiniteIsACaseErrorAtItsNode) {
  const Case the_case = parse("grid: {nodes: [3, 3]}, domain: {x: [-1, 1], y: [-1, 1]}, source: '1/(x+y*0)'", "");
  const auto refused = [](const std::function<void()>& action) {
    try {
      action();
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::case_file);
      EXPECT_THAT(error.what(), HasSubstr("node (1, 0)"));
      EXPECT_THAT(error.what(), HasSubstr("x = 0, y = -0.5"));
    }
  };
  refused([&] { JacobiProblem(the_case).check(); });
  refused([&] { JacobiProblem(the_case).set_up(executor); });
}

TEST_F(JacobiProblemTest, AnExactSolutionThatIsNotFiniteIsRefusedBeforeTheRun) {
  JacobiProblem problem(parse("grid: {nodes: [3, 3]}, domain: {x: [-1, 1], y: [-1, 1]}, exact: '1/x'", ""));
  EXPECT_THROW(problem.set_up(executor), Error);
}

TEST_F(JacobiProblemTest, AKernelThatTheBackendLacksIsNamed) {
  ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.name != "jacobi_sweeps"; });
  expect_lack("precision: float", "'jacobi_sweeps', rhs_array 0, depth 1, in float");
}

TEST_F(JacobiProblemTest, TheEstimateCoversWhatIsAllocated) {
  ON_CALL(*executor, supports).WillByDefault(Return(true));
  for (const char* method :
       {"variant: classic", "variant: fused", "variant: blocked", "solver: chebyshev", "solver: multigrid"}) {
    std::size_t allocated = 0;
    EXPECT_CALL(*executor, allocate).WillRepeatedly([&allocated](std::size_t bytes, MemoryKind) {
      allocated += bytes;
      return std::make_unique<HostBytes>(bytes);
    });
    const Case the_case = parse("grid: {nodes: [500, 300]}, source: 'x'", method);
    JacobiProblem problem(the_case);
    problem.set_up(executor);
    const Estimate estimate = problem.estimate();
    EXPECT_GE(estimate.device, static_cast<double>(allocated)) << method;
    EXPECT_LE(estimate.device, 1.2 * static_cast<double>(allocated)) << method;
    EXPECT_GE(estimate.host, 500.0 * 300.0 * 8.0);
  }
}

TEST_F(JacobiProblemTest, TheEstimateOfAHugeGridDoesNotOverflow) {
  const Estimate estimate = JacobiProblem(parse("grid: {nodes: [2147483648, 2147483648]}", "")).estimate();
  EXPECT_GT(estimate.device, 7e19);
  EXPECT_GT(estimate.host, 3.6e19);
}

}  // namespace
}  // namespace quoin
