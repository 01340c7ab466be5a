// What the DG-CVS scheme does exactly: polynomials, constant states, conservation, the sweeps of a linear law.

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "numerics/dgcvs/solver.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::DgSolved;
using test::exact_sides;
using test::periodic;
using test::solve;

/// Squares on the left, triangles on the right, a vertex in the middle that is out of place.
constexpr const char* mixed_mesh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
1 1 "left"
1 2 "right"
1 3 "bottom"
1 4 "top"
$EndPhysicalNames
$Nodes
9
1 -1 -1 0
2 0 -1 0
3 1 -1 0
4 -1 0 0
5 0.1 0.15 0
6 1 0 0
7 -1 1 0
8 0 1 0
9 1 1 0
$EndNodes
$Elements
14
1 1 2 3 3 1 2
2 1 2 3 3 2 3
3 1 2 2 2 3 6
4 1 2 2 2 6 9
5 1 2 4 4 9 8
6 1 2 4 4 8 7
7 1 2 1 1 7 4
8 1 2 1 1 4 1
9 3 2 9 9 1 2 5 4
10 3 2 9 9 4 5 8 7
11 2 2 9 9 2 3 5
12 2 2 9 9 3 6 5
13 2 2 9 9 5 6 8
14 2 2 9 9 6 9 8
$EndElements
)";

class Meshes : public ::testing::Test {
 protected:
  Meshes() { test::write_text(folder_.path / "mixed.msh", mixed_mesh); }
  test::TemporaryFolder folder_;
  /// On [-1, 1]^2: quadrilaterals and triangles out of place, and both together.
  const std::array<std::string, 3> meshes_{
      "mesh: {cells: [7, 6], perturb: 0.2}, domain: {x: [-1, 1], y: [-1, 1]}, ",
      "mesh: {cells: [6, 7], perturb: 0.2, shape: tri}, domain: {x: [-1, 1], y: [-1, 1]}, ",
      "mesh: {type: gmsh, file: '" + (folder_.path / "mixed.msh").string() + "', refine: 2}, "};
};

/// Those that take long, on serial only.
class LongMeshes : public Meshes {};

TEST_F(Meshes, CarryAPolynomialOfTheOrderOfTheScheme) {
  constexpr std::array bounds{1e-13, 2e-13, 1e-12, 1e-11};
  for (const std::string& mesh : meshes_) {
    for (int order = 1; order <= 4; ++order) {
      const std::string p = std::to_string(order);
      const auto polynomial = [&](const std::string& x, const std::string& y) {
        return "'(0.4+0.5*" + x + "-0.7*" + y + ")^" + p + "+" + x + "*" + y + "^" + std::to_string(order - 1) + "'";
      };
      const DgSolved solved =
          solve(dgcvs_case("equation: {type: advection, velocity: [1, 0.5]}, " + mesh + exact_sides +
                               "initial: " + polynomial("x", "y") + ", exact: " + polynomial("(x-t)", "(y-0.5*t)"),
                           "order: " + p + ", cfl: 0.25, final_time: 0.5"));
      EXPECT_EQ(solved.last.status, Status::completed);
      EXPECT_LT(solved.l2(), bounds.at(static_cast<std::size_t>(order - 1))) << mesh << "order " << order;
    }
  }
}

double farthest(const std::vector<double>& values, double from) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value - from));
  return most;
}

TEST_F(LongMeshes, LeaveAConstantStateAlone) {
  struct State {
    const char* law;
    const char* boundary;
    const char* initial;
    std::vector<double> values;
  };
  const std::vector<State> states{
      {"equation: burgers, ", "boundary: {left: periodic, right: periodic, bottom: open, top: open}, ", "0.7", {0.7}},
      {"equation: burgers, ", "boundary: {left: open, right: open, bottom: open, top: open}, ", "-0.7", {-0.7}},
      {"equation: {type: advection, velocity: [-1, 0.3]}, ",
       "boundary: {left: open, right: {type: dirichlet, value: 2}, bottom: {type: dirichlet, value: 2}, top: open}, ",
       "2",
       {2.0}},
      {"equation: shallow_water, ",
       "boundary: {left: wall, right: wall, bottom: wall, top: wall}, ",
       "{h: 1.3, hu: 0, hv: 0}",
       {1.3, 0.0, 0.0}},
      {"equation: {type: shallow_water, gravity: 1}, ",
       "boundary: {left: open, right: open, bottom: open, top: open}, ",
       "{h: 1.3, hu: 0.4, hv: -0.2}",
       {1.3, 0.4, -0.2}}};
  constexpr std::array rounding{1e-13, 1e-13, 2e-13, 2e-12, 3e-11};  // monomials at the corners of perturbed cells
  for (const std::string& mesh : meshes_) {
    for (const State& state : states) {
      for (int order = 0; order <= 4; ++order) {
        const DgSolved solved = solve(dgcvs_case(state.law + mesh + state.boundary + "initial: " + state.initial,
                                                 "order: " + std::to_string(order) + ", final_time: 0.2"));
        for (std::size_t v = 0; v < state.values.size(); ++v)
          EXPECT_LT(farthest(solved.values(v), state.values[v]), rounding.at(static_cast<std::size_t>(order)))
              << state.law << state.boundary << mesh << "order " << order;
      }
    }
  }
}

