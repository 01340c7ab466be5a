// How fast the solvers are, in iterations, and that they reach the solution.

#include <gmock/gmock.h>

#include <cmath>

#include "numerics/jacobi/solver.hpp"

namespace quoin {
namespace {

using test::jacobi_case;
using test::solve;
using test::Solved;

/// u = x^3 - 3 x y^2 + x^2, of which five-point differences make no error.
Solved solve_cubic(int nx, int ny, const std::string& height, const std::string& method) {
  return solve(jacobi_case("grid: {nodes: [" + std::to_string(nx) + ", " + std::to_string(ny) +
                               "]}, domain: {x: [0, 1], y: [0, " + height +
                               "]}, source: '-2', exact: 'x^3-3*x*y^2+x^2', boundary: {right: '2-3*y^2', bottom: "
                               "'x^3+x^2', top: 'x^3-3*x*" +
                               height + "^2+x^2'}",
                           method));
}

struct Rectangle {
  int nx, ny;
  const char* height;
};

void PrintTo(const Rectangle& r, std::ostream* out) { *out << r.nx << " x " << r.ny << " to " << r.height; }

class Multigrid : public ::testing::TestWithParam<Rectangle> {};

TEST_P(Multigrid, TakesAFewCycles) {
  const auto& [nx, ny, height] = GetParam();
  const Solved solved = solve_cubic(nx, ny, height, "solver: multigrid, relative_tolerance: 1e-8, max_iterations: 50");
  EXPECT_EQ(solved.last.status, Status::converged);
  EXPECT_LE(solved.last.iterations, 11);
  // The residual of the last cycle was small before it, and is smaller now.
  EXPECT_LT(solved.errors->linf, 1e-7 * (1.0 + 3.0 * std::pow(std::stod(height), 2)));
}

INSTANTIATE_TEST_SUITE_P(Jacobi, Multigrid,
                         ::testing::Values(Rectangle{1, 1, "1"}, Rectangle{2, 2, "1"}, Rectangle{5, 5, "1"},
                                           Rectangle{1, 50, "1"}, Rectangle{3, 1000, "1"}, Rectangle{100, 7, "1"},
                                           Rectangle{255, 255, "1"}, Rectangle{256, 256, "1"}, Rectangle{250, 333, "1"},
                                           Rectangle{255, 255, "1.41"}, Rectangle{200, 200, "30"},
                                           Rectangle{130, 130, "1e-3"}));

TEST(Chebyshev, ACycleLeavesAHundredthOfTheError) {
  // The square root of the condition number is 40.7, so 128 sweeps are the smallest power of two that do.
  const auto error = [](int sweeps) {
    return solve_cubic(63, 63, "1", "solver: chebyshev, stop: iterations, max_iterations: " + std::to_string(sweeps))
        .errors->l2;
  };
  // Of zero the error is that after a sweep of almost no weight.
  const double before = error(1);
  const double after = error(128);
  EXPECT_LT(after, 0.01 * before);
  EXPECT_GT(error(64), 0.01 * before);
  EXPECT_LT(error(256), 0.01 * after);
}

TEST(Chebyshev, NeedsTheRootOfTheIterationsOfJacobi) {
  for (const char* precision : {"double", "float"}) {
    const auto iterations = [&](const std::string& solver) {
      const Solved solved = solve_cubic(
          40, 55, "1",
          "relative_tolerance: 1e-3, max_iterations: 100000, solver: " + solver + ", precision: " + precision);
      EXPECT_EQ(solved.last.status, Status::converged) << solver << " " << precision;
      return solved.last.iterations;
    };
    EXPECT_LT(iterations("chebyshev"), 256) << precision;
    EXPECT_LT(iterations("multigrid"), 10) << precision;
    EXPECT_GT(iterations("jacobi"), 500) << precision;
  }
}

}  // namespace
}  // namespace quoin
