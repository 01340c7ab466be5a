// What the DG-CVS problem computes: errors, orders and time steps of the cases that ship. Suites named Long take the
// finest meshes, and run on the serial backend alone.

#include <gmock/gmock.h>

#include <cmath>

#include "numerics/dgcvs/solver.hpp"
#include "problems/dgcvs/setup/refinement.hpp"

namespace quoin {
namespace {

using test::DgSolved;
using test::shipped;
using test::solve;

struct Expected {
  const char* name;  ///< of the shipped case
  int order;
  double error;
  std::int64_t steps;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name << " p" << expected.order; }

class PrototypeErrors : public ::testing::TestWithParam<Expected> {};

// The table of a prototype that solved Burgers' equation by Newton's method.
TEST_P(PrototypeErrors, AreReproduced) {
  const auto& [name, order, error, steps] = GetParam();
  const bool linear = std::string(name).starts_with("adv");
  const DgSolved solved = solve(shipped(name, {{"method.order", std::to_string(order)}}));
  EXPECT_EQ(solved.last.status, Status::completed);
  EXPECT_EQ(solved.last.iterations, steps);
  EXPECT_NEAR(solved.l2() / error, 1.0, linear ? 2e-4 : 2e-3);
}

class LongPrototypeErrors : public PrototypeErrors {};

TEST_P(LongPrototypeErrors, AreReproducedByNewtonsMethod) {
  const auto& [name, order, error, steps] = GetParam();
  const DgSolved solved = solve(shipped(name, {{"method.order", std::to_string(order)}, {"method.solver", "newton"}}));
  EXPECT_EQ(solved.last.iterations, steps);
  EXPECT_NEAR(solved.l2() / error, 1.0, 2e-4);
  const bool has_mass = !std::string(name).starts_with("adv");
  EXPECT_TRUE(!has_mass || solved.drift() < 1e-12);
}

const auto table =
    ::testing::Values(Expected{"adv-sin-p1-quad-10", 1, 9.752e-2, 30}, Expected{"adv-sin-p1-quad-20", 1, 1.552e-2, 60},
                      Expected{"adv-sin-p1-quad-10", 2, 4.064e-3, 30}, Expected{"adv-sin-p1-quad-20", 2, 5.005e-4, 60},
                      Expected{"adv-sin-p3-quad-10", 3, 3.419e-4, 30}, Expected{"adv-sin-p3-quad-20", 3, 2.107e-5, 60},
                      Expected{"burgers-p1-quad-10", 1, 4.863e-2, 5}, Expected{"burgers-p1-quad-20", 1, 1.182e-2, 9},
                      Expected{"burgers-p1-quad-10", 2, 8.957e-3, 5}, Expected{"burgers-p1-quad-20", 2, 1.440e-3, 9},
                      Expected{"burgers-p3-quad-10", 3, 3.605e-3, 5}, Expected{"burgers-p3-quad-20", 3, 2.478e-4, 9});
INSTANTIATE_TEST_SUITE_P(DgCvs, PrototypeErrors, table);
INSTANTIATE_TEST_SUITE_P(DgCvs, LongPrototypeErrors, table);

/// The case on a mesh 2^level times as fine as that of the coarse case.
DgSolved refined(const std::string& coarse, int order, int level) {
  std::vector<Override> changes = refine_dgcvs(shipped(coarse), level);
  changes.push_back({"method.order", std::to_string(order)});
  return solve(shipped(coarse, changes));
}

double order_between(const DgSolved& coarse, const DgSolved& fine) {
  EXPECT_EQ(coarse.last.status, Status::completed);
  EXPECT_EQ(fine.last.status, Status::completed);
  return std::log2(coarse.errors.l2 / fine.errors.l2);
}

struct Law {
  const char* stem;
  int order;
  double expected;  ///< order of convergence, at least
};

void PrintTo(const Law& law, std::ostream* out) { *out << law.stem << " p" << law.order; }

// The thesis's 24 cases; their finest meshes are among the long tests.
TEST(DgCvs, HasItsOrderOnTheCoarseMeshesOfEveryCase) {
  for (const auto& [stem, order, expected] :
       {Law{"adv-sin", 1, 1.95}, Law{"adv-sin", 3, 3.9}, Law{"burgers", 1, 1.95}, Law{"burgers", 3, 3.6}}) {
    for (const char* shape : {"-quad-", "-tri-"}) {
      const std::string name = stem + ("-p" + std::to_string(order)) + shape;
      EXPECT_GT(order_between(solve(shipped(name + "10")), solve(shipped(name + "20"))), expected) << name;
    }
  }
  EXPECT_GT(order_between(refined("adv-sin-p1-tri-10", 2, 0), refined("adv-sin-p1-tri-10", 2, 1)), 2.9);
}

TEST(DgCvs, CarriesAVortexAtItsOrder) {
  for (const int order : {1, 2, 3}) {
    const auto on = [&](int n) {
      const std::string cells = "[" + std::to_string(n) + ", " + std::to_string(n) + "]";
      return solve(shipped("vortex", {{"method.order", std::to_string(order)}, {"problem.mesh.cells", cells}}));
    };
    EXPECT_GT(order_between(on(10), on(20)), order + 0.9) << order;
  }
}

TEST(DgCvs, HasItsOrderOnPerturbedCells) {
  for (const char* shape : {"quad", "tri"}) {
    const auto on = [&](const char* cells) {
      return solve(
          shipped("adv-sin-p2-quad-10",
                  {{"problem.mesh.perturb", "0.2"}, {"problem.mesh.shape", shape}, {"problem.mesh.cells", cells}}));
    };
    EXPECT_GT(order_between(on("[10, 10]"), on("[20, 20]")), 2.8) << shape;
  }
}

// Section 11 of the design: errors with exact data at the sides are those of the periodic problem, or smaller.
TEST(DgCvs, LosesNothingAtDirichletSides) {
  for (const std::string name :
       {"adv-sin-p1-quad-10", "adv-sin-p1-tri-10", "adv-sin-p3-quad-10", "adv-sin-p3-tri-10", "burgers-p1-quad-10",
        "burgers-p1-tri-10", "burgers-p3-quad-10", "burgers-p3-tri-10"}) {
    const double ratio = solve(shipped(name + "-dirichlet")).errors.l2 / solve(shipped(name)).errors.l2;
    EXPECT_LT(ratio, 1.07) << name;
    EXPECT_GT(ratio, 0.80) << name;
  }
}

class LongOrders : public ::testing::TestWithParam<Law> {
 protected:
  static double finest_order(const std::string& shape, const std::string& sides) {
    const auto [stem, order, expected] = GetParam();
    const std::string number = std::to_string(order);
    if (order == 2 || order == 4)  // only the coarsest of these ships
      return order_between(refined(stem + ("-p" + number) + shape + "10", order, 1),
                           refined(stem + ("-p" + number) + shape + "10", order, 2));
    const std::string name = stem + ("-p" + number) + shape;
    return order_between(solve(shipped(name + "20" + sides)), solve(shipped(name + "40" + sides)));
  }
};

TEST_P(LongOrders, OnSquares) { EXPECT_GT(finest_order("-quad-", ""), GetParam().expected); }
TEST_P(LongOrders, OnTriangles) { EXPECT_GT(finest_order("-tri-", ""), GetParam().expected); }

class LongOrdersOfShipped : public LongOrders {};  // every mesh of these ships, with Dirichlet sides, too
TEST_P(LongOrdersOfShipped, WithDirichletSides) {
  EXPECT_GT(finest_order("-quad-", "-dirichlet"), GetParam().expected);
  EXPECT_GT(finest_order("-tri-", "-dirichlet"), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(DgCvs, LongOrders,
                         ::testing::Values(Law{"adv-sin", 1, 1.95}, Law{"adv-sin", 2, 2.9}, Law{"adv-sin", 3, 3.9},
                                           Law{"adv-sin", 4, 4.9}, Law{"burgers", 1, 1.95}, Law{"burgers", 2, 2.9},
                                           Law{"burgers", 3, 3.75}));
INSTANTIATE_TEST_SUITE_P(DgCvs, LongOrdersOfShipped,
                         ::testing::Values(Law{"adv-sin", 1, 1.95}, Law{"adv-sin", 3, 3.9}, Law{"burgers", 1, 1.95},
                                           Law{"burgers", 3, 3.75}));

TEST(DgCvs, GivesTheSameBitsWithItsLoopsSplit) {
  const std::vector<std::pair<const char*, const char*>> cases{{"adv-sin-p1-tri-10", "sweeps"},
                                                               {"adv-sin-p3-quad-10-dirichlet", "newton"},
                                                               {"burgers-p3-tri-10", "newton"},
                                                               {"vortex", "sweeps"}};
  for (const auto& each : cases) {
    const auto& [name, solver] = each;
    const auto with = [&each](const char* loops) {
      return solve(
          shipped(each.first, {{"method.loops", loops}, {"method.solver", each.second}, {"method.max_steps", "3"}}));
    };
    const DgSolved split = with("split");
    EXPECT_EQ(split.last.iterations, 3) << name;
    EXPECT_EQ(split.values(), with("fused").values()) << name << ", " << solver;
  }
}

TEST(DgCvs, TakesFewerDigitsInFloat) {
  for (const int order : {1, 2}) {
    const std::string number = std::to_string(order);
    const auto with = [&](const char* name, const char* precision) {
      return solve(shipped(name, {{"method.order", number}, {"method.precision", precision}}));
    };
    for (const char* name : {"adv-sin-p1-quad-10", "adv-sin-p1-quad-10-dirichlet", "burgers-p1-tri-10", "dam-break"}) {
      const DgSolved wide = with(name, "double");
      const DgSolved narrow = with(name, "float");
      ASSERT_EQ(narrow.last.status, Status::completed) << name;
      EXPECT_NEAR(narrow.errors.l2, wide.errors.l2, 2e-5) << name;
      for (std::size_t k = 0; k < wide.values().size(); ++k)
        EXPECT_NEAR(narrow.values()[k], wide.values()[k], 2e-4) << name << ", node " << k;
    }
  }
}

}  // namespace
}  // namespace quoin
