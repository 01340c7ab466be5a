// Shallow water over ground: water at rest, steady flows whose solutions are known, friction and rain.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string>

#include "numerics/dgcvs/solver.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::DgSolved;
using test::exact_sides;
using test::periodic;
using test::solve;

const std::string earth = "equation: {type: shallow_water, gravity: 9.81}, ";
const std::string walls_around = "boundary: {left: wall, right: wall, bottom: wall, top: wall}, ";
/// With a step, a kink and a hill.
const std::string rough_ground = "bed: '0.3*exp(-3*(x^2+y^2))+0.1*sin(5*x-3*y)+0.1*abs(x+0.3)+(y > 0.4 ? 0.05 : 0)', ";

/// The largest of a variable's differences from a value.
double farthest_of(const DgSolved& solved, std::size_t variable, double from) {
  double most = 0.0;
  for (const double value : solved.values(variable)) most = std::max(most, std::abs(value - from));
  return most;
}

/// Of the surface and of both discharges.
double unrest(const DgSolved& solved, double surface) {
  return std::max({farthest_of(solved, 0, surface), farthest_of(solved, 1, 0.0), farthest_of(solved, 2, 0.0)});
}

const std::array<std::string, 2> square_meshes{
    "mesh: {cells: [5, 4], perturb: 0.2}, domain: {x: [-1, 1], y: [-1, 1]}, ",
    "mesh: {cells: [4, 5], perturb: 0.2, shape: tri}, domain: {x: [-1, 1], y: [-1, 1]}, "};

TEST(Bed, WaterAtRestStaysAtRestOverAnyGround) {
  constexpr std::array rounding{1e-13, 1e-13, 5e-13, 2e-12, 3e-11};  // monomials at the corners of perturbed cells
  for (const std::string& mesh : square_meshes) {
    for (const std::string sides :
         {walls_around.c_str(), "boundary: {left: open, right: open, bottom: wall, top: wall}, "}) {
      for (int order = 0; order <= 4; ++order) {
        const DgSolved solved =
            solve(dgcvs_case(earth + rough_ground + mesh + sides + "initial: {eta: 1, hu: 0, hv: 0}",
                             "order: " + std::to_string(order) + ", final_time: 0.3"));
        EXPECT_EQ(solved.last.status, Status::completed);
        EXPECT_LT(unrest(solved, 1.0), rounding.at(static_cast<std::size_t>(order))) << mesh << sides << order;
      }
    }
  }
}

/// Heights from the surface, so that no rounding of a large one adds up.
TEST(LongBed, WaterAtRestStaysAtRestForTenThousandSteps) {
  const std::string below = "bed: '-1+0.3*exp(-3*(x^2+y^2))+0.1*sin(5*x-3*y)+0.1*abs(x+0.3)+(y > 0.4 ? 0.05 : 0)', ";
  for (int order = 1; order <= 2; ++order) {
    const DgSolved solved =
        solve(dgcvs_case(earth + below + square_meshes[0] + walls_around + "initial: {eta: 0, hu: 0, hv: 0}",
                         "order: " + std::to_string(order) + ", time_step: 0.01, final_time: 100"));
    EXPECT_EQ(solved.last.iterations, 10000);
    EXPECT_LT(unrest(solved, 0.0), 1e-12) << order;
  }
}

/// A steady flow h = 1 + 0.1 sin(pi x), hu = 0.5 along x: its bed is what Bernoulli's equation leaves.
DgSolved steady_flow(int order, int cells) {
  const std::string n = std::to_string(cells);
  return solve(dgcvs_case(
      "equation: {type: shallow_water, gravity: 1}, mesh: {cells: [" + n + ", " + n +
          "], perturb: 0.1}, domain: {x: [-1, 1], y: [-1, 1]}, " + periodic +
          "bed: '-0.1*sin(pi*x)-0.125/(1+0.1*sin(pi*x))^2', initial: {h: '1+0.1*sin(pi*x)', hu: 0.5, hv: 0}, "
          "exact: {h: '1+0.1*sin(pi*x)', hu: 0.5, hv: 0}",
      "order: " + std::to_string(order) + ", final_time: 0.5"));
}

/// Of the scheme's orders 1 to 3, from a mesh with that many cells a side to one with twice as many.
void expect_orders(DgSolved (*flow)(int order, int cells), int cells, const std::array<double, 3>& least) {
  for (int order = 1; order <= 3; ++order) {
    const double coarse = flow(order, cells).errors.l2;
    const double fine = flow(order, 2 * cells).errors.l2;
    EXPECT_GT(std::log2(coarse / fine), least.at(static_cast<std::size_t>(order - 1))) << coarse << " " << fine;
  }
}

