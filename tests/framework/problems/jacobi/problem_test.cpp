#include <array>
#include <limits>

#include "base/checksum.hpp"
#include "fixture.hpp"
#include "output/checkpoint.hpp"

namespace quoin {
namespace {

using test::JacobiProblemTest;
using test::passes;
using ::testing::_;
using testing::elements;
using testing::FakeMemory;
using ::testing::HasSubstr;
using testing::Launch;
using ::testing::Return;

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
  EXPECT_EQ(last.arguments[6].real_value, 1.0);
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
  // One launch finds the norms of two sweeps, from block sums that lie one after another.
  ASSERT_EQ(names(), (std::vector<std::string>{"jacobi_sweeps", "jacobi_sweeps", "residual_norm", "jacobi_sweeps",
                                               "residual_norm"}));
  EXPECT_EQ(launches[0].arguments[2].memory, launches[1].arguments[0].memory);
  EXPECT_EQ(launches[1].arguments[2].memory, launches[0].arguments[0].memory);
  EXPECT_EQ(launches[3].arguments[0].memory, launches[0].arguments[0].memory);
  EXPECT_EQ(launches[0].arguments[1].memory, nullptr);
  EXPECT_EQ(launches[0].arguments[3].offset, 0U);
  EXPECT_EQ(launches[1].arguments[3].offset, sizeof(double));  // of one block
  EXPECT_EQ(launches[2].box.upper, (std::array<std::int64_t, 3>{1, 2, 1}));
  EXPECT_EQ(launches[4].box.upper, (std::array<std::int64_t, 3>{1, 1, 1}));
  EXPECT_EQ(launches[4].arguments[3].integer_value, 3);
  EXPECT_EQ(launches[0].arguments[8].real_value, 2.0);
}

TEST_F(JacobiProblemTest, AStopAtTheFirstOfTwoSweepsLeavesItsResult) {
  norm = [](std::int64_t iteration) { return iteration < 7 ? 1.0 : 1e-9; };
  JacobiProblem problem(
      parse("grid: {nodes: [4, 4]}, exact: '0'", "variant: fused, tolerance: 1e-6, max_iterations: 1000"));
  problem.set_up(executor);
  EXPECT_EQ(finish(problem).iterations, 7);
  elements<double>(passes(launches)[6]->arguments[2])[0] = 42.0;
  EXPECT_EQ(problem.errors()->linf, 42.0);
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
  EXPECT_EQ(elements<double>(found[0]->arguments[7])[7], 1.0 / (2.0 * 441.0 + 2.0 * 1681.0));  // the last of 8 weights
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
  const Launch& again = *found.at(found.size() - 2);  // the last one measures the field
  EXPECT_EQ(again.arguments[9].integer_value, 5);
  EXPECT_EQ(again.arguments[0].memory, found[1]->arguments[0].memory);
  EXPECT_EQ(again.arguments[2].memory, found[1]->arguments[2].memory);
  EXPECT_EQ(elements<std::int64_t>(again.arguments.back())[0], 0);  // or the pass would do nothing
}

TEST_F(JacobiProblemTest, BlockedIsRefusedWhereTheBackendLacksIt) {
  expect_lack("variant: blocked", "'jacobi_sweeps', rhs_array 0, depth 2, in double");
}

TEST_F(JacobiProblemTest, ASourceThatVariesIsAnArray) {
  JacobiProblem problem(
      parse("grid: {nodes: [2, 2]}, source: 'x+10*y', domain: {x: [0, 3], y: [0, 3]}", "max_iterations: 1"));
  problem.set_up(executor);
  finish(problem);
  EXPECT_EQ(launches[0].kernel.constant("rhs_array", 0), 1);
  const Argument& f = launches[0].arguments[1];
  ASSERT_NE(f.memory, nullptr);
  EXPECT_DOUBLE_EQ(elements<double>(f)[0], 11.0);
  EXPECT_DOUBLE_EQ(elements<double>(f)[1], 12.0);
  EXPECT_DOUBLE_EQ(elements<double>(f)[f.pitch], 21.0);
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
    const double* at = elements<double>(u);
    for (std::int64_t j = 0; j < 3; ++j) {
      EXPECT_DOUBLE_EQ(at[j * u.pitch - 1], 101.0 + static_cast<double>(j));
      EXPECT_DOUBLE_EQ(at[j * u.pitch + 2], 201.0 + static_cast<double>(j));
    }
    for (std::int64_t i = 0; i < 2; ++i) {
      EXPECT_DOUBLE_EQ(at[i - u.pitch], 301.0 + static_cast<double>(i));
      EXPECT_DOUBLE_EQ(at[i + 3 * u.pitch], 401.0 + static_cast<double>(i));
    }
  }
  EXPECT_DOUBLE_EQ(elements<double>(launches[0].arguments[0])[1 + launches[0].arguments[0].pitch], 4.0);
}

