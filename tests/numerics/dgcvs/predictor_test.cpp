// The start in time of some cells at a time has, cell by cell, the bits of one at a time.

#include "problems/dgcvs/scheme/predictor.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "numerics/dgcvs/solver.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;

/// In space as a start could be, in time nothing.
std::vector<double> start_of(const DgSetup& setup, std::size_t cell) {
  std::vector<double> c(static_cast<std::size_t>(setup.unknowns()));
  const std::size_t basis = c.size() / setup.law.size();
  for (std::size_t v = 0; v < setup.law.size(); ++v)
    for (std::size_t m = 0; m < static_cast<std::size_t>(dgcvs_space(setup.method.order)); ++m)
      c[v * basis + m] = (v == 0 && m == 0 ? 1.0 : 0.0) + 0.01 * std::sin(static_cast<double>(cell * 37 + v * 11 + m));
  return c;
}

TEST(Predictor, GivesEachCellTheBitsThatItHasAlone) {
  const DgSetup setup(
      dgcvs_case("equation: {type: shallow_water, gravity: 1}, mesh: {cells: [5, 4], perturb: 0.2}, "
                 "initial: {h: '1', hu: '0', hv: '0'}, "
                 "boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}",
                 "order: 3, final_time: 0.1"));
  const LevelArrays arrays(setup, EntityKind::cells);
  const Predictor predictor(setup, 0.003);
  CellFrames frames(setup, arrays);
  std::vector<CellFrame> cells;
  std::vector<std::vector<double>> together;
  std::vector<std::vector<double>> alone;
  for (std::size_t cell = 0; cell < Predictor::lanes; ++cell) {
    cells.push_back(frames.of(static_cast<std::int64_t>(cell)));
    together.push_back(start_of(setup, cell));
    alone.push_back(together.back());
    predictor.predict({&cells[cell], 1}, {&alone[cell], 1});
  }
  predictor.predict(cells, together);
  EXPECT_EQ(together, alone);
  std::vector<std::vector<double>> some{start_of(setup, 2), start_of(setup, 3), start_of(setup, 4)};
  predictor.predict(std::span(cells).subspan(2, 3), some);
  EXPECT_THAT(some, ::testing::ElementsAre(alone[2], alone[3], alone[4]));
  for (const std::vector<double>& c : alone) EXPECT_NE(c.back(), 0.0) << "of the highest power of s";
}

}  // namespace
}  // namespace quoin
