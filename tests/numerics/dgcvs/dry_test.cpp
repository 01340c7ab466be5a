// Shallow water that ends: lakes with islands at rest, random ground and water, fronts that run over dry ground.

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <string>

#include "numerics/dgcvs/solver.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::DgSolved;
using test::solve;

const std::string on_earth = "equation: {type: shallow_water, gravity: 9.81}, ";
const std::string between_walls = "boundary: {left: wall, right: wall, bottom: wall, top: wall}, ";

/// Hills and holes of random heights, up to `most` above and below 0.
std::string random_ground(std::mt19937& random, double most) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  std::string formula;
  for (int k = 0; k < 4; ++k)
    formula += (k > 0 ? "+" : "") + std::to_string(most * any(random)) + "*sin(" + std::to_string(9 * any(random)) +
               "*x+" + std::to_string(9 * any(random)) + "*y+" + std::to_string(3 * any(random)) + ")";
  return formula + "+(x > " + std::to_string(any(random)) + " ? " + std::to_string(most * any(random)) + " : 0)";
}

std::string mesh_of(int number) {
  return std::string("mesh: {cells: [5, 4], perturb: 0.2") + (number % 2 == 0 ? "" : ", shape: tri") +
         "}, domain: {x: [-1, 1], y: [-1, 1]}, ";
}

double unrest_of_water(const DgSolved& solved) {
  double most = 0.0;
  const std::vector<double>& depth = solved.values(3);
  for (std::size_t k = 0; k < depth.size(); ++k) {
    most = std::max({most, std::abs(solved.values(1)[k]), std::abs(solved.values(2)[k])});
    if (depth[k] > 0.0) most = std::max(most, std::abs(solved.values(0)[k]));
  }
  return most;
}

TEST(Dry, LakesWithIslandsStayAtRest) {
  std::mt19937 random(7);
  for (int number = 0; number < 4; ++number) {
    const std::string ground = random_ground(random, 0.3);
    for (int order = 0; order <= 2; ++order) {
      const DgSolved solved = solve(dgcvs_case(
          on_earth + "bed: '" + ground + "', " + mesh_of(number) + between_walls + "initial: {eta: 0, hu: 0, hv: 0}",
          "order: " + std::to_string(order) + ", final_time: 1"));
      EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
      EXPECT_LT(unrest_of_water(solved), 1e-12) << ground << " " << order;
      EXPECT_GT(solved.masses.front(), 0.01);
    }
  }
}

TEST(Dry, NoDepthIsNegativeAndNoWaterIsLost) {
  std::mt19937 random(11);
  for (int number = 0; number < 8; ++number) {
    const std::string ground = random_ground(random, 0.5);
    const std::string water = random_ground(random, 0.5);
    for (int order = 0; order <= 2; ++order) {
      const DgSolved solved = solve(dgcvs_case(
          on_earth + "bed: '" + ground + "', " + mesh_of(number) + between_walls + "initial: {h: 'max(0, " + water +
              "-(" + ground + "))', hu: '0.5*sin(9*x*y)*max(0, " + water + "-(" + ground + "))', hv: 0}",
          "order: " + std::to_string(order) + ", final_time: 2, max_steps: 3000"));
      EXPECT_EQ(solved.last.status, Status::completed) << number << " " << order << solved.last.message;
      for (const double depth : solved.values(3)) ASSERT_GE(depth, 0.0);
      EXPECT_LT(solved.drift(), 1e-12) << number << " " << order << " " << ground;
    }
  }
}

/// Solutions of SWASHES (arXiv:1110.0288), as they ship but on coarser meshes: the mean error of depth and discharge.
TEST(Dry, FlowsOverDryGroundAreThoseOfSwashes) {
  struct Flow {
    const char* name;
    const char* cells;
    double error;
  };
  for (const auto& [name, cells, error] :
       {Flow{"dam-break-dry", "[50, 1]", 7.5e-5}, Flow{"bowl-radial", "[20, 20]", 7.5e-4},
        Flow{"bowl-planar", "[20, 20]", 7.5e-4}}) {
    const DgSolved solved = solve(test::shipped(name, {{"problem.mesh.cells", cells}}));
    EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
    EXPECT_LT(solved.errors.l1, error) << name;
  }
}

/// Dressler's expansion for little friction behind a dam that broke (SWASHES, 4.1.3), up to where it is fastest: there
/// the tip of the front begins, in which it does not hold. Its first terms are Ritter's, without friction.
TEST(Dry, FrictionHoldsTheFrontOfADamBreakBack) {
  const DgSolved solved = solve(test::shipped("dam-break-friction"));
  ASSERT_EQ(solved.last.status, Status::completed) << solved.last.message;
  const double time = 40;
  const double wave = std::sqrt(9.81 * 6);
  const double rough = std::pow(9.81 / 40, 2) * time;
  double error = 0.0;
  double without = 0.0;
  int places = 0;
  for (std::size_t k = 0; k < solved.cells.nodes.size(); ++k) {
    const double along = (solved.cells.nodes[k].x - 1000) / time;
    const double left = 2 - along / wave;
    if (along < -wave || solved.cells.nodes[k].x > 1084) continue;
    const double slower = rough * (1.2 / left - 2.0 / 3 + 4 * std::sqrt(3) / 135 * std::pow(left, 1.5));
    const double fan = 2.0 / 3 * wave - along / 3;
    error += std::abs(solved.values(3)[k] - std::pow(fan + slower, 2) / 9.81);
    without += std::abs(solved.values(3)[k] - std::pow(fan, 2) / 9.81);
    ++places;
  }
  EXPECT_GT(places, 300);
  EXPECT_LT(error / places, 0.013);
  EXPECT_GT(without / places, 0.1);
}