TEST_F(JacobiProblemTest, AStopOnTheDeviceEndsTheRunAtThatIteration) {
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "tolerance: 0.1, max_iterations: 1000"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.iterations, 10);
  EXPECT_EQ(end.residual, 1.0 / 11.0);  // of the field that is returned, as one iteration more finds it
  ASSERT_EQ(end.history.size(), 11U);   // row 0 is that of the initial guess
  EXPECT_EQ(end.history[0], (Row{0, 1.0}));
  EXPECT_EQ(end.history[1], (Row{1, 1.0}));
  EXPECT_EQ(end.history[10], (Row{10, 0.1}));
  for (const KernelRow& row : problem.kernels()) {
    const double calls = row.name == "residual_norm" ? 5 : 10;  // launches after the stop did nothing
    EXPECT_EQ(static_cast<double>(row.calls), calls) << row.name;
    EXPECT_DOUBLE_EQ(row.bytes, 10.0 * calls);
    EXPECT_DOUBLE_EQ(row.flops, 5.0 * calls);
    EXPECT_NEAR(row.seconds, calls * 1e-6, 1e-12);
  }
  EXPECT_EQ(problem.advance().iterations, 10);  // a run that has ended stays as it is
}

TEST_F(JacobiProblemTest, ARelativeToleranceIsHeldAgainstTheNormOfAZeroField) {
  std::vector<double> first_values;
  norm = [&](std::int64_t iteration) {
    if (iteration == 1)
      first_values.push_back(elements<double>(passes(launches).at(first_values.size())->arguments[0])[0]);
    return first_values.size() == 1 ? 8.0 : 1.0 / static_cast<double>(iteration);  // the zero field's, then the run's
  };
  JacobiProblem problem(
      parse("grid: {nodes: [4, 4]}, initial: '3'", "relative_tolerance: 0.0125, max_iterations: 1000"));
  problem.set_up(executor);
  EXPECT_EQ(launches.size(), 2U);
  const Progress end = finish(problem);
  EXPECT_EQ(first_values, (std::vector<double>{0.0, 3.0}));
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.tolerance, 0.1);
  EXPECT_EQ(end.iterations, 10);
  for (const KernelRow& row : problem.kernels())
    EXPECT_EQ(row.calls, row.name == "residual_norm" ? 5U : 10U) << row.name;  // of the run alone
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
    if (launch.kernel.name != "residual_norm" || launch.arguments[7].real_value == -1.0) continue;  // that one measures
    EXPECT_EQ(launch.arguments[4].integer_value, 7);
    EXPECT_EQ(launch.arguments[7].real_value, 0.1);
  }
}

TEST_F(JacobiProblemTest, ANormThatTheFieldDoesNotKeepEndsNothing) {
  norm = [](std::int64_t k) { return k == 7 || k == 8 || k >= 129 ? 1e-9 : 1.0; };
  // 7 promises what 8 keeps.
  JacobiProblem kept(parse("grid: {nodes: [4, 4]}", "tolerance: 1e-6, max_iterations: 1000"));
  kept.set_up(executor);
  EXPECT_EQ(finish(kept).iterations, 7);
  // 7 promises what 8 does not keep: the field is measured again at the end of the cycle, which takes 32 sweeps.
  norm = [](std::int64_t k) { return k == 7 || k == 9 || k >= 33 ? 1e-9 : 1.0; };
  JacobiProblem broken(parse("grid: {nodes: [15, 15]}", "solver: chebyshev, tolerance: 1e-6, max_iterations: 1000"));
  broken.set_up(executor);
  const Progress end = finish(broken);
  EXPECT_EQ(end.status, Status::converged);
  EXPECT_EQ(end.iterations, 32);
  EXPECT_EQ(end.history.size(), 33U);
  EXPECT_EQ(std::get<double>(end.history.back()[1]), 1.0);
  EXPECT_EQ(end.residual, 1e-9);
}

