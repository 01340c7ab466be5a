// What the Jacobi problem computes, on the serial backend.

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include "numerics/jacobi/solver.hpp"
#include "quoin/error.hpp"
#include "quoin/testing/fake_checkpoint.hpp"

namespace quoin {
namespace {

using test::jacobi_case;
using test::solve;
using test::Solved;

double relative(double value, double expected) { return std::fabs(value - expected) / std::fabs(expected); }

TEST(Jacobi, ReproducesTheSeedsHistoryAndField) {
  const std::map<std::size_t, double> expected{{0, 0.14426154461623178},
                                               {100, 0.0040753061550332899},
                                               {200, 0.0024509677931981895},
                                               {500, 0.00128950197158652},
                                               {1000, 0.00081444838050392509}};
  for (const char* variant : {"classic", "fused", "auto"}) {
    const Solved solved = solve(Case::load(QUOIN_SOURCE_DIR "/configs/jacobi/seed-100.yaml",
                                           {{"method.variant", variant}}, KeyTable::standard()));
    EXPECT_EQ(solved.last.status, Status::not_converged);
    ASSERT_EQ(solved.norms.size(), 1001U);
    for (const auto& [row, norm] : expected) EXPECT_LT(relative(solved.norms[row], norm), 1e-12) << "row " << row;
    double sum = 0.0;
    for (std::size_t k = 0; k < solved.u.size(); ++k) sum += solved.u.at(k);
    EXPECT_LT(relative(sum, 4145.1978927722867), 1e-12);
    EXPECT_LT(relative(solved.u.at(0), 0.058921136906519581), 1e-12);
  }
}

TEST(Jacobi, TheErrorFallsAtSecondOrder) {
  Errors before;
  for (const int n : {7, 15, 31, 63}) {
    // dx and dy differ. 12 (n+1)^2 iterations leave an iteration error far below that of the discretisation.
    const Solved solved = solve(jacobi_case(
        "grid: {nodes: [" + std::to_string(n) + ", " + std::to_string((n + 1) * 3 / 2 - 1) +
            "]}, "
            "domain: {x: [0, 1], y: [0, 1]}, source: '(pi^2-1)*sin(pi*x)*exp(y)', exact: 'sin(pi*x)*exp(y)', "
            "boundary: {bottom: 'sin(pi*x)', top: 'sin(pi*x)*exp(1)'}",
        "stop: iterations, max_iterations: " + std::to_string(12 * (n + 1) * (n + 1))));
    ASSERT_TRUE(solved.errors);
    const Errors now = *solved.errors;
    EXPECT_LE(now.l1, now.l2);
    EXPECT_LE(now.l2, now.linf);
    if (n > 7) {
      EXPECT_NEAR(std::log2(before.l1 / now.l1), 2.0, 0.06) << n;
      EXPECT_NEAR(std::log2(before.l2 / now.l2), 2.0, 0.06) << n;
      EXPECT_NEAR(std::log2(before.linf / now.linf), 2.0, 0.06) << n;
    }
    before = now;
  }
}

TEST(Jacobi, AgreesWithANaiveLoop) {
  constexpr int nx = 21;
  constexpr int ny = 35;
  constexpr double dx = 2.0 / (nx + 1);
  constexpr double dy = 3.0 / (ny + 1);
  const auto x = [=](int i) { return (i + 1) * dx; };
  const auto y = [=](int j) { return (j + 1) * dy; };
  std::vector<std::vector<double>> u(ny + 2, std::vector<double>(nx + 2));  // with its sides
  for (int j = 0; j < ny; ++j) {
    u[j + 1][0] = 1.0 + y(j);
    u[j + 1][nx + 1] = 2.0 - y(j);
  }
  for (int i = 0; i < nx; ++i) {
    u[0][i + 1] = x(i) * x(i);
    u[ny + 1][i + 1] = -x(i);
  }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) u[j + 1][i + 1] = x(i) * y(j);
  double norm = 0.0;
  for (int k = 0; k < 50; ++k) {
    const auto old = u;
    double sum = 0.0;
    for (int j = 1; j <= ny; ++j) {
      for (int i = 1; i <= nx; ++i) {
        const double au = (2 * old[j][i] - old[j][i - 1] - old[j][i + 1]) / (dx * dx) +
                          (2 * old[j][i] - old[j - 1][i] - old[j + 1][i]) / (dy * dy);
        const double r = x(i - 1) - y(j - 1) - au;
        u[j][i] = old[j][i] + r / (2 / (dx * dx) + 2 / (dy * dy));
        sum += r * r;
      }
    }
    norm = std::sqrt(sum * dx * dy);
  }
  for (const char* variant : {"classic", "fused", "auto"}) {
    const Solved solved =
        solve(jacobi_case("grid: {nodes: [21, 35]}, domain: {x: [0, 2], y: [0, 3]}, source: 'x-y', "
                          "initial: 'x*y', boundary: {left: '1+y', right: '2-y', bottom: 'x*x', "
                          "top: '-x'}",
                          std::string("stop: iterations, max_iterations: 50, variant: ") + variant));
    EXPECT_LT(relative(solved.last.residual.value(), norm), 1e-12);
    for (std::size_t j = 0; j < ny; ++j)
      for (std::size_t i = 0; i < nx; ++i) EXPECT_NEAR(solved.u.at(j * nx + i), u[j + 1][i + 1], 1e-12);
  }
}

struct Shape {
  int nx;
  int ny;
  const char* precision;
  const char* source;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.nx << " x " << shape.ny << " " << shape.precision << " f = " << shape.source;
}

class Variants : public ::testing::TestWithParam<Shape> {};

TEST_P(Variants, GiveTheSameBits) {
  const Shape shape = GetParam();
  const auto run = [&](const std::string& variant, const std::string& solver = "jacobi") {
    return solve(jacobi_case("grid: {nodes: [" + std::to_string(shape.nx) + ", " + std::to_string(shape.ny) +
                                 "]}, domain: {x: [0, 1], y: [0, 2]}, source: '" + shape.source +
                                 "', initial: 'sin(7*x)*y', boundary: {left: 'cos(y)', right: 'y', bottom: '1+x', top: "
                                 "'exp(x)'}",
                             "stop: iterations, max_iterations: 41, precision: " + std::string(shape.precision) +
                                 ", variant: " + variant + ", solver: " + solver));
  };
  const Solved classic = run("classic");
  const Solved fused = run("fused");
  const Solved fastest = run("auto");  // in passes of several sweeps where the backend has them
  EXPECT_EQ(classic.norms, fused.norms);
  EXPECT_EQ(classic.u.raw, fused.u.raw);
  EXPECT_EQ(classic.norms, fastest.norms);
  EXPECT_EQ(classic.u.raw, fastest.u.raw);
  EXPECT_EQ(classic.u.size(), static_cast<std::size_t>(shape.nx * shape.ny));
  EXPECT_GT(classic.norms.front(), classic.norms.back());

  const Solved chebyshev = run("classic", "chebyshev");
  for (const char* variant : {"fused", "auto"}) {
    EXPECT_EQ(chebyshev.norms, run(variant, "chebyshev").norms) << variant;
    EXPECT_EQ(chebyshev.u.raw, run(variant, "chebyshev").u.raw) << variant;
  }
  const Solved multigrid = run("fused", "multigrid");
  EXPECT_EQ(multigrid.norms, run("auto", "multigrid").norms);
  EXPECT_EQ(multigrid.u.raw, run("auto", "multigrid").u.raw);
}

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const auto& [nx, ny] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 3}, {16, 32}, {17, 33}, {100, 37}})
    for (const char* precision : {"double", "float"})
      for (const char* source : {"0", "1/3", "x*y+1"}) all.push_back({nx, ny, precision, source});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Jacobi, Variants, ::testing::ValuesIn(shapes()));

