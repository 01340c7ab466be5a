// -div(k grad u) + c u = f with sides of all kinds: order, bits, the residual that is reported, and what is refused.

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "numerics/jacobi/solver.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using test::jacobi_case;
using test::solve;
using test::Solved;
using ::testing::HasSubstr;

/// A problem with a known solution, but for its grid.
struct Known {
  const char* name;
  const char* text;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

constexpr Known knowns[] = {
    {"Dirichlet",
     "diffusivity: '1 + x/2 + y^2/2', reaction: '1 + x', source: '(2*pi^2*(1 + x/2 + y^2/2) + 1 + "
     "x)*sin(pi*x)*sin(pi*y) - pi/2*cos(pi*x)*sin(pi*y) - pi*y*sin(pi*x)*cos(pi*y)', exact: 'sin(pi*x)*sin(pi*y)'"},
    {"EachSide",
     "diffusivity: '1 + x', source: '-exp(x)*cos(y)', exact: 'exp(x)*cos(y)', boundary: {left: {type: neumann, value: "
     "'-cos(y)'}, right: {type: robin, coefficient: 3, value: '5*exp(1)*cos(y)'}, bottom: {type: neumann}, top: "
     "'exp(x)*cos(1)'}"},
    {"Robin",
     "diffusivity: '1 + y', source: '-exp(y)*cos(x)', exact: 'exp(y)*cos(x)', boundary: {left: {type: robin, "
     "coefficient: 1, value: 'exp(y)'}, right: {type: robin, coefficient: '1 + y', value: '(1 + "
     "y)*exp(y)*(cos(1) - sin(1))'}, bottom: {type: robin, coefficient: 2, value: 'cos(x)'}, top: {type: robin, "
     "coefficient: 1, value: '3*exp(1)*cos(x)'}}"},
    // Sums over nodes miss the balance of source and sides by the square of the spacing.
    {"Neumann",
     "diffusivity: '1 + x', source: '-(2 + x)*exp(x) - 2*(1 + x)', exact: 'exp(x) + y^2', mean: 2.0516151617923786, "
     "boundary: {left: {type: neumann, value: '-1'}, right: {type: neumann, value: '2*exp(1)'}, bottom: {type: "
     "neumann}, top: {type: neumann, value: '2*(1 + x)'}}"},
    {"Periodic",
     "diffusivity: '2 + cos(2*pi*x)', source: '4*pi^2*sin(2*pi*x)*cos(2*pi*x)*sin(pi*y) + 5*pi^2*(2 + "
     "cos(2*pi*x))*sin(2*pi*x)*sin(pi*y)', exact: 'sin(2*pi*x)*sin(pi*y)', boundary: {left: {type: periodic}, right: "
     "{type: periodic}}"},
    {"PeriodicAllAround",
     "diffusivity: '2 + cos(2*pi*y)', source: '(8*pi^2*(2 + cos(2*pi*y))*sin(2*pi*y) + "
     "4*pi^2*sin(2*pi*y)*cos(2*pi*y))*cos(2*pi*x)', exact: 'sin(2*pi*y)*cos(2*pi*x)', boundary: {left: {type: "
     "periodic}, right: {type: periodic}, bottom: {type: periodic}, top: {type: periodic}}"},
    {"PeriodicWithReaction",
     "reaction: '3', source: '(4*pi^2 + 3)*sin(2*pi*y)', exact: 'sin(2*pi*y)', boundary: {left: {type: neumann}, "
     "right: "
     "{type: neumann}, bottom: {type: periodic}, top: {type: periodic}}"},
};

std::string on_grid(const Known& known, int nx, int ny) {
  return "grid: {nodes: [" + std::to_string(nx) + ", " + std::to_string(ny) + "]}, " + known.text;
}

class Diffusion : public ::testing::TestWithParam<Known> {};

TEST_P(Diffusion, IsOfSecondOrder) {
  for (const char* solver : {"multigrid", "chebyshev"}) {
    Errors before;
    for (const int n : {15, 31, 63}) {
      const Solved solved =
          solve(jacobi_case(on_grid(GetParam(), n, (n + 1) * 3 / 2 - 1),
                            std::string("relative_tolerance: 1e-9, max_iterations: 20000, solver: ") + solver));
      EXPECT_EQ(solved.last.status, Status::converged) << solver << n << solved.last.message;
      EXPECT_LE(solved.last.iterations, std::string(solver) == "multigrid" ? 22 : 4000) << n;
      ASSERT_TRUE(solved.errors);
      if (n > 15) {
        EXPECT_NEAR(std::log2(before.l2 / solved.errors->l2), 2.0, 0.1) << solver << n;
        // Where two sides without a given u meet and k varies along them, a corner adds a logarithm to the largest.
        EXPECT_GT(std::log2(before.linf / solved.errors->linf), 1.68) << solver << n;
      }
      before = *solved.errors;
    }
  }
}

TEST_P(Diffusion, HasTheSameBitsInClassicAndFused) {
  for (const char* precision : {"double", "float"}) {
    for (const char* solver : {"jacobi", "chebyshev"}) {
      const auto run = [&](const std::string& variant) {
        return solve(jacobi_case(on_grid(GetParam(), 37, 70) + ", initial: 'sin(7*x)*y'",
                                 std::string("stop: iterations, max_iterations: 23, precision: ") + precision +
                                     ", solver: " + solver + ", variant: " + variant));
      };
      const Solved fused = run("fused");
      const Solved classic = run("classic");
      EXPECT_EQ(fused.norms, classic.norms);
      EXPECT_EQ(fused.u.raw, classic.u.raw);
      EXPECT_EQ(fused.u.raw, run("auto").u.raw);
    }
  }
}

TEST_P(Diffusion, StopsWhereANormIsFirstSmallEnough) {
  const auto run = [&](const std::string& method) {
    return solve(jacobi_case(on_grid(GetParam(), 9, 7), "max_iterations: 60, " + method));
  };
  const Solved all = run("stop: iterations");
  for (const std::size_t at : {20, 21, 22}) {  // the first of a pass, and the second
    std::ostringstream tolerance;
    tolerance.precision(17);
    tolerance << all.norms[at];
    const Solved some = run("tolerance: " + tolerance.str());
    EXPECT_LE(some.last.iterations, static_cast<std::int64_t>(at));
    EXPECT_EQ(some.last.status, Status::converged);
    EXPECT_LE(some.last.residual.value(), all.norms[at]);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, Diffusion, ::testing::ValuesIn(knowns),
                         [](const auto& known) { return std::string(known.param.name); });

TEST(DiffusionJacobi, ConvergesWithoutAKnownValue) {
  // A chequerboard as the start: weights of 1 would turn it over for ever.
  const Solved solved =
      solve(jacobi_case("grid: {nodes: [6, 4]}, initial: 'cos(7*pi*x)*cos(5*pi*y)', boundary: {left: "
                        "{type: neumann}, right: {type: neumann}, bottom: {type: neumann}, top: {type: neumann}}",
                        "tolerance: 1e-10, max_iterations: 5000"));
  EXPECT_EQ(solved.last.status, Status::converged);
  for (std::size_t k = 0; k < solved.u.size(); ++k) EXPECT_NEAR(solved.u.at(k), 0.0, 1e-9);
}

TEST(DiffusionLayers, AreExactWhereTheyEndAtNodes) {
  const Solved solved = solve(jacobi_case(
      "grid: {nodes: [15, 7]}, diffusivity: 'x < 0.5 ? 1 : 10', exact: 'x < 0.5 ? 10*x : 4.5 + x', boundary: {right: "
      "{type: neumann, value: 10}, bottom: {type: neumann}, top: {type: neumann}}",
      "relative_tolerance: 1e-13, max_iterations: 20000, solver: chebyshev"));
  EXPECT_EQ(solved.last.status, Status::converged);
  EXPECT_LT(solved.errors->linf, 1e-10);
}

/// Several sweeps in one pass, where the backend has that, also where a run stops on the way through one.
TEST(DiffusionPasses, LeaveWhatSingleSweepsDo) {
  const bool has_passes = test::executor()->supports({"cube_sweeps", Precision::float64, {{"depth", 2}}});
  const std::string mixed =
      "boundary: {left: {type: neumann, value: '1'}, right: {type: robin, value: 'y', coefficient: 2}, bottom: 'x'}";
  for (const std::string& problem :
       {std::string("grid: {nodes: [70, 41]}, diffusivity: '1 + x*y', reaction: 'x', source: 'cos(9*y)', ") + mixed,
        std::string("grid: {nodes: [50, 13, 21]}, source: 'exp(x*y*z)', boundary: {front: 'x - y'}"),
        std::string("grid: {nodes: [37, 19, 15]}, diffusivity: '1 + x*z', reaction: 'y', source: 'cos(9*y)', ") +
            mixed}) {
    for (const char* method : {"solver: jacobi", "solver: chebyshev", "solver: jacobi, precision: float"}) {
      for (const std::string stop :
           {"stop: iterations, max_iterations: 21", "relative_tolerance: 0.3, check_every: 3"}) {
        const auto by = [&](const char* variant) {
          return solve(jacobi_case(problem, std::string(method) + ", variant: " + variant + ", " + stop));
        };
        const Solved fused = by("fused");
        const Solved passes = by(has_passes ? "blocked" : "auto");
        ASSERT_GT(fused.norms.size(), 8U) << problem;
        EXPECT_EQ(passes.norms, fused.norms) << problem << ", " << method << ", " << stop;
        EXPECT_TRUE(passes.u.raw == fused.u.raw) << problem << ", " << method << ", " << stop;
      }
    }
  }
}

/// The residual that a run reports is that of the field it returns.
TEST(DiffusionResidual, IsThatOfTheField) {
  constexpr int nx = 20;
  constexpr int ny = 13;
  constexpr double dx = 2.0 / (nx + 1);
  constexpr double dy = 1.0 / (ny + 1);
  const auto k_at = [](double x, double y) { return 1 + x * y; };
  const auto c_at = [](double x, double y) { return x + y; };
  for (const char* solver : {"jacobi", "chebyshev", "multigrid"}) {
    const Solved solved = solve(jacobi_case(
        "grid: {nodes: [20, 13]}, domain: {x: [0, 2], y: [0, 1]}, diffusivity: '1 + x*y', reaction: 'x + y', source: "
        "'cos(3*x)', boundary: {left: {type: neumann, value: 'y'}, right: '1 - y', bottom: {type: robin, value: 'x', "
        "coefficient: '2 + x'}, top: {type: neumann}}",
        std::string("relative_tolerance: 1e-4, max_iterations: 2000, solver: ") + solver));
    ASSERT_EQ(solved.last.status, Status::converged);
    const auto u = [&](int i, int j) {
      return static_cast<long double>(solved.u.at(static_cast<std::size_t>(j * (nx + 2) + i)));
    };
    long double sum = 0;
    for (int j = 0; j <= ny + 1; ++j) {
      for (int i = 0; i <= nx; ++i) {
        // Cells around the node, each with a quarter of dx dy.
        long double r = 0;
        long double volume = 0;
        for (const int cell_i : {i - 1, i}) {
          for (const int cell_j : {j - 1, j}) {
            if (cell_i < 0 || cell_j < 0 || cell_j > ny) continue;
            const double x = (cell_i + 0.5) * dx;
            const double y = (cell_j + 0.5) * dy;
            const int beside = cell_i < i ? i - 1 : i + 1;
            const int above = cell_j < j ? j - 1 : j + 1;
            volume += 0.25L;
            r -= 0.25L * c_at(x, y) * u(i, j);
            r -= 0.5L * k_at(x, y) * ((u(i, j) - u(beside, j)) / (dx * dx) + (u(i, j) - u(i, above)) / (dy * dy));
          }
        }
        r += volume * std::cos(3 * i * dx);
        if (i == 0) r += j * dy * (2 * volume / dx);
        if (j == 0) r += (i * dx - (2 + i * dx) * u(i, j)) * (2 * volume / dy);
        sum += r * r;
      }
    }
    const auto norm = static_cast<double>(std::sqrt(sum * dx * dy));
    EXPECT_NEAR(solved.last.residual.value() / norm, 1.0, 1e-9) << solver;
  }
}

std::string refusal(const std::string& problem, const std::string& method = "solver: multigrid") {
  try {
    (void)solve(jacobi_case("grid: {nodes: [7, 7]}, " + problem, method));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::case_file);
    return error.what();
  }
  return "accepted";
}

constexpr const char* insulated =
    "boundary: {left: {type: neumann}, right: {type: neumann}, bottom: {type: neumann}, top: {type: neumann}}";

TEST(DiffusionRefuses, WhatCannotBe) {
  EXPECT_THAT(refusal("diffusivity: 'x - 0.5'"),
              HasSubstr("problem.diffusivity is -0.4375 in the cell around x = 0.0625"));
  EXPECT_THAT(refusal("diffusivity: 'x - 0.5'"), HasSubstr("case.yaml:1:"));
  EXPECT_THAT(refusal("diffusivity: '0'"), HasSubstr("it must be more than 0 everywhere"));
  EXPECT_THAT(refusal("diffusivity: '1/(x - 0.0625)'"), HasSubstr("must be finite"));
  EXPECT_THAT(refusal("reaction: '-1'"), HasSubstr("it must be 0 or more everywhere"));
  EXPECT_THAT(refusal("boundary: {left: {type: periodic}}"), HasSubstr("make right periodic as well"));
  EXPECT_THAT(refusal("boundary: {top: {type: periodic}}"), HasSubstr("make bottom periodic as well"));
  EXPECT_THAT(refusal("boundary: {left: {type: robin}}"), HasSubstr("missing key 'coefficient'"));
  EXPECT_THAT(refusal("boundary: {left: {type: robin, coefficient: '-y'}}"), HasSubstr("must be 0 or more"));
  EXPECT_THAT(refusal("boundary: {left: {type: neumann, coefficient: 1}}"), HasSubstr("to be robin"));
  EXPECT_THAT(refusal("boundary: {left: {type: periodic, value: 1}, right: {type: periodic}}"),
              HasSubstr("to be dirichlet, neumann or robin"));
  EXPECT_THAT(refusal("boundary: {left: neumann}"), HasSubstr("write {type: neumann}"));
  EXPECT_THAT(refusal(std::string("source: 1, ") + insulated), HasSubstr("they come to 1: take 1 from the source"));
  EXPECT_THAT(refusal("mean: 1"), HasSubstr("take it away"));
  EXPECT_THAT(refusal("boundary: {left: {type: periodic}, right: {type: periodic}}", "variant: blocked"),
              HasSubstr("not for periodic sides; choose auto, fused or classic"));
  EXPECT_THAT(refusal("reaction: 1", "variant: blocked, solver: multigrid"), HasSubstr("choose auto or fused"));
  EXPECT_THAT(refusal("reaction: 1, diffusivity: {file: none.h5}"), HasSubstr("none.h5"));
}

TEST(DiffusionMean, IsThatOfTheCase) {
  const Solved solved =
      solve(jacobi_case(std::string("grid: {nodes: [7, 7]}, source: 'cos(pi*x)', mean: 5, initial: '3', ") + insulated,
                        "solver: multigrid, relative_tolerance: 1e-10"));
  double sum = 0.0;
  const auto width = [](std::size_t k) { return k == 0 || k == 8 ? 0.5 : 1.0; };
  for (std::size_t k = 0; k < solved.u.size(); ++k) sum += width(k % 9) * width(k / 9) * solved.u.at(k);
  EXPECT_NEAR(sum / 64.0, 5.0, 1e-13);
}

TEST(DiffusionOfOne, IsPoissonsEquation) {
  const std::string poisson = "grid: {nodes: [33, 20]}, source: 'x', boundary: {left: 'y', top: {value: 'x'}}";
  const std::string method = "stop: iterations, max_iterations: 9, variant: ";
  EXPECT_EQ(solve(jacobi_case(poisson, method + "auto")).u.raw,
            solve(jacobi_case(poisson + ", diffusivity: '1', reaction: 0", method + "auto")).u.raw);
}

}  // namespace
}  // namespace quoin
