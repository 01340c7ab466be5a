// Sides whose states change with time.

#include <gmock/gmock.h>

#include <cmath>

#include "numerics/dgcvs/solver.hpp"
#include "problems/dgcvs/scheme/outside.hpp"

namespace quoin {
namespace {

using test::solve;

Case with_sides(const std::string& overlap, const std::string& more = "") {
  return Case::parse(
      "problem: {type: dg-cvs, equation: burgers, mesh: {cells: [9, 7], shape: tri}, boundary: {left: exact, right: "
      "{type: dirichlet, value: '0.5 + 0.1*sin(3*y - t)'}, bottom: {type: dirichlet, value: '0.4'}, top: open}, "
      "initial: '0.5 + 0.1*sin(x + 2*y)', exact: characteristics}\nmethod: {order: 2, final_time: 1" +
          more + "}\nbackend: serial\noutput: {history_every: 1}\n",
      "case.yaml", {{"run.overlap", overlap}}, KeyTable::standard());
}

TEST(DgSides, AreTheSameEvaluatedBesideKernels) {
  for (const std::string more : {"", ", max_steps: 1", ", max_steps: 13"}) {
    const auto off = solve(with_sides("off", more));
    const auto on = solve(with_sides("on", more));
    EXPECT_EQ(on.last.iterations, off.last.iterations);
    EXPECT_EQ(on.values(), off.values());
  }
}

class OutsideTable : public ::testing::Test {
 protected:
  const DgSetup setup_{with_sides("off")};
  const LevelArrays arrays_{setup_, EntityKind::vertices};
  OutsideStates states_{setup_, arrays_, EntityKind::vertices};
  const Pace pace_{.from = 0, .last = 100, .start = 0.0, .dt = 0.01};
};

TEST_F(OutsideTable, IsThatOfPointsOneByOne) {
  const GaussRule rule = gauss_rule(3);
  const std::vector<double> table = states_.table(2, 3, pace_);
  ASSERT_EQ(table.size(), 3 * states_.size());
  const auto stride = static_cast<std::size_t>(arrays_.face_stride);
  std::size_t seen = 0;
  for (std::size_t place = 0; place < arrays_.half_faces.size(); ++place) {
    const HalfFace& half = arrays_.half_faces[place];
    if (half.side < 0 || setup_.sides[static_cast<std::size_t>(half.side)].kind != SideKind::dirichlet) continue;
    const auto outside = setup_.outside(setup_.sides[static_cast<std::size_t>(half.side)]);
    for (std::size_t step = 0; step < 3; ++step)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t t = 0; t < 3; ++t, ++seen) {
          const Point at{half.from.x + rule.nodes[i] * (half.to.x - half.from.x),
                         half.from.y + rule.nodes[i] * (half.to.y - half.from.y)};
          State state{};
          outside({&at, 1}, pace_.time(2 + static_cast<std::int64_t>(step)) + 0.005 * rule.nodes[t], {&state, 1});
          const std::size_t row = (place / stride * 3 + i) * 3 + t;
          ASSERT_EQ(table[step * states_.size() + row * stride + place % stride], state[0]);
        }
  }
  EXPECT_GT(seen, 500U);
}

TEST_F(OutsideTable, MadeAheadIsTakenWhereItIsTheOneAskedFor) {
  const std::vector<double> expected = OutsideStates(setup_, arrays_, EntityKind::vertices).table(5, 4, pace_);
  states_.look_ahead(5, 4, pace_);
  EXPECT_EQ(states_.table(5, 4, pace_), expected);
  states_.look_ahead(5, 8, pace_);
  EXPECT_EQ(states_.table(5, 4, pace_), expected);
  states_.look_ahead(5, 4, Pace{.from = 0, .last = 50, .start = 0.0, .dt = 0.02});
  EXPECT_EQ(states_.table(5, 4, pace_), expected);
  states_.look_ahead(9, 100, pace_);  // is made when this goes
}

TEST(DgCharacteristics, FollowOneOrManyPointsToTheSameBits) {
  const DgSetup setup(with_sides("off"));
  const ExactSolution exact = setup.exact().value();
  std::vector<Point> points;
  for (int k = 0; k < 700; ++k) points.push_back({0.01 * (k % 40), 0.013 * (k % 77)});
  std::vector<State> states(points.size());
  exact.at(points, 0.8, states);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double u = states[k][0];
    ASSERT_EQ(exact.at(points[k], 0.8)[0], u);
    const double foot = points[k].x - 0.8 * u + 2 * (points[k].y - 0.8 * u);
    ASSERT_NEAR(u, 0.5 + 0.1 * std::sin(foot), 1e-14);
  }
}

}  // namespace
}  // namespace quoin
