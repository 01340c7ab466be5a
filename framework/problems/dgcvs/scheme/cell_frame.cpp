#include "problems/dgcvs/scheme/cell_frame.hpp"

#include "quoin/catalogue.hpp"

namespace quoin {

CellFrame::CellFrame(const DgSetup& setup, const LevelArrays& cells, std::int64_t lane) {
  const Staggered& s = setup.staggered;
  const std::int64_t cell = cells.lanes.entity(lane);
  centre = s.cells.centre[static_cast<std::size_t>(cell)];
  length = s.cells.length[static_cast<std::size_t>(cell)];
  for (const std::int64_t q : s.cells.quads_of(cell)) {
    auto quad = s.quads[static_cast<std::size_t>(q)].corners;
    for (Point& p : quad) p = {(p.x - centre.x) / length, (p.y - centre.y) / length};
    corners.push_back(quad);
  }
  const auto column = [&](const std::vector<double>& array, int rows) {
    std::vector<double> values;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
      values.push_back(array[row * static_cast<std::size_t>(cells.lanes.stride) + static_cast<std::size_t>(lane)]);
    return values;
  };
  const int space = dgcvs_space(setup.method.order);
  factor = column(cells.factor, space * (space + 1) / 2);
  moments = column(cells.moments, dgcvs_space(2 * setup.method.order));
}

}  // namespace quoin