TEST_F(JacobiProblemTest, AResidualThatNoLongerFallsEndsTheRun) {
  norm = [](std::int64_t k) { return std::max(std::pow(static_cast<double>(k), -2.0), 1e-8); };
  JacobiProblem problem(parse("grid: {nodes: [4, 4]}", "tolerance: 1e-9, max_iterations: 1000000"));
  problem.set_up(executor);
  const Progress end = finish(problem);
  EXPECT_EQ(end.status, Status::stagnated);
  EXPECT_EQ(end.iterations, 4 * 4096);  // 1e-8 comes in the third window, and the fourth leaves no less
  EXPECT_EQ(end.residual, 1e-8);
  EXPECT_THAT(end.message, HasSubstr("the residual stays at 1.000e-08, above the tolerance of 1.000e-09"));
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
    const auto all = static_cast<std::int64_t>(passes(launches).size());
    lengths.push_back(all - before);
    before = all;
  }
  EXPECT_EQ(lengths.at(0), 2);
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

/// The rows of the source in order, one where it is constant, and the sides.
TEST_F(JacobiProblemTest, ACheckpointKeepsTheChecksumsOfTheFormulasValues) {
  for (const std::string source : {"x + 3*y", "2"}) {
    Checksum of_source;
    Checksum of_sides;
    for (int j = 0; j < (source == "2" ? 1 : 3); ++j) {
      for (int i = 0; i < 5; ++i) {
        const double value = source == "2" ? 2.0 : (i + 1) + 3.0 * (j + 1);
        of_source.add(std::as_bytes(std::span(&value, 1)));
      }
    }
    const std::vector<double> sides{7, 7, 7, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    of_sides.add(std::as_bytes(std::span(sides)));
    for (const char* method : {"variant: classic", "variant: fused", "solver: multigrid"}) {
      JacobiProblem problem(
          parse("grid: {nodes: [5, 3]}, domain: {x: [0, 6], y: [0, 4]}, boundary: {left: '7', "
                "right: '8', bottom: '0', top: '0'}, source: '" +
                    source + "'",
                method));
      problem.set_up(executor);
      for (int k = 0; k < 2; ++k) {
        Checkpoint checkpoint;
        problem.save(checkpoint);
        EXPECT_EQ(checkpoint.text("formulas"), of_source.hex() + of_sides.hex()) << source << ", " << method;
      }
    }
  }
}

TEST_F(JacobiProblemTest, TheEstimateCoversWhatIsAllocated) {
  ON_CALL(*executor, supports).WillByDefault(Return(true));
  for (const char* method :
       {"variant: classic", "variant: fused", "variant: blocked", "solver: chebyshev", "solver: multigrid"}) {
    std::size_t allocated = 0;
    EXPECT_CALL(*executor, allocate).WillRepeatedly([&allocated](std::size_t bytes, MemoryKind) {
      allocated += bytes;
      return std::make_unique<FakeMemory>(bytes);
    });
    const Case the_case = parse("grid: {nodes: [500, 300]}, source: 'x'", method);
    JacobiProblem problem(the_case);
    problem.set_up(executor);
    const Estimate estimate = problem.estimate();
    EXPECT_GE(estimate.device, static_cast<double>(allocated)) << method;
    EXPECT_LE(estimate.device, 1.2 * static_cast<double>(allocated)) << method;
  }
}

TEST_F(JacobiProblemTest, TheEstimateOfAHugeGridDoesNotOverflow) {
  const Estimate estimate = JacobiProblem(parse("grid: {nodes: [2147483648, 2147483648]}", "")).estimate();
  EXPECT_GT(estimate.device, 7e19);
  EXPECT_GT(estimate.checkpoint, 3.6e19);
}

}  // namespace
}  // namespace quoin
