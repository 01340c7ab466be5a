// Chebyshev's weights and multigrid: what they launch.

#include <algorithm>
#include <array>
#include <cmath>

#include "jacobi_fixture.hpp"

namespace quoin {
namespace {

using test::doubles;
using test::JacobiProblemTest;
using test::Launch;
using test::passes;
using testing::HasSubstr;
using testing::Return;

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

}  // namespace
}  // namespace quoin
