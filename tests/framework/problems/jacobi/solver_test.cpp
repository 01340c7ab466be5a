// Chebyshev's weights and multigrid: what they launch.

#include <algorithm>
#include <array>
#include <cmath>

#include "fixture.hpp"

namespace quoin {
namespace {

using test::JacobiProblemTest;
using test::passes;
using testing::elements;
using ::testing::HasSubstr;
using testing::Launch;
using ::testing::Return;

TEST_F(JacobiProblemTest, ChebyshevGivesEverySweepAWeightInTurn) {
  const std::string grid = "grid: {nodes: [2, 1]}, domain: {x: [0, 1], y: [0, 1]}";
  JacobiProblem classic(parse(grid, "solver: chebyshev, variant: classic, stop: iterations, max_iterations: 21"));
  classic.set_up(executor);
  finish(classic);
  std::vector<double> weights;
  for (const Launch& launch : launches)
    if (launch.kernel.name == "jacobi_update") weights.push_back(launch.arguments[4].real_value);
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
      EXPECT_EQ(elements<double>(pass->arguments[7])[s], weights.at(sweep++));
  EXPECT_EQ(sweep, 21U);
}

TEST_F(JacobiProblemTest, ACycleOfMultigridGoesDownToTheCoarsestGridAndUpAgain) {
  // Ten intervals, then five, which sixteen sweeps solve.
  JacobiProblem problem(
      parse("grid: {nodes: [9, 9]}, source: '2'", "solver: multigrid, stop: iterations, max_iterations: 2"));
  problem.set_up(executor);
  finish(problem);
  std::vector<std::string> expected(4, "jacobi_sweeps");  // the first one only smooths
  expected.insert(expected.end(), {"residual_norm", "jacobi_restrict"});
  expected.insert(expected.end(), 15, "jacobi_sweeps");  // the restriction does the first
  expected.emplace_back("jacobi_prolong");
  expected.insert(expected.end(), 4, "jacobi_sweeps");
  expected.emplace_back("residual_norm");
  ASSERT_EQ(names(), expected);

  const auto extent = [&](std::size_t k) { return launches[k].box.extent(0); };
  EXPECT_EQ(extent(0), 9);
  EXPECT_EQ(extent(5), 4);
  EXPECT_EQ(extent(6), 4);
  EXPECT_EQ(extent(21), 9);
  EXPECT_EQ(extent(25), 9);
  const auto memory = [&](std::size_t k, std::size_t argument) { return launches[k].arguments[argument].memory; };
  for (const std::size_t k : {0U, 22U}) EXPECT_EQ(memory(k, 3), memory(4, 0)) << k;  // the norm is the first sweep's
  for (const std::size_t k : {1U, 3U, 6U, 23U, 25U}) EXPECT_NE(memory(k, 3), memory(4, 0)) << k;
  EXPECT_EQ(memory(5, 0), memory(3, 2));  // the residual of the smoothed iterate,
  EXPECT_EQ(memory(5, 2), memory(6, 0));  // and what the restriction makes of it is swept on
  EXPECT_EQ(memory(5, 3), memory(6, 1));
  EXPECT_EQ(memory(20, 2), memory(21, 1));  // the correction
  EXPECT_EQ(memory(21, 0), memory(5, 0));
  EXPECT_EQ(memory(21, 0), memory(22, 0));
  EXPECT_EQ(launches[0].arguments[8].real_value, 2.0);
  EXPECT_EQ(memory(0, 1), nullptr);

  for (const auto& [name, calls] :
       {std::pair{"residual_norm", 2U}, {"jacobi_sweeps", 23U}, {"jacobi_restrict", 1U}, {"jacobi_prolong", 1U}}) {
    const auto rows = problem.kernels();
    EXPECT_EQ(std::ranges::count(rows, name, &KernelRow::name), 1) << name;  // all grids together
    EXPECT_EQ(std::ranges::find(rows, name, &KernelRow::name)->calls, calls) << name;
  }
}

TEST_F(JacobiProblemTest, MultigridSmoothsInOnePassWhereTheDeviceCan) {
  ON_CALL(*executor, supports).WillByDefault(Return(true));
  JacobiProblem problem(parse("grid: {nodes: [19, 19]}", "solver: multigrid, stop: iterations, max_iterations: 2"));
  problem.set_up(executor);
  finish(problem);
  std::vector<std::int64_t> counts;
  for (const Launch* pass : passes(launches)) counts.push_back(pass->arguments[9].integer_value);
  EXPECT_EQ(counts, (std::vector<std::int64_t>{4, 8, 7, 4, 4}));
  const auto weight = [&](std::size_t pass, int k) {
    return elements<double>(passes(launches)[pass]->arguments[7])[k];
  };
  EXPECT_EQ(weight(1, 8), weight(2, 0));
  std::vector<std::size_t> swept{1, 3};  // the coarsest grid and the middle one
  for (const Launch& launch : launches) {
    if (launch.kernel.name != "jacobi_restrict") continue;
    EXPECT_EQ(launch.arguments[14].real_value, weight(swept.back(), -1));
    EXPECT_EQ(launch.arguments[2].memory, passes(launches)[swept.back()]->arguments[0].memory);
    swept.pop_back();
  }
  EXPECT_TRUE(swept.empty());
}

TEST_F(JacobiProblemTest, ACycleOfMultigridGoesOnWhereTheLastEndedWhateverTheDeviceCanHold) {
  for (const std::int64_t most : {1, 2, 3, 4, 16}) {
    ON_CALL(*executor, supports).WillByDefault([most](const KernelSpec& spec) {
      return spec.constant("depth", 1) <= most;
    });
    launches.clear();
    JacobiProblem problem(parse("grid: {nodes: [9, 9]}", "solver: multigrid, stop: iterations, max_iterations: 7"));
    problem.set_up(executor);
    finish(problem);
    Memory* iterate = nullptr;
    std::size_t restrictions = 0;
    for (const Launch& launch : launches) {
      if (launch.kernel.name == "jacobi_sweeps" && launch.box.extent(0) == 9) iterate = launch.arguments[2].memory;
      if (launch.kernel.name != "jacobi_restrict") continue;
      EXPECT_EQ(launch.arguments[0].memory, iterate) << most;
      ++restrictions;
    }
    EXPECT_EQ(restrictions, 6U);
  }
}

TEST_F(JacobiProblemTest, MultigridHasNoClassicVariant) {
  try {
    JacobiProblem(parse("grid: {nodes: [9, 9]}", "solver: multigrid, variant: classic"));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("case.yaml:2:"), HasSubstr("no classic variant")));
  }
}

}  // namespace
}  // namespace quoin
