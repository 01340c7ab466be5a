// What a run says of its residual, against the residual of the field that it returns, found here by itself.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "numerics/jacobi/solver.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using test::jacobi_case;
using test::solve;
using test::Solved;
using ::testing::HasSubstr;

/// A formula of a case file, and what it means.
struct Formula {
  const char* text;
  double (*at)(double x, double y);
};

constexpr std::array formulas{
    Formula{"0", [](double, double) { return 0.0; }},
    Formula{"1", [](double, double) { return 1.0; }},
    Formula{"x*y-1", [](double x, double y) { return x * y - 1; }},
    Formula{"sin(3*y)", [](double, double y) { return std::sin(3 * y); }},
    Formula{"y*y", [](double, double y) { return y * y; }},
    Formula{"cos(x)", [](double x, double) { return std::cos(x); }},
    Formula{"1+x", [](double x, double) { return 1 + x; }},
    Formula{"exp(-50*(x-0.5)^2)", [](double x, double) { return std::exp(-50 * (x - 0.5) * (x - 0.5)); }}};

struct Problem {
  int nx, ny;
  double height;                       // of a rectangle that is 1 wide
  std::array<std::size_t, 5> formula;  // source, left, right, bottom, top

  [[nodiscard]] double dx() const { return 1.0 / (nx + 1); }
  [[nodiscard]] double dy() const { return height / (ny + 1); }
  [[nodiscard]] double diagonal() const { return 2 / (dx() * dx()) + 2 / (dy() * dy()); }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    out.precision(17);
    const auto text = [&](std::size_t k) { return formulas[formula[k]].text; };
    out << "grid: {nodes: [" << nx << ", " << ny << "]}, domain: {x: [0, 1], y: [0, " << height << "]}, source: '"
        << text(0) << "', boundary: {left: '" << text(1) << "', right: '" << text(2) << "', bottom: '" << text(3)
        << "', top: '" << text(4) << "'}";
    return out.str();
  }
};

/// sqrt(sum v^2 dx dy) of the residual and of the values.
struct Norms {
  double residual, values;
};

Norms norms_of(const Problem& problem, const test::KeptField& u) {
  const auto value = [&](std::size_t k, int i, int j) {
    return formulas[problem.formula[k]].at((i + 1) * problem.dx(), (j + 1) * problem.dy());
  };
  const auto at = [&](int i, int j) -> long double {
    if (i < 0) return value(1, i, j);
    if (i == problem.nx) return value(2, i, j);
    if (j < 0) return value(3, i, j);
    if (j == problem.ny) return value(4, i, j);
    return u.at(static_cast<std::size_t>(j) * static_cast<std::size_t>(problem.nx) + static_cast<std::size_t>(i));
  };
  const long double a = 1.0L / (problem.dx() * problem.dx());
  const long double b = 1.0L / (problem.dy() * problem.dy());
  long double residuals = 0;
  long double values = 0;
  for (int j = 0; j < problem.ny; ++j) {
    for (int i = 0; i < problem.nx; ++i) {
      const long double r = value(0, i, j) - a * (2 * at(i, j) - at(i - 1, j) - at(i + 1, j)) -
                            b * (2 * at(i, j) - at(i, j - 1) - at(i, j + 1));
      residuals += r * r;
      values += at(i, j) * at(i, j);
    }
  }
  const long double cell = problem.dx() * problem.dy();
  return {static_cast<double>(std::sqrt(residuals * cell)), static_cast<double>(std::sqrt(values * cell))};
}

/// The residual that rounding each value of the field makes, about.
double of_rounding(const Problem& problem, const Norms& norms, bool narrow) {
  const double epsilon = narrow ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  // Sides are as large as 2 or height^2.
  const double values = norms.values + (2 + problem.height * problem.height) * std::sqrt(problem.height);
  return epsilon * problem.diagonal() * values;
}

struct Method {
  std::string solver, variant, precision, tolerance;
  [[nodiscard]] std::string text(int most) const {
    return "solver: " + solver + ", variant: " + variant + ", precision: " + precision + ", " + tolerance +
           ", max_iterations: " + std::to_string(most);
  }
};

