// What a problem says of its kernels before a run is what it makes in one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "quoin/error.hpp"
#include "quoin/testing/mocks.hpp"

namespace quoin::test {
namespace {

using ::testing::NiceMock;
using ::testing::Return;

constexpr const char* jacobi = "{type: jacobi, grid: {nodes: [33, 17]}, source: 'x'}";
constexpr const char* waves =
    "{type: dg-cvs, equation: {type: advection, velocity: [1, 0.5]}, mesh: {cells: [4, 3]}, domain: {x: [0, 4], y: [0, "
    "3]}, "
    "boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}, initial: 'sin(x)'}";
constexpr const char* shock =
    "{type: dg-cvs, equation: burgers, mesh: {cells: [4, 3]}, domain: {x: [-1, 1], y: [-1, 1]}, boundary: {left: open, "
    "right: open, bottom: periodic, top: periodic}, initial: '0.5'}";

class KernelsOn : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

std::string text_of(const KernelSpec& spec) {
  std::string text = spec.name + (spec.precision == Precision::float64 ? " double" : " float");
  for (const Constant& constant : spec.constants) text += " " + constant.name + " " + std::to_string(constant.value);
  return text;
}

TEST_P(KernelsOn, AreThoseOfTheSetUp) {
  const auto& [problem, method] = GetParam();
  const auto executor = std::make_shared<NiceMock<::quoin::testing::MockExecutor>>();
  std::set<std::string> made;
  ON_CALL(*executor, kernel).WillByDefault([&](const KernelSpec& spec) {
    made.insert(text_of(spec));
    auto kernel = std::make_unique<NiceMock<::quoin::testing::MockKernel>>();
    ON_CALL(*kernel, cost).WillByDefault(Return(Cost{10.0, 5.0}));
    return kernel;
  });
  ON_CALL(*executor, supports).WillByDefault([](const KernelSpec& spec) { return spec.constant("depth", 1) <= 3; });
  const Case the_case =
      Case::parse(std::string("problem: ") + problem + "\nmethod: {" + method + "}\nbackend: serial\n", "case.yaml", {},
                  KeyTable::standard());
  const std::unique_ptr<Problem> one = problem_type(the_case.text("problem.type")).make(the_case);
  std::set<std::string> told;
  for (const KernelSpec& spec : one->kernels_on(*executor)) told.insert(text_of(spec));
  one->set_up(executor);
  EXPECT_EQ(told, made);
}

INSTANTIATE_TEST_SUITE_P(Cases, KernelsOn,
                         ::testing::Values(std::pair{jacobi, "variant: classic, tolerance: 1e-3"},
                                           std::pair{jacobi, "variant: classic, stop: iterations, max_iterations: 3"},
                                           std::pair{jacobi, "variant: fused, precision: float, stop: iterations"},
                                           std::pair{jacobi, "variant: blocked, stop: iterations"},
                                           std::pair{jacobi, "solver: multigrid, stop: iterations"},
                                           std::pair{waves, "order: 2, final_time: 0.1"},
                                           std::pair{waves,
                                                     "order: 1, final_time: 0.1, solver: matrices, precision: float"},
                                           std::pair{waves, "order: 1, final_time: 0.1, limiter: always, loops: split"},
                                           std::pair{shock, "order: 2, final_time: 0.1, solver: newton"},
                                           std::pair{shock, "order: 1, final_time: 0.1, limiter: none"}));

}  // namespace
}  // namespace quoin::test