/// Of the relative mass: a few units of rounding a step.
double allowed_drift(const DgSolved& solved) { return 1e-14 + 3e-15 * static_cast<double>(solved.last.iterations); }

TEST_F(LongMeshes, ConserveMassInAPeriodicDomain) {
  for (const std::string& mesh : meshes_) {
    for (int order = 0; order <= 4; ++order) {
      const std::string method = "order: " + std::to_string(order) + ", final_time: 0.25";
      const DgSolved burgers =
          solve(dgcvs_case("equation: burgers, " + mesh + periodic + "initial: '0.25+0.5*sin(pi*(x+y))'", method));
      EXPECT_LT(burgers.drift(), allowed_drift(burgers)) << mesh << "order " << order;
      const DgSolved water = solve(dgcvs_case("equation: shallow_water, " + mesh + periodic +
                                                  "initial: {h: '1+0.1*sin(pi*x)', hu: '0.3*cos(pi*y)', hv: 0.1}",
                                              method));
      EXPECT_LT(water.drift(), allowed_drift(water)) << mesh << "order " << order;
    }
  }
}

TEST_F(Meshes, ConserveMassBetweenWalls) {
  for (const std::string& mesh : meshes_) {
    for (int order = 0; order <= 3; ++order) {
      const DgSolved solved = solve(dgcvs_case("equation: {type: shallow_water, gravity: 1}, " + mesh +
                                                   "boundary: {left: wall, right: wall, bottom: wall, top: wall}, "
                                                   "initial: {h: '1+0.1*exp(-4*x^2-4*y^2)', hu: 0, hv: 0}",
                                               "order: " + std::to_string(order) + ", final_time: 1"));
      EXPECT_EQ(solved.last.status, Status::completed);
      EXPECT_LT(solved.drift(), allowed_drift(solved)) << mesh << "order " << order;
    }
  }
}

/// The largest difference at a node.
double difference(const DgSolved& a, const DgSolved& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.values().size(); ++k) most = std::max(most, std::abs(a.values()[k] - b.values()[k]));
  return most;
}

TEST_F(Meshes, NeedNoMoreThanOneSweepAboveTheOrderForALinearLaw) {
  for (const std::string& mesh : meshes_) {
    for (int order = 0; order <= 4; ++order) {
      const auto with = [&](int sweeps) {
        return solve(dgcvs_case(
            "equation: {type: advection, velocity: [1, 0.5]}, " + mesh + periodic + "initial: 'sin(pi*x)*sin(pi*y)'",
            "order: " + std::to_string(order) + ", final_time: 0.3, sweeps: " + std::to_string(sweeps)));
      };
      const DgSolved exact = with(order + 6);
      EXPECT_LT(difference(with(order + 1), exact), 1e-11) << mesh << "order " << order;
      if (order == 0) continue;
      EXPECT_GT(difference(with(order), exact), 1e-8) << mesh << "order " << order;
    }
  }
}

// Boundary entities take sweeps enough in launches of their own, so that more of them change nothing to speak of.
TEST_F(Meshes, SweepBoundaryEntitiesUntilTheyStandStill) {
  for (int order = 1; order <= 4; ++order) {
    const auto with = [&](const char* sweeps) {
      return solve(dgcvs_case("equation: {type: advection, velocity: [1, 0.5]}, " + meshes_[0] + exact_sides +
                                  "initial: 'sin(pi*x)*sin(pi*y)', exact: 'sin(pi*(x-t))*sin(pi*(y-0.5*t))'",
                              "order: " + std::to_string(order) + ", final_time: 0.3, sweeps: " + sweeps));
    };
    const DgSolved still = with("80");
    EXPECT_LT(difference(with("0"), still), still.errors.linf / 100) << "order " << order;
  }
}

TEST(DgCvs, SolvesALinearLawByMatricesAsBySweeps) {
  for (int order = 0; order <= 4; ++order) {
    const auto with = [&](const char* solver) {
      return solve(
          test::shipped("adv-sin-p1-quad-10", {{"method.order", std::to_string(order)}, {"method.solver", solver}}));
    };
    EXPECT_LT(difference(with("matrices"), with("sweeps")), 1e-11) << "order " << order;
  }
}

TEST(DgCvs, FillsAnEmptyDomainThroughItsSide) {
  const DgSolved solved =
      solve(dgcvs_case("equation: {type: advection, velocity: [1, 0]}, mesh: {cells: [12, 3]}, domain: {x: [0, 4], y: "
                       "[0, 1]}, boundary: "
                       "{left: {type: dirichlet, value: 1}, right: open, bottom: periodic, top: periodic}, initial: 0",
                       "order: 2, final_time: 8"));
  EXPECT_EQ(solved.last.status, Status::completed);
  EXPECT_NEAR(solved.lowest(), 1.0, 1e-3);
  EXPECT_NEAR(solved.highest(), 1.0, 1e-3);
}

TEST(DgCvs, KnowsItsRectangleInFormulas) {
  const DgSolved solved =
      solve(test::dgcvs_case("equation: burgers, mesh: {cells: [4, 3]}, domain: {x: [0, 2], y: [0, 5]}, " + periodic +
                                 "initial: 'nx+10*ny+100*lx+1000*ly'",
                             "order: 1, final_time: 1e-5"));
  EXPECT_NEAR(solved.masses.front(), 5234.0 * 10.0, 1e-8);
}

}  // namespace
}  // namespace quoin