TEST(Bed, KeepsTheOrderWhereTheGroundIsSmooth) { expect_orders(steady_flow, 10, {1.9, 2.7, 3.7}); }

/// Thacker's plane that turns in a parabolic bowl, where it is wet all the time.
DgSolved turning_plane(int order, int cells) {
  const std::string n = std::to_string(cells);
  const std::string state =
      "{eta: '1+0.2*(x*cos(t)+y*sin(t))-0.02', hu: '-0.2*sin(t)*(1+0.2*(x*cos(t)+y*sin(t))-0.02-0.5*(x^2+y^2))', "
      "hv: '0.2*cos(t)*(1+0.2*(x*cos(t)+y*sin(t))-0.02-0.5*(x^2+y^2))'}";
  return solve(dgcvs_case("equation: {type: shallow_water, gravity: 1}, mesh: {cells: [" + n + ", " + n +
                              "], perturb: 0.1}, domain: {x: [-0.5, 0.5], y: [-0.5, 0.5]}, " + exact_sides +
                              "bed: '0.5*(x^2+y^2)', initial: " + state + ", exact: " + state,
                          "order: " + std::to_string(order) + ", final_time: 1"));
}

TEST(Bed, KeepsTheOrderWhereTheWaterMoves) { expect_orders(turning_plane, 4, {1.7, 2.7, 3.7}); }

TEST(Bed, FrictionHoldsAUniformFlowDownASlope) {
  // hu = h^(5/3) sqrt(slope) / n, for h = 1, a slope of 0.01 and n = 0.05
  const std::string state = "{h: 1, hu: 2, hv: 0}";
  const DgSolved solved = solve(dgcvs_case(
      "equation: {type: shallow_water, gravity: 9.81, manning: 0.05}, mesh: {cells: [6, 2]}, "
      "domain: {x: [0, 6], y: [0, 2]}, bed: '-0.01*x', boundary: {left: exact, right: exact, bottom: wall, top: wall}, "
      "initial: " +
          state + ", exact: " + state,
      "order: 2, final_time: 5, sweeps: 12"));  // the first half step starts from means
  EXPECT_LT(solved.errors.linf, 1e-12);
}

/// Friction by that law slows water of depth 0.5 and speed 1: du/dt = -rate u^2.
void expect_slowed(const std::string& law, const std::string& rate) {
  const std::string state = "{h: 0.5, hu: '0.5/(1+" + rate + "*t)', hv: 0}";
  double before = 0.0;
  for (const char* step : {"0.1", "0.05"}) {
    const DgSolved solved = solve(dgcvs_case("equation: {type: shallow_water, gravity: 9.81, " + law +
                                                 "}, mesh: {cells: [4, 4]}, domain: {x: [0, 4], y: [0, 4]}, " +
                                                 periodic + "initial: " + state + ", exact: " + state,
                                             std::string("order: 2, final_time: 2, time_step: ") + step));
    EXPECT_LT(solved.errors.l2, 1e-6);
    if (before > 0.0) {
      EXPECT_GT(before / solved.errors.l2, 6.0);
    }
    before = solved.errors.l2;
  }
}

TEST(Bed, FrictionSlowsAFlowAsItShould) {
  expect_slowed("manning: 0.05", "9.81*0.05^2/0.5^(4/3)");
  expect_slowed("chezy: 15", "9.81/(15^2*0.5)");
}

TEST(Bed, RainFillsALake) {
  const DgSolved solved =
      solve(dgcvs_case("equation: {type: shallow_water, gravity: 9.81, rain: 0.1}, " + rough_ground + square_meshes[1] +
                           walls_around + "initial: {eta: 1, hu: 0, hv: 0}",
                       "order: 2, final_time: 2, sweeps: 12"));
  EXPECT_LT(unrest(solved, 1.2), 1e-10);
  EXPECT_NEAR(solved.masses.back() - solved.masses.front(), 0.8, 1e-12);
}

TEST(LongBed, WavesOverRoughGroundStayBounded) {
  for (const std::string& mesh : square_meshes) {
    for (int order = 1; order <= 4; ++order) {
      const DgSolved solved =
          solve(dgcvs_case(earth + rough_ground + mesh + walls_around +
                               "initial: {eta: '1+0.02*sin(40*x)*cos(30*y)', hu: '0.05*cos(50*x*y)', hv: 0}",
                           "order: " + std::to_string(order) + ", final_time: 1000, max_steps: 500"));
      EXPECT_EQ(solved.last.status, Status::max_steps) << mesh << order << solved.last.message;
      EXPECT_LT(unrest(solved, 1.0), 0.1) << mesh << order;
      EXPECT_LT(solved.drift(), 3e-12);
    }
  }
}

