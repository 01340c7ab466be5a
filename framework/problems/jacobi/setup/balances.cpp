#include "problems/jacobi/setup/balances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace quoin {
namespace {

/// A part of a coarser interval that a finer one fills.
struct Overlap {
  std::int64_t fine;
  double share;  ///< of the coarser
};

/// Of coarse interval k, where `fine` intervals stand for `coarse` ones.
std::vector<Overlap> overlaps(std::int64_t k, std::int64_t fine, std::int64_t coarse) {
  // In units of which an interval has `coarse` and a coarser one `fine`.
  std::vector<Overlap> parts;
  for (std::int64_t i = k * fine / coarse; i * coarse < (k + 1) * fine; ++i) {
    const std::int64_t covered = std::min((i + 1) * coarse, (k + 1) * fine) - std::max(i * coarse, k * fine);
    if (covered > 0) parts.push_back({i, static_cast<double>(covered) / static_cast<double>(fine)});
  }
  return parts;
}

/// A chain of nodes along one direction: of its faces, volumes of its cells and sinks.
struct Chain {
  std::vector<double> face, volume, sink;
  bool periodic;
};

/// How many eigenvalues lie below `value`: as many as pivots are negative.
std::int64_t below(const Chain& chain, double value) {
  std::int64_t count = 0;
  double pivot = 1.0;
  for (std::size_t i = 0; i < chain.volume.size(); ++i) {
    const double coupling = i == 0 ? 0.0 : chain.face[i];
    pivot = chain.face[i] + chain.face[i + 1] + chain.sink[i] - value * chain.volume[i] - coupling * coupling / pivot;
    if (pivot == 0.0) pivot = std::numeric_limits<double>::min();
    if (pivot < 0.0) ++count;
  }
  return count;
}

/// The eigenvalue number `number` from 0 on, or a little less.
double eigenvalue(const Chain& chain, std::int64_t number) {
  if (chain.periodic) {  // with the least coefficient everywhere
    if (number == 0) return 0.0;
    const double wave = std::sin(std::numbers::pi / static_cast<double>(chain.volume.size()));
    return 4.0 * *std::ranges::min_element(chain.face) * wave * wave;
  }
  if (number >= std::ssize(chain.volume)) return std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (std::size_t i = 0; i < chain.volume.size(); ++i)
    high = std::max(high, (2.0 * (chain.face[i] + chain.face[i + 1]) + chain.sink[i]) / chain.volume[i]);
  // Where it is 0 no pivot says so for certain.
  double low = high * 1e-14;
  if (below(chain, low) > number) return 0.0;
  while (high > 1.0001 * low) {
    const double middle = std::sqrt(low * high);
    (below(chain, middle) > number ? high : low) = middle;
  }
  return low;
}

struct Least {
  double first, second;
};

}  // namespace

Cells Cells::coarser(std::int64_t coarse_nx, std::int64_t coarse_ny) const {
  Cells made{coarse_nx, coarse_ny, {}};
  std::vector<std::vector<Overlap>> columns;
  for (std::int64_t i = 0; i < coarse_nx; ++i) columns.push_back(overlaps(i, nx, coarse_nx));
  for (std::int64_t j = 0; j < coarse_ny; ++j) {
    const std::vector<Overlap> rows = overlaps(j, ny, coarse_ny);
    for (const std::vector<Overlap>& across : columns) {
      double mean = 0.0;
      for (const Overlap& row : rows)
        for (const Overlap& column : across)
          mean += row.share * column.share * k[static_cast<std::size_t>(row.fine * nx + column.fine)];
      made.k.push_back(mean);
    }
  }
  return made;
}

Balances::Balances(const Cells& cells, const Axis& along_x, const Axis& along_y) : x(along_x), y(along_y) {
  // No cell lies beyond a side.
  const auto k_of = [&](std::int64_t column, std::int64_t row) {
    return column < 0 || row < 0 ? 0.0 : cells.k[at(column, row, cells.nx)];
  };
  const double a = 0.5 / (x.spacing * x.spacing);
  const double b = 0.5 / (y.spacing * y.spacing);
  for (std::int64_t j = 0; j < y.count; ++j) {
    for (std::int64_t i = 0; i <= x.count; ++i) {
      const std::int64_t column = x.interval_before(i);
      kx.push_back(a * (k_of(column, y.interval_before(j)) + k_of(column, y.interval_before(j + 1))));
    }
  }
  for (std::int64_t j = 0; j <= y.count; ++j) {
    const std::int64_t row = y.interval_before(j);
    for (std::int64_t i = 0; i < x.count; ++i)
      ky.push_back(b * (k_of(x.interval_before(i), row) + k_of(x.interval_before(i + 1), row)));
  }
  sink.assign(static_cast<std::size_t>(x.count * y.count), 0.0);
}