class Stopping : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Case with(const std::string& method, std::int64_t most = 1000) const {
    return jacobi_case("grid: {nodes: [33, 18]}, source: 'x+1', boundary: {left: 'y'}",
                       GetParam() + ", residual_norm: seed, max_iterations: " + std::to_string(most) + ", " + method);
  }
};

TEST_P(Stopping, IsExactWhateverTheChunkLength) {
  const Solved whole = solve(with("stop: iterations"));
  // Tolerances that an odd, an even and the first iteration meets first.
  for (const std::size_t at : {1U, 37U, 128U, 500U}) {
    std::string tolerance(32, '\0');
    tolerance.resize(static_cast<std::size_t>(std::snprintf(tolerance.data(), 32, "%.17e", whole.norms[at])));
    std::int64_t first = 1;
    while (whole.norms[static_cast<std::size_t>(first)] > whole.norms[at]) ++first;
    if (GetParam().starts_with("solver")) {  // whose field may have a larger norm than the iteration found before it
      const std::int64_t stop = solve(with("tolerance: " + tolerance)).last.iterations;
      EXPECT_LE(stop, first + 128);  // a cycle of Chebyshev's
      first = stop;
    }
    for (const std::int64_t longest : {1, 3, 64, 256}) {
      const Solved solved = solve(with("tolerance: " + tolerance), longest);
      EXPECT_EQ(solved.last.status, Status::converged);
      EXPECT_LE(solved.last.residual, solved.last.tolerance);
      EXPECT_EQ(solved.last.iterations, first) << longest;
      const Solved same = solve(with("stop: iterations", first));
      EXPECT_EQ(solved.norms, same.norms) << longest;
      EXPECT_EQ(solved.u.raw, same.u.raw) << longest;
    }
  }
}