/// The steady flows of SWASHES (arXiv:1110.0288) over a bump, and down a channel against friction: the mean error of
/// surface and discharge.
TEST(LongBed, FlowsBecomeSteady) {
  struct Flow {
    const char* name;
    double error, before;
  };
  for (const auto& [name, error, before] : {Flow{"bump-subcritical", 5e-5, 0.1}, Flow{"bump-transcritical", 1e-4, 0.0},
                                            Flow{"bump-shock", 2e-3, 0.1}, Flow{"macdonald", 5e-5, 0.1}}) {
    const DgSolved solved = solve(test::shipped(name));
    EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
    EXPECT_LT(solved.errors.l1, error) << name;
    if (before > 0.0) {  // it was another flow
      const DgSolved start = solve(test::shipped(name, {{"method.final_time", "1"}}));
      EXPECT_GT(start.errors.linf, before) << name;
    }
  }
}

/// A box of 2 by 1 whose left side has a series of that type.
DgSolved filled(const std::string& type, const std::string& series, const std::string& initial) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path / "series.csv", series);
  return solve(dgcvs_case(earth +
                              "mesh: {cells: [10, 3], perturb: 0.1}, domain: {x: [0, 2], y: [0, 1]}, "
                              "bed: '0.1*sin(3*x)*cos(2*y)', boundary: {left: {type: " +
                              type + ", series: '" + (folder.path / "series.csv").string() +
                              "'}, right: wall, bottom: wall, top: wall}, " + initial,
                          "order: 2, final_time: 8"));
}

TEST(Bed, ASideLetsInTheDischargeOfItsSeries) {
  const DgSolved solved =
      filled("discharge", "time, discharge\n0, 0\n4, 0.1\n6, -0.05\n8, 0\n", "initial: {eta: 1, hu: 0, hv: 0}");
  EXPECT_EQ(solved.last.status, Status::completed);
  // 0.2 in the first four units of time, 0.05 in the next two, and 0.05 out in the last two; but for the steps with
  // kinks
  EXPECT_NEAR(solved.masses.back() - solved.masses.front(), 0.2, 1e-5);
  EXPECT_GT(*std::ranges::max_element(solved.masses) - solved.masses.front(), 0.2 + 1e-2);
}

TEST(Bed, ASideKeepsTheStageOfItsSeries) {
  const std::string rest = "initial: {eta: 1, hu: 0, hv: 0}";
  EXPECT_LT(unrest(filled("stage", "0, 1\n8, 1\n", rest), 1.0), 1e-12);
  const DgSolved risen = filled("stage", "time,stage\n0,1\n4,1.1\n8,1.1\n", rest);
  for (std::size_t k = 0; k < risen.cells.nodes.size(); ++k) {
    if (risen.cells.nodes[k].x == 0.0) {
      EXPECT_NEAR(risen.values()[k], 1.1, 0.01);
    }
  }
}

TEST(Bed, AGridOfHeightsIsBilinear) {
  const test::TemporaryFolder folder;
  std::string grid = "ncols 5\nNROWS 4\nxllcenter -1\nyllcorner -1.5\ncellsize 0.75\nnodata_value -9999\n";
  for (int row = 3; row >= 0; --row) {
    for (int column = 0; column < 5; ++column)
      grid += std::to_string(0.1 * (-1 + 0.75 * column) - 0.05 * (-1.125 + 0.75 * row)) + " ";
    grid += "\n";
  }
  test::write_text(folder.path / "bed.asc", grid);
  const std::string rest = square_meshes[1] + walls_around + "initial: {eta: '1+0.1*x', hu: 0, hv: 0}";
  const DgSolved by_grid = solve(dgcvs_case(
      earth + "bed: {file: '" + (folder.path / "bed.asc").string() + "'}, " + rest, "order: 2, final_time: 0.5"));
  const DgSolved by_formula = solve(dgcvs_case(earth + "bed: '0.1*x-0.05*y', " + rest, "order: 2, final_time: 0.5"));
  for (std::size_t k = 0; k < by_grid.values().size(); ++k)
    ASSERT_NEAR(by_grid.values()[k], by_formula.values()[k], 1e-6);  // as the numbers are printed
}

}  // namespace
}  // namespace quoin