bool Balances::floating() const {
  const auto known = [](const Axis& axis) {
    return axis.lower == SideType::dirichlet || axis.upper == SideType::dirichlet;
  };
  return !known(x) && !known(y) && std::ranges::all_of(sink, [](double value) { return value == 0.0; });
}

Bounds bounds_of(const Balances& balances) {
  const Axis& x = balances.x;
  const Axis& y = balances.y;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto chain_of = [&](const Axis& axis) {
    const auto size = static_cast<std::size_t>(axis.count);
    Chain chain{std::vector<double>(size + 1, infinity), {}, std::vector<double>(size, 0.0), axis.periodic()};
    for (std::int64_t i = 0; i < axis.count; ++i) chain.volume.push_back(axis.width(i));
    return chain;
  };
  Chain across = chain_of(x);
  Chain down = chain_of(y);
  double sink = infinity;  // the least of what every unknown has
  double sinks = 0.0;
  double volumes = 0.0;
  double stiffest = 0.0;  // the largest factor of an unknown's own value
  double most = 0.0;
  for (std::int64_t j = 0; j < y.count; ++j) {
    for (std::int64_t i = 0; i < x.count; ++i) {
      const double diagonal = balances.diagonal(i, j);
      const double from_left = i > 0 || x.periodic() ? balances.west(i, j) : 0.0;
      const double from_right = i + 1 < x.count || x.periodic() ? balances.west(i + 1, j) : 0.0;
      const double from_below = j > 0 || y.periodic() ? balances.south(i, j) : 0.0;
      const double from_above = j + 1 < y.count || y.periodic() ? balances.south(i, j + 1) : 0.0;
      most = std::max(most, 1.0 + (from_left + from_right + from_below + from_above) / diagonal);
      stiffest = std::max(stiffest, diagonal / balances.volume(i, j));
      sink = std::min(sink, balances.sink_at(i, j) / balances.volume(i, j));
      sinks += balances.sink_at(i, j);
      volumes += balances.volume(i, j);
      auto& face_x = across.face[static_cast<std::size_t>(i)];
      face_x = std::min(face_x, balances.west(i, j) / y.width(j));
      auto& face_y = down.face[static_cast<std::size_t>(j)];
      face_y = std::min(face_y, balances.south(i, j) / x.width(i));
    }
    across.face.back() = std::min(across.face.back(), balances.west(x.count, j) / y.width(j));
  }
  for (std::int64_t i = 0; i < x.count; ++i)
    down.face.back() = std::min(down.face.back(), balances.south(i, y.count) / x.width(i));
  // What robin sides have beyond that: the least along each, which counts in the chain that runs across it.
  const auto at_end = [&](bool along_x, std::int64_t end) {
    double least = infinity;
    const std::int64_t length = along_x ? y.count : x.count;
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t i = along_x ? end : k;
      const std::int64_t j = along_x ? k : end;
      const double beyond = balances.sink_at(i, j) - sink * balances.volume(i, j);
      least = std::min(least, beyond / (along_x ? y.width(j) : x.width(i)));
    }
    return least;
  };
  // A corner would count twice, so each direction takes half of what its ends have where both are robin sides.
  const auto robin = [](const Axis& axis) { return axis.lower == SideType::robin || axis.upper == SideType::robin; };
  const double share = robin(x) && robin(y) ? 0.5 : 1.0;
  if (x.lower == SideType::robin) across.sink.front() += share * at_end(true, 0);
  if (x.upper == SideType::robin) across.sink.back() += share * at_end(true, x.count - 1);
  if (y.lower == SideType::robin) down.sink.front() += share * at_end(false, 0);
  if (y.upper == SideType::robin) down.sink.back() += share * at_end(false, y.count - 1);
  const Least of_x{eigenvalue(across, 0), eigenvalue(across, 1)};
  const Least of_y{eigenvalue(down, 0), eigenvalue(down, 1)};
  const double second = std::min(of_x.second, of_y.second);
  const double least = balances.floating() ? second : of_x.first + of_y.first + sink;
  // Where sinks are in some places only, half of what a constant u loses to them.
  const double aimed_at = least > 0.0 ? least : std::min(0.5 * sinks / volumes, second);
  return {least, {std::min(aimed_at / stiffest, 1.0), most}};
}

}  // namespace quoin
