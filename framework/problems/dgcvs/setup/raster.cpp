#include "problems/dgcvs/setup/raster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "output/hdf5_input.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

/// Where `value` lies between ascending places: the one before it, and the share of the way to the next.
std::pair<std::size_t, double> between(const std::vector<double>& places, double value) {
  if (places.size() == 1) return {0, 0.0};
  const auto next = std::ranges::upper_bound(places.begin() + 1, places.end() - 1, value);
  const double before = *(next - 1);
  return {static_cast<std::size_t>(next - places.begin()) - 1,
          std::clamp((value - before) / (*next - before), 0.0, 1.0)};
}

}  // namespace

BedRaster::BedRaster(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".h5" || ending == ".hdf5")
    read_hdf5(path);
  else
    grid_ = read_esri_grid(path);
}

void BedRaster::read_hdf5(const std::filesystem::path& path) {
  const auto file = Hdf5Input::open(path);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::case_file, what + "; a grid has the arrays x and y, ascending, and bed, rows of y",
                path.string());
  };
  grid_.x = file->values("x");
  grid_.y = file->values("y");
  grid_.heights = file->values("bed");
  for (const auto* places : {&grid_.x, &grid_.y}) {
    const char* name = places == &grid_.x ? "x" : "y";
    if (places->empty()) refuse(fmt::format("the array {} is empty", name));
    for (std::size_t k = 1; k < places->size(); ++k)
      if (!((*places)[k] > (*places)[k - 1]))
        refuse(fmt::format("{}[{}] is {}, and {} comes before it", name, k, (*places)[k], (*places)[k - 1]));
  }
  if (grid_.heights.size() != grid_.x.size() * grid_.y.size() || file->rows("bed") != std::ssize(grid_.y))
    refuse(fmt::format("the array bed has {} rows and {} heights, x has {} and y {}", file->rows("bed"),
                       grid_.heights.size(), grid_.x.size(), grid_.y.size()));
  grid_.low = {grid_.x.front(), grid_.y.front()};
  grid_.high = {grid_.x.back(), grid_.y.back()};
}

std::optional<double> BedRaster::at(Point point) const {
  const double rounding = 1e-9 * std::max(grid_.high.x - grid_.low.x, grid_.high.y - grid_.low.y);
  const bool inside = point.x >= grid_.low.x - rounding && point.x <= grid_.high.x + rounding &&
                      point.y >= grid_.low.y - rounding && point.y <= grid_.high.y + rounding;
  if (!inside) return std::nullopt;
  const auto [column, across] = between(grid_.x, point.x);
  const auto [row, up] = between(grid_.y, point.y);
  double sum = 0.0;
  for (const std::size_t i : {0, 1}) {
    for (const std::size_t j : {0, 1}) {
      const double share = (i == 0 ? 1 - across : across) * (j == 0 ? 1 - up : up);
      if (share > 0.0) sum += share * grid_.heights[(row + j) * grid_.x.size() + column + i];
    }
  }
  return std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

std::string BedRaster::extent() const {
  return fmt::format("x from {} to {}, y from {} to {}", grid_.low.x, grid_.high.x, grid_.low.y, grid_.high.y);
}

}  // namespace quoin