/// Runs it, holds what it says against its field, and tells how it ended.
Status hold(const Problem& problem, const Method& method, int most) {
  SCOPED_TRACE(problem.text() + " by " + method.text(most));
  const Solved solved = solve(jacobi_case(problem.text(), method.text(most)));
  const Norms norms = norms_of(problem, solved.u);
  const bool narrow = method.precision == "float";
  const bool converged = solved.last.status == Status::converged;
  // A run in float looks at its field in double before it says that it has converged.
  const double noise = 4 * of_rounding(problem, norms, narrow && !converged);
  if (converged) {
    EXPECT_LE(norms.residual, solved.last.tolerance * (1 + 1e-9) + noise);
  }
  EXPECT_NEAR(solved.last.residual.value(), norms.residual, 1e-9 * norms.residual + noise);
  if (solved.last.status == Status::stagnated) {
    EXPECT_GT(norms.residual, solved.last.tolerance * (1 - 1e-6));
    // Jacobi's method damps the shortest waves of rounding little, and Chebyshev's weights let them grow on the way
    // through a cycle.
    const double grown = method.solver == "multigrid" ? 20 : method.solver == "jacobi" ? 1e3 : 1e4;
    EXPECT_LT(norms.residual, grown * of_rounding(problem, norms, narrow));
    EXPECT_THAT(solved.last.message, HasSubstr("rounding in " + method.precision));
  }
  return solved.last.status;
}

template <class T, std::size_t n>
const T& one_of(const std::array<T, n>& all, std::mt19937& random) {
  return all[random() % n];
}

/// Random ones; how many ended in each way.
std::map<Status, int> hold_random(unsigned seed, int count, int max_rows, std::int64_t max_visits) {
  std::mt19937 random(seed);
  const auto logarithmic = [&](double low, double high) {
    return low * std::pow(high / low, static_cast<double>(random()) / 4294967296.0);
  };
  std::map<Status, int> ends;
  for (int k = 0; k < count; ++k) {
    Problem problem{
        static_cast<int>(logarithmic(1, 61)), static_cast<int>(logarithmic(1, max_rows)), logarithmic(1e-3, 1e3), {}};
    for (std::size_t& formula : problem.formula) formula = random() % formulas.size();
    Method method{one_of(std::array{"jacobi", "chebyshev", "multigrid"}, random),
                  one_of(std::array{"classic", "fused", "auto"}, random), one_of(std::array{"double", "float"}, random),
                  ""};
    if (method.solver == "multigrid" && method.variant == "classic") method.variant = "auto";
    std::ostringstream tolerance;
    tolerance << (random() % 3 == 0 ? "tolerance: " : "relative_tolerance: ") << logarithmic(1e-10, 1e-1);
    method.tolerance = tolerance.str();
    const std::int64_t points = std::int64_t{problem.nx} * problem.ny;
    const auto most = static_cast<int>(std::clamp<std::int64_t>(max_visits / points, 20, 100000));
    ++ends[hold(problem, method, method.solver == "multigrid" ? std::min(most, 60) : most)];
  }
  return ends;
}

TEST(JacobiResidual, IsThatOfTheFieldThatIsReturned) {
  const std::map<Status, int> ends = hold_random(1, 50, 60, 1 << 18);
  for (const Status status : {Status::converged, Status::stagnated, Status::not_converged})
    EXPECT_TRUE(ends.contains(status)) << to_string(status);  // or nothing was held against anything
}

TEST(JacobiResidual, LongIsThatOfTheFieldThatIsReturned) {
  const std::map<Status, int> ends = hold_random(2, 240, 2001, 1 << 24);
  for (const Status status : {Status::converged, Status::stagnated, Status::not_converged})
    EXPECT_GE(ends.count(status) > 0 ? ends.at(status) : 0, 10) << to_string(status);
}

TEST(JacobiResidual, AWeightOfChebyshevsAtTheStopDoesNotThrowItUp) {
  const Problem tall{37, 1001, 1.0, {2, 3, 4, 5, 6}};
  for (const char* variant : {"classic", "fused", "auto"})
    EXPECT_EQ(hold(tall, {"chebyshev", variant, "double", "tolerance: 1e-4"}, 20000), Status::converged);
  const Problem square{127, 127, 1.0, {2, 3, 4, 5, 6}};
  EXPECT_EQ(hold(square, {"chebyshev", "auto", "float", "tolerance: 1e-6"}, 20000), Status::stagnated);
}

TEST(JacobiResidual, WhatThePrecisionCannotReachEndsEarly) {
  const Problem square{63, 63, 1.0, {1, 3, 4, 5, 6}};
  for (const char* solver : {"jacobi", "chebyshev", "multigrid"}) {
    const Method method{solver, "auto", "float", "relative_tolerance: 1e-8"};
    EXPECT_EQ(hold(square, method, 200000), Status::stagnated);
    const Solved solved = solve(jacobi_case(square.text(), method.text(200000)));
    EXPECT_LT(solved.last.iterations, 30000) << solver;
  }
}

