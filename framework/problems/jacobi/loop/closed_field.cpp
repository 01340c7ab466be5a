#include "problems/jacobi/loop/closed_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "quoin/precision.hpp"

namespace quoin {

/// What is given of row j of plane k, from -1 to ny and nz: all of the outermost rows, the ends of the others. `row`
/// has all nodes.
void ClosedField::fill_sides(std::int64_t j, std::int64_t k, std::span<double> row) const {
  const Grid& grid = setup_.grid;
  const bool left = grid.along_x.lower == SideType::dirichlet;
  const bool right = grid.along_x.upper == SideType::dirichlet;
  const bool on_y = j < 0 || j == grid.ny;
  const bool on_z = k < 0 || k == grid.nz;
  const auto first = row.begin() + grid.along_x.first;
  const auto copy = [&](const std::vector<double>& side, std::int64_t line) {
    std::copy_n(side.begin() + line * grid.nx, grid.nx, first);
  };
  if (on_y && on_z)
    for (std::int64_t i = 0; i < grid.nx; ++i) first[i] = setup_.edge(i, j, k);
  else if (on_y)
    copy(j < 0 ? sides_.bottom : sides_.top, k);
  else if (on_z)
    copy(k < 0 ? sides_.back : sides_.front, j);
  const auto number = static_cast<std::size_t>(k * grid.ny + j);
  if (left) row.front() = on_y || on_z ? setup_.edge(-1, j, k) : sides_.left[number];
  if (right) row.back() = on_y || on_z ? setup_.edge(grid.nx, j, k) : sides_.right[number];
  if (grid.along_x.periodic()) row.back() = row.front();
}

/// Of the row's unknowns, raw.
void ClosedField::put_inside(std::span<const std::byte> values, std::span<double> row) const {
  const Axis& x = setup_.grid.along_x;
  for (std::int64_t i = 0; i < x.count; ++i)
    row[static_cast<std::size_t>(x.first + i)] =
        value_at(values, static_cast<std::size_t>(i), setup_.method.precision) + shift_;
  if (x.periodic()) row.back() = row.front();
}

void ClosedField::each_row(const GridField::Take& take) const {
  each_row(
      {0, setup_.grid.rows()}, [this](const Field::Read& read) { loop_.read(read); }, take);
}

void ClosedField::each_row(const Strip& part, const Inside& inside, const GridField::Take& take) const {
  const Grid& grid = setup_.grid;
  const Precision precision = setup_.method.precision;
  std::vector<double> row(static_cast<std::size_t>(grid.along_x.intervals + 1));
  std::vector<std::byte> raw(row.size() * element_size(precision));
  std::vector<std::byte> lowest;  // of a plane, where that is the uppermost as well
  std::vector<std::byte> first;   // the rows of the first plane, where that is the last as well
  const auto give = [&](std::int64_t k) {
    if (k == 0 && grid.in_space() && grid.along_z.periodic()) first.insert(first.end(), raw.begin(), raw.end());
    take(raw);
  };
  const auto fill = [&](std::int64_t j, std::int64_t k) {
    fill_sides(j, k, row);
    store_values(row, precision, raw.data());
  };
  const auto side = [&](std::int64_t j, std::int64_t k) {
    fill(j, k);
    give(k);
  };
  const Axis& y = grid.along_y;
  const auto closed_plane = [&](std::int64_t k) {  // of a side
    for (std::int64_t node = 0; node <= y.intervals; ++node)
      side(y.periodic() && node == y.intervals ? 0 : node - y.first, k);
  };
  if (grid.along_z.lower == SideType::dirichlet) closed_plane(-1);
  inside([&](std::int64_t number, std::span<const std::byte> values) {
    const std::int64_t j = number % grid.ny;
    const std::int64_t k = number / grid.ny;
    if (j == 0 && y.lower == SideType::dirichlet) side(-1, k);
    fill(j, k);
    if (setup_.beyond_poisson) {
      put_inside(values, row);
      store_values(row, precision, raw.data());
    } else {
      std::memcpy(raw.data() + element_size(precision), values.data(), values.size());
    }
    if (j == 0 && y.periodic()) lowest = raw;
    give(k);
    if (j + 1 < grid.ny || number + 1 > part.last) return;
    if (y.upper == SideType::dirichlet) side(grid.ny, k);
    if (!y.periodic()) return;
    raw = lowest;
    give(k);
  });
  if (grid.along_z.upper == SideType::dirichlet) closed_plane(grid.nz);
  for (std::size_t at = 0; at < first.size(); at += raw.size()) take(std::span(first).subspan(at, raw.size()));
}

GridField ClosedField::head() const {
  const Grid& grid = setup_.grid;
  return {"u",
          grid.along_x.intervals + 1,
          grid.along_y.intervals + 1,
          grid.xmin,
          grid.ymin,
          grid.dx,
          grid.dy,
          setup_.method.precision,
          {},
          /*ring=*/setup_.beyond_poisson || grid.in_space() ? 0 : 1,
          {},
          grid.along_z.is_flat() ? 1 : grid.along_z.intervals + 1,
          grid.in_space() ? grid.along_z.begin : 0.0,
          grid.in_space() ? grid.along_z.spacing : 1.0};
}

GridRows piece_rows(const Strip& part) {
  if (part.rows() == 0) return {};
  return {part.first == 0 ? 0 : part.first + 1, part.last + 2};
}

namespace {

/// Two neighbouring nodes of an axis, counted as unknowns are, and how much of a value between them is theirs.
using Pair = std::array<std::pair<std::int64_t, double>, 2>;

Pair around(double at, const Axis& axis) {
  const double place = (at - axis.begin) / axis.spacing;
  const double node = std::clamp(std::floor(place), 0.0, static_cast<double>(axis.intervals - 1));
  const double share = std::clamp(place - node, 0.0, 1.0);
  const std::int64_t before = static_cast<std::int64_t>(node) - axis.first;
  return {{{before, 1 - share}, {axis.periodic() ? (before + 1) % axis.count : before + 1, share}}};
}

}  // namespace

std::vector<double> ClosedField::at(std::span<const Point> points, std::span<const double> z) const {
  struct Share {
    std::size_t point;
    std::size_t column;
    double weight;
  };
  const Grid& grid = setup_.grid;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Share>> rows;  // by plane; each is fetched once
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Pair planes = z.empty() ? Pair{{{0, 1.0}, {0, 0.0}}} : around(z[k], grid.along_z);
    for (const auto& [plane, through] : planes)
      for (const auto& [row, across] : around(points[k].y, grid.along_y))
        for (const auto& [column, along] : around(points[k].x, grid.along_x))
          if (through * across * along > 0.0)
            rows[{plane, row}].push_back(
                {k, static_cast<std::size_t>(column + grid.along_x.first), through * across * along});
  }
  std::vector<double> values(points.size());
  std::vector<double> row(static_cast<std::size_t>(grid.along_x.intervals + 1));
  for (const auto& [place, shares] : rows) {
    const auto [k, j] = place;
    if (j >= 0 && j < grid.ny && k >= 0 && k < grid.nz)
      loop_.read(k * grid.ny + j, k * grid.ny + j + 1,
                 [&](std::int64_t /*number*/, std::span<const std::byte> inside) { put_inside(inside, row); });
    fill_sides(j, k, row);
    for (const Share& share : shares) values[share.point] += share.weight * row[share.column];
  }
  return values;
}

}  // namespace quoin
