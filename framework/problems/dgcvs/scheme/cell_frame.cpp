#include "problems/dgcvs/scheme/cell_frame.hpp"

#include <utility>

#include "quoin/catalogue.hpp"

namespace quoin {

double CellFrames::value(const std::vector<double>& array, std::size_t row, std::int64_t lane) const {
  return array[row * static_cast<std::size_t>(cells_.shape_stride) + static_cast<std::size_t>(cells_.shape_lane(lane))];
}

bool CellFrames::is_last(std::int64_t lane) const {
  if (last_ == nullptr) return false;
  if (cells_.shares_shape(lane) && last_shared_) return true;
  for (std::size_t row = 0; row < last_->geometry.size(); ++row)
    if (last_->geometry[row] != value(cells_.geometry, row, lane)) return false;
  return true;
}

std::vector<double> CellFrames::column(const std::vector<double>& array, std::size_t rows, std::int64_t lane) const {
  std::vector<double> values(rows);
  auto at = static_cast<std::size_t>(cells_.shape_lane(lane));
  for (double& value : values) {
    value = array[at];
    at += static_cast<std::size_t>(cells_.shape_stride);
  }
  return values;
}

CellFrame CellFrames::of(std::int64_t lane) {
  const Entities& cells = setup_.staggered.cells;
  const auto cell = static_cast<std::size_t>(cells_.lanes.entity(lane));
  if (!is_last(lane)) {
    const int order = setup_.method.order;
    const int space = dgcvs_space(order);
    ScaledCell shape{{},
                     column(cells_.geometry, static_cast<std::size_t>(cells_.slots * dgcvs_geometry), lane),
                     column(cells_.factor, static_cast<std::size_t>(space * (space + 1) / 2), lane),
                     column(cells_.moments, static_cast<std::size_t>(dgcvs_space(2 * order)), lane)};
    for (std::size_t slot = 0; slot < cells.quads_of(static_cast<std::int64_t>(cell)).size(); ++slot) {
      const double* g = &shape.geometry[slot * dgcvs_geometry];
      shape.corners.push_back({Point{0, 0}, {g[0], g[1]}, {g[2], g[3]}, {g[4], g[5]}});
    }
    last_ = std::make_shared<const ScaledCell>(std::move(shape));
    last_shared_ = cells_.shares_shape(lane);
  }
  return {cells.centre[cell], cells.length[cell], last_};
}

}  // namespace quoin