TEST(JacobiResidual, ASquareThatUnderflowsIsRefused) {
  const auto refused = [](const std::string& problem, const std::string& method, const std::string& words) {
    try {
      solve(jacobi_case("grid: {nodes: [15, 15]}, " + problem, method));
      ADD_FAILURE() << "accepted: " << problem;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::case_file);
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  refused("source: '1e-25'", "precision: float, relative_tolerance: 1e-2", "use precision: double");
  refused("source: '1e-25'", "precision: float", "use precision: double");
  refused("boundary: {left: '1e-60'}", "precision: float", "use precision: double");  // zero in float
  refused("source: '1e-170'", "relative_tolerance: 1e-2", "square");
  refused("source: '1'", "precision: float, tolerance: 1e-22", "a residual of 1e-22");
  const Solved zero = solve(jacobi_case("grid: {nodes: [15, 15]}", ""));
  EXPECT_EQ(zero.last.status, Status::converged);
  EXPECT_EQ(solve(jacobi_case("grid: {nodes: [15, 15]}, source: '1e-25'", "solver: multigrid")).last.status,
            Status::converged);
}

TEST(JacobiResidual, BoundsHowFarTheFieldIsFromTheSolution) {
  for (const char* tolerance : {"1e-3", "1e-5", "1e-7"}) {
    const Case the_case = jacobi_case(
        "grid: {nodes: [31, 31]}, source: '-2', exact: 'x^3-3*x*y^2+x^2', boundary: "
        "{right: '2-3*y^2', bottom: 'x^3+x^2', top: 'x^3-3*x+x^2'}",
        std::string("max_iterations: 100000, relative_tolerance: ") + tolerance);
    JacobiProblem problem(the_case);
    problem.set_up(test::executor());
    const Solved solved = test::finish(problem);
    ASSERT_EQ(solved.last.status, Status::converged);
    // Five-point differences make no error of this solution: all that is left is the iteration's.
    const std::vector<Figure> figures = problem.figures();
    ASSERT_EQ(figures.back().name, "algebraic_error");
    const double bound = std::get<double>(figures.back().value);
    EXPECT_LE(solved.errors->l2, bound);
    EXPECT_GE(solved.errors->l2, 0.5 * bound);  // Jacobi's method leaves the smoothest error, for which it is exact
  }
}

TEST(JacobiResidual, DefaultsToEightOrdersOfThatOfZero) {
  for (const int n : {15, 63}) {
    const Solved solved = solve(jacobi_case(
        "grid: {nodes: [" + std::to_string(n) + ", " + std::to_string(n) + "]}, source: '1'", "solver: multigrid"));
    EXPECT_EQ(solved.last.status, Status::converged);
    EXPECT_NEAR(solved.last.tolerance, 1e-8 * n / (n + 1), 1e-15);  // sqrt(sum 1 dx dy)
    double most = 0.0;
    for (std::size_t k = 0; k < solved.u.size(); ++k) most = std::max(most, solved.u.at(k));
    EXPECT_NEAR(most, 0.0737, 0.0008);
  }
}

TEST(JacobiResidual, TheSeedsNormIsDividedByTheNodes) {
  const std::string problem = "grid: {nodes: [10, 20]}, source: '1'";
  const Solved plain = solve(jacobi_case(problem, "stop: iterations, max_iterations: 3"));
  const Solved seed = solve(jacobi_case(problem, "stop: iterations, max_iterations: 3, residual_norm: seed"));
  for (std::size_t k = 0; k < plain.norms.size(); ++k) EXPECT_NEAR(plain.norms[k], 200 * seed.norms[k], 1e-12);
}

TEST(JacobiResidual, OfTwoTolerancesTheOneThatIsMetFirstCounts) {
  const auto tolerance = [](const std::string& method) {
    return solve(jacobi_case("grid: {nodes: [3, 3]}, source: '4'", method)).last.tolerance;
  };
  EXPECT_EQ(tolerance("tolerance: 0.5"), 0.5);
  EXPECT_EQ(tolerance("tolerance: 0.5, relative_tolerance: 1e-3"), 0.5);
  EXPECT_NEAR(tolerance("tolerance: 1e-9, relative_tolerance: 0.5"), 1.5, 1e-12);  // 4 * 3/4 is the norm
}

}  // namespace
}  // namespace quoin
