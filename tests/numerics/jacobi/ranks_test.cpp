// A grid on several ranks, threads of this process: all that comes out has the bits of one process.

#include <gmock/gmock.h>

#include "numerics/jacobi/solver.hpp"
#include "numerics/on_ranks.hpp"
#include "quoin/testing/fake_checkpoint.hpp"

namespace quoin {
namespace {

using test::jacobi_case;
using test::Solved;
using testing::FakeCheckpoint;

template <class Lead>
void on_ranks(const Case& the_case, int ranks, const Lead& lead, std::int64_t longest_chunk = 64, bool mixed = false) {
  test::on_ranks(
      ranks, [&] { return std::make_unique<JacobiProblem>(the_case, longest_chunk); }, lead, mixed);
}

void expect_same(const Solved& expected, const Solved& found) {
  EXPECT_EQ(found.last.status, expected.last.status);
  EXPECT_EQ(found.last.iterations, expected.last.iterations);
  EXPECT_EQ(found.last.residual, expected.last.residual);
  EXPECT_EQ(found.last.message, expected.last.message);
  EXPECT_EQ(found.norms, expected.norms);
  EXPECT_EQ(found.u.raw, expected.u.raw);
  ASSERT_EQ(found.errors.has_value(), expected.errors.has_value());
  if (!expected.errors) return;
  EXPECT_EQ(found.errors->l1, expected.errors->l1);
  EXPECT_EQ(found.errors->l2, expected.errors->l2);
  EXPECT_EQ(found.errors->linf, expected.errors->linf);
}

void expect_bits_of_one(const Case& the_case, std::initializer_list<int> counts, bool mixed = false) {
  const Solved alone = test::solve(the_case, 64);
  for (const int ranks : counts) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    Solved together;
    on_ranks(
        the_case, ranks, [&](JacobiProblem& problem) { together = test::finish(problem); }, 64, mixed);
    expect_same(alone, together);
  }
}

constexpr const char* varying = "source: 'sin(3*x) + y', boundary: {left: 'y', top: 'x*x'}, initial: {u: 'x*y'}";

Case grid_case(int nx, int ny, const std::string& problem, const std::string& method, const std::string& run = {}) {
  return jacobi_case("grid: {nodes: [" + std::to_string(nx) + ", " + std::to_string(ny) + "]}, " + problem, method,
                     run);
}

class Ranks : public ::testing::TestWithParam<const char*> {
 protected:
  static std::string method(const std::string& more) { return std::string(GetParam()) + ", " + more; }
};

TEST_P(Ranks, HaveTheBitsOfOneProcess) {
  for (const char* precision : {"double", "float"})
    expect_bits_of_one(grid_case(100, 203, varying,
                                 method(std::string("stop: iterations, max_iterations: 70, precision: ") + precision)),
                       {2, 3, 4, 7});
}

TEST_P(Ranks, MayHaveDevicesOfSeveralKinds) {
  expect_bits_of_one(grid_case(120, 260, varying, method("stop: iterations, max_iterations: 20")), {3}, true);
}

TEST_P(Ranks, TakeNoMoreOfADeviceThanIsSaid) {
  const Case the_case = grid_case(300, 1500, varying, method("stop: iterations, max_iterations: 20"));
  for (const int ranks : {1, 3, 7})
    test::expect_fitting_estimate(
        ranks, [&] { return std::make_unique<JacobiProblem>(the_case, 20); }, 1.4);
}

TEST_P(Ranks, MayHaveAStripThinnerThanAPass) {
  expect_bits_of_one(grid_case(257, 69, varying, method("stop: iterations, max_iterations: 50")), {2, 3, 7});
  expect_bits_of_one(grid_case(40, 33, varying, method("stop: iterations, max_iterations: 40")), {2, 5});
}

TEST_P(Ranks, MayHaveNothingToDo) {
  expect_bits_of_one(grid_case(31, 31, varying, method("stop: iterations, max_iterations: 20")), {2, 7});
  expect_bits_of_one(grid_case(1, 1, "source: '1'", method("stop: iterations, max_iterations: 3")), {3});
  expect_bits_of_one(grid_case(20, 70, "source: '2'", method("stop: iterations, max_iterations: 20")), {16});
}

TEST_P(Ranks, StopAtTheSameIteration) {
  for (const char* rule : {"tolerance: 3e-2", "relative_tolerance: 1e-2", "tolerance: 3e-2, check_every: 7",
                           "tolerance: 1e-2, precision: float", "tolerance: 1e-30, max_iterations: 33"})
    expect_bits_of_one(grid_case(45, 110, "source: 'x + 1', exact: 'x*(1-x)*y*(1-y)'", method(rule)), {2, 4});
}

TEST_P(Ranks, TellWhereARunIsNotFinite) {
  expect_bits_of_one(grid_case(20, 100, "source: '1e200*(1+x)'", method("stop: iterations, max_iterations: 40")), {3});
}

TEST_P(Ranks, GoOnWithACheckpointOfAnyOtherNumber) {
  const Case the_case = grid_case(33, 130, varying, method("relative_tolerance: 1e-3, max_iterations: 5000"));
  const Solved unbroken = test::solve(the_case);
  ASSERT_EQ(unbroken.last.status, Status::converged);
  for (const auto& [before, after] : {std::pair(1, 3), std::pair(4, 1), std::pair(3, 2)}) {
    FakeCheckpoint checkpoint;
    std::vector<double> norms;
    on_ranks(
        the_case, before,
        [&](JacobiProblem& problem) {
          for (int calls = 0; calls < 3; ++calls)
            for (const Row& row : problem.advance().history) norms.push_back(std::get<double>(row[1]));
          problem.save(checkpoint);
        },
        5);
    Solved solved;
    on_ranks(
        the_case, after,
        [&](JacobiProblem& problem) {
          problem.restore(checkpoint);
          solved = test::finish(problem);
        },
        7);
    norms.insert(norms.end(), solved.norms.begin(), solved.norms.end());
    solved.norms = norms;
    expect_same(unbroken, solved);
  }
}

INSTANTIATE_TEST_SUITE_P(Jacobi, Ranks,
                         ::testing::Values("variant: classic", "variant: fused", "variant: auto", "solver: chebyshev",
                                           "solver: multigrid"),
                         [](const auto& each) {
                           const std::string words = each.param;
                           return words.substr(words.find(' ') + 1);
                         });

/// Passes over parts of three rows of blocks and more are cut into bands, those over thinner ones are not.
TEST(RanksThatOverlap, HaveTheBitsOfOneProcess) {
  for (const char* method : {"variant: classic", "variant: fused", "variant: auto", "variant: auto, precision: float",
                             "solver: chebyshev"}) {
    SCOPED_TRACE(method);
    const auto overlapped = [&](int ny, const std::string& problem, const std::string& more) {
      return grid_case(70, ny, problem, method + more, "overlap: on");
    };
    expect_bits_of_one(overlapped(330, varying, ", stop: iterations, max_iterations: 40"), {3});
    expect_bits_of_one(overlapped(97, varying, ", stop: iterations, max_iterations: 40"), {2});
    expect_bits_of_one(overlapped(300, "source: 'x + 1', exact: 'x*(1-x)*y*(1-y)'", ", relative_tolerance: 1e-2"), {3});
  }
  expect_bits_of_one(grid_case(70, 300, "source: '1e200*(1+x)'", "stop: iterations, max_iterations: 40", "overlap: on"),
                     {2});
}

TEST(RanksOfMultigrid, CutLevelsOfAnySizeAndShape) {
  const auto shape = [](int nx, int ny, const char* more) {
    return grid_case(nx, ny, varying + std::string(more), "solver: multigrid, stop: iterations, max_iterations: 4");
  };
  expect_bits_of_one(shape(255, 511, ""), {2, 3, 4});
  expect_bits_of_one(shape(130, 300, ", domain: {x: [0, 1], y: [0, 30]}"), {2, 5});
  expect_bits_of_one(shape(300, 130, ", domain: {x: [0, 30], y: [0, 1]}"), {3});
  expect_bits_of_one(shape(1000, 97, ""), {3, 4});
}

}  // namespace
}  // namespace quoin