/// It makes waves where there were none, friction holds them, and the step is that of the water that has fallen; at the
/// foot of the slope it is faster than its waves and meets a wall.
TEST(Dry, RainRunsDownADrySlope) {
  struct Mesh {
    const char* cells;
    int orders;
    double deepest;  // at the top of the slope
  };
  for (const auto& [cells, orders, deepest] : {Mesh{"[20, 4]", 3, 0.02}, Mesh{"[10, 2]", 4, 0.03}}) {
    for (int order = 0; order < orders; ++order) {
      const DgSolved solved =
          solve(dgcvs_case("equation: {type: shallow_water, gravity: 9.81, manning: 0.03, rain: 0.001}, bed: 0.1*x, "
                           "mesh: {cells: " +
                               std::string(cells) + "}, domain: {x: [0, 10], y: [0, 2]}, " + between_walls +
                               "initial: {h: 0, hu: 0, hv: 0}",
                           "order: " + std::to_string(order) + ", final_time: 50"));
      EXPECT_EQ(solved.last.status, Status::completed) << solved.last.message;
      EXPECT_GT(solved.last.iterations, 50);
      EXPECT_NEAR(solved.masses.back(), 0.001 * 20 * 50, 1e-11);
      EXPECT_GT(solved.values(3).front(), 0.1);  // where it gathers
      EXPECT_LT(solved.values(3).back(), deepest);
    }
  }
}

/// Over ground with such a slope from the left side, which has that series; the other sides are walls.
DgSolved from_the_left(const std::string& slope, const std::string& type, const std::string& series,
                       const std::string& initial, const std::string& method) {
  const test::TemporaryFolder folder;
  test::write_text(folder.path / "series.csv", series);
  return solve(
      dgcvs_case("equation: {type: shallow_water, gravity: 9.81}, mesh: {cells: [20, 2]}, "
                 "domain: {x: [0, 10], y: [0, 1]}, bed: '" +
                     slope + "', boundary: {left: {type: " + type + ", series: '" +
                     (folder.path / "series.csv").string() + "'}, right: wall, bottom: wall, top: wall}, " + initial,
                 method));
}

TEST(Dry, ATideRunsUpABeachAndBack) {
  std::string tide;
  for (int k = 0; k <= 80; ++k)
    tide += std::to_string(0.1 * k) + ", " + std::to_string(0.3 * std::sin(0.1 * k) - 0.05) + "\n";
  for (int order = 0; order <= 3; ++order) {
    const DgSolved solved = from_the_left("0.1*x-0.5", "stage", tide, "initial: {eta: 0, hu: 0, hv: 0}",
                                          "order: " + std::to_string(order) + ", final_time: 8");
    EXPECT_EQ(solved.last.status, Status::completed) << order << solved.last.message;
    EXPECT_LT(*std::ranges::max_element(solved.masses) / solved.masses.front(), 3.0);
    EXPECT_GT(*std::ranges::max_element(solved.masses) / solved.masses.front(), 1.5);
    EXPECT_EQ(*std::ranges::min_element(solved.values(3)), 0.0);
    EXPECT_LT(*std::ranges::max_element(solved.values(3)), 1.0);
  }
}

TEST(Dry, ADischargeComesInOverDryGround) {
  for (int order = 0; order <= 3; ++order) {
    for (const char* slope : {"-0.05*x", "0.02*x"}) {
      const DgSolved solved = from_the_left(slope, "discharge", "0, 0.1\n9, 0.1\n", "initial: {h: 0, hu: 0, hv: 0}",
                                            "order: " + std::to_string(order) + ", final_time: 4");
      EXPECT_EQ(solved.last.status, Status::completed) << order << solved.last.message;
      EXPECT_NEAR(solved.masses.back(), 0.4, 1e-11);
      EXPECT_LT(*std::ranges::max_element(solved.values(3)), 0.3);
    }
  }
}

TEST(LongDry, LakesWithIslandsStayAtRestForTenThousandSteps) {
  std::mt19937 random(7);
  const std::string ground = random_ground(random, 0.3);
  for (int order = 0; order <= 2; ++order) {
    const DgSolved solved = solve(dgcvs_case(
        on_earth + "bed: '" + ground + "', " + mesh_of(order) + between_walls + "initial: {eta: 0, hu: 0, hv: 0}",
        "order: " + std::to_string(order) + ", time_step: 0.01, final_time: 100"));
    EXPECT_EQ(solved.last.iterations, 10000);
    EXPECT_LT(unrest_of_water(solved), 1e-12) << order;
  }
}

}  // namespace
}  // namespace quoin