TEST_P(Stopping, ARelativeToleranceIsAShareOfTheZeroFieldsNorm) {
  const Solved whole = solve(with("stop: iterations"));  // from zero: its first norm is that of the zero field
  std::size_t first = 1;
  while (whole.norms[first] > 0.01 * whole.norms[0]) ++first;
  const Solved solved = solve(with("relative_tolerance: 0.01"));
  EXPECT_EQ(solved.last.status, Status::converged);
  EXPECT_EQ(solved.last.iterations, static_cast<std::int64_t>(first));
  EXPECT_EQ(solved.last.tolerance, 0.01 * whole.norms[0]);
  // Where the run starts does not change what is meant.
  const Solved elsewhere =
      solve(jacobi_case("grid: {nodes: [33, 18]}, source: 'x+1', boundary: {left: 'y'}, initial: '7'",
                        "relative_tolerance: 0.01, residual_norm: seed, " + GetParam()));
  EXPECT_EQ(elsewhere.last.tolerance, solved.last.tolerance);
  EXPECT_NE(elsewhere.norms[0], whole.norms[0]);
}

TEST_P(Stopping, CheckEveryStopsAtAMultiple) {
  const Solved each = solve(with("stop: iterations"));
  for (const std::size_t every : {2U, 7U, 100U}) {
    std::size_t first = every;
    while (each.norms[first] > 1e-4) first += every;
    const Solved solved = solve(with("tolerance: 1e-4, check_every: " + std::to_string(every)));
    EXPECT_EQ(solved.last.status, Status::converged);
    // The field of the other solvers is measured at times of their own, too.
    if (!GetParam().starts_with("solver")) {
      EXPECT_EQ(solved.last.iterations, static_cast<std::int64_t>(first));
    }
    EXPECT_EQ(solved.norms.size(), static_cast<std::size_t>(solved.last.iterations) + 1);
    EXPECT_TRUE(std::equal(solved.norms.begin(), solved.norms.end(), each.norms.begin()));
  }
}

TEST_P(Stopping, ARestoredRunGoesOnToTheSameBits) {
  for (const char* precision : {"double", "float"}) {
    const Case the_case = with(std::string("tolerance: 2e-4, precision: ") + precision);
    const Solved unbroken = solve(the_case);
    ASSERT_EQ(unbroken.last.status, Status::converged);
    JacobiProblem first(the_case, 5);
    first.set_up(test::executor());
    std::vector<double> norms;
    for (int calls = 0; calls < 4; ++calls)
      for (const Row& row : first.advance().history) norms.push_back(std::get<double>(row[1]));
    testing::FakeCheckpoint checkpoint;
    first.save(checkpoint);

    JacobiProblem second(the_case, 7);
    second.set_up(test::executor());
    second.restore(checkpoint);
    const Solved solved = test::finish(second);
    norms.insert(norms.end(), solved.norms.begin(), solved.norms.end());
    EXPECT_EQ(solved.last.iterations, unbroken.last.iterations);
    EXPECT_EQ(norms, unbroken.norms);
    EXPECT_EQ(solved.u.raw, unbroken.u.raw);

    // A checkpoint of a run that has ended has nothing left to do.
    second.save(checkpoint);
    JacobiProblem third(the_case);
    third.set_up(test::executor());
    third.restore(checkpoint);
    const Solved again = test::finish(third);
    EXPECT_EQ(again.last.status, Status::converged);
    EXPECT_EQ(again.last.iterations, unbroken.last.iterations);
    EXPECT_EQ(again.u.raw, unbroken.u.raw);
  }
}

INSTANTIATE_TEST_SUITE_P(Jacobi, Stopping,
                         ::testing::Values("variant: classic", "variant: fused", "variant: auto", "solver: chebyshev",
                                           "solver: multigrid"),
                         [](const auto& each) { return each.param.substr(each.param.find(' ') + 1); });

TEST(Jacobi, FloatFollowsDoubleToItsPrecision) {
  const std::string problem = "grid: {nodes: [40, 25]}, source: 'x', boundary: {top: 'x'}";
  const Solved wide = solve(jacobi_case(problem, "stop: iterations, max_iterations: 100"));
  const Solved narrow = solve(jacobi_case(problem, "stop: iterations, max_iterations: 100, precision: float"));
  EXPECT_EQ(narrow.u.precision, Precision::float32);
  for (std::size_t k = 0; k < wide.u.size(); ++k) EXPECT_NEAR(narrow.u.at(k), wide.u.at(k), 1e-5);
  EXPECT_NE(narrow.norms, wide.norms);
}

TEST(Jacobi, ANumberTooLargeForTheArithmeticDiverges) {
  const Solved solved = solve(jacobi_case("grid: {nodes: [9, 9]}, boundary: {left: '1e200'}", "max_iterations: 30"));
  EXPECT_EQ(solved.last.status, Status::diverged);
  EXPECT_EQ(solved.last.iterations, 1);
}

}  // namespace
}  // namespace quoin
