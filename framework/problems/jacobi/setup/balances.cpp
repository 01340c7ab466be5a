#include "problems/jacobi/setup/balances.hpp"

#include <algorithm>
#include <array>
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

}  // namespace

Cells Cells::coarser(std::int64_t coarse_nx, std::int64_t coarse_ny, std::int64_t coarse_nz) const {
  Cells made{coarse_nx, coarse_ny, {}, coarse_nz};
  std::vector<std::vector<Overlap>> columns;
  std::vector<std::vector<Overlap>> rows;
  for (std::int64_t i = 0; i < coarse_nx; ++i) columns.push_back(overlaps(i, nx, coarse_nx));
  for (std::int64_t j = 0; j < coarse_ny; ++j) rows.push_back(overlaps(j, ny, coarse_ny));
  for (std::int64_t l = 0; l < coarse_nz; ++l) {
    const std::vector<Overlap> planes = overlaps(l, nz, coarse_nz);
    for (const std::vector<Overlap>& down : rows) {
      for (const std::vector<Overlap>& across : columns) {
        double mean = 0.0;
        for (const Overlap& plane : planes)
          for (const Overlap& row : down)
            for (const Overlap& column : across)
              mean += plane.share * row.share * column.share *
                      k[static_cast<std::size_t>((plane.fine * ny + row.fine) * nx + column.fine)];
        made.k.push_back(mean);
      }
    }
  }
  return made;
}

Balances::Balances(const Cells& cells, const Axis& along_x, const Axis& along_y, const Axis& along_z)
    : x(along_x), y(along_y), z(along_z) {
  // No cell lies beyond a side. A flat direction has the same cell before and behind a node, which then counts twice.
  const auto k_of = [&](std::int64_t column, std::int64_t row, std::int64_t plane) {
    return column < 0 || row < 0 || plane < 0 ? 0.0 : cells.k[at(column, plane * cells.ny + row, cells.nx)];
  };
  const double a = 0.25 / (x.spacing * x.spacing);
  const double b = 0.25 / (y.spacing * y.spacing);
  const double c = 0.25 / (z.spacing * z.spacing);
  for (std::int64_t k = 0; k < z.count; ++k) {
    const std::int64_t back = z.interval_before(k);
    const std::int64_t front = z.interval_before(k + 1);
    for (std::int64_t j = 0; j < y.count; ++j) {
      const std::int64_t below = y.interval_before(j);
      const std::int64_t above = y.interval_before(j + 1);
      for (std::int64_t i = 0; i <= x.count; ++i) {
        const std::int64_t column = x.interval_before(i);
        kx.push_back(a * ((k_of(column, below, back) + k_of(column, above, back)) +
                          (k_of(column, below, front) + k_of(column, above, front))));
      }
    }
    for (std::int64_t j = 0; j <= y.count; ++j) {
      const std::int64_t row = y.interval_before(j);
      for (std::int64_t i = 0; i < x.count; ++i) {
        const std::int64_t left = x.interval_before(i);
        const std::int64_t right = x.interval_before(i + 1);
        ky.push_back(b * ((k_of(left, row, back) + k_of(right, row, back)) +
                          (k_of(left, row, front) + k_of(right, row, front))));
      }
    }
  }
  sink.assign(static_cast<std::size_t>(x.count * y.count * z.count), 0.0);
  if (z.is_flat()) return;
  for (std::int64_t k = 0; k <= z.count; ++k) {
    const std::int64_t plane = z.interval_before(k);
    for (std::int64_t j = 0; j < y.count; ++j) {
      const std::int64_t below = y.interval_before(j);
      const std::int64_t above = y.interval_before(j + 1);
      for (std::int64_t i = 0; i < x.count; ++i) {
        const std::int64_t left = x.interval_before(i);
        const std::int64_t right = x.interval_before(i + 1);
        kz.push_back(c * ((k_of(left, below, plane) + k_of(right, below, plane)) +
                          (k_of(left, above, plane) + k_of(right, above, plane))));
      }
    }
  }
}

bool Balances::floating() const {
  const auto known = [](const Axis& axis) {
    return axis.lower == SideType::dirichlet || axis.upper == SideType::dirichlet;
  };
  return !known(x) && !known(y) && !known(z) && std::ranges::all_of(sink, [](double value) { return value == 0.0; });
}

namespace {

/// Nodes of all three directions, and what they couple to.
struct Directions {
  explicit Directions(const Balances& of) : balances(of), axes{&of.x, &of.y, &of.z} {}

  using Node = std::array<std::int64_t, 3>;
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::int64_t k = 0; k < axes[2]->count; ++k)
      for (std::int64_t j = 0; j < axes[1]->count; ++j)
        for (std::int64_t i = 0; i < axes[0]->count; ++i) visit(Node{i, j, k});
  }
  /// That of a node towards smaller numbers.
  [[nodiscard]] double face(std::size_t axis, const Node& n) const {
    if (axis == 0) return balances.west(n[0], n[1], n[2]);
    return axis == 1 ? balances.south(n[0], n[1], n[2]) : balances.behind(n[0], n[1], n[2]);
  }
  [[nodiscard]] double face_behind(std::size_t axis, Node n) const {
    ++n[axis];
    return face(axis, n);
  }
  /// Of a node's cell across a direction.
  [[nodiscard]] double section(std::size_t axis, const Node& n) const {
    double size = 1.0;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != axis) size *= axes[other]->width(n[other]);
    return size;
  }

  const Balances& balances;
  std::array<const Axis*, 3> axes;
};

}  // namespace

Bounds bounds_of(const Balances& balances) {
  const Directions all(balances);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto chain_of = [&](const Axis& axis) {
    const auto size = static_cast<std::size_t>(axis.count);
    Chain chain{std::vector<double>(size + 1, infinity), {}, std::vector<double>(size, 0.0), axis.periodic()};
    for (std::int64_t i = 0; i < axis.count; ++i) chain.volume.push_back(axis.width(i));
    return chain;
  };
  std::array<Chain, 3> chains{chain_of(balances.x), chain_of(balances.y), chain_of(balances.z)};
  double sink = infinity;  // the least of what every unknown has
  double sinks = 0.0;
  double volumes = 0.0;
  double stiffest = 0.0;  // the largest factor of an unknown's own value
  double most = 0.0;
  all.each([&](const Directions::Node& n) {
    const auto& [i, j, k] = n;
    const double diagonal = balances.diagonal(i, j, k);
    const double volume = balances.volume(i, j, k);
    double beside = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Axis& along = *all.axes[axis];
      if (n[axis] > 0 || along.periodic()) beside += all.face(axis, n);
      if (n[axis] + 1 < along.count || along.periodic()) beside += all.face_behind(axis, n);
      std::vector<double>& faces = chains[axis].face;
      const auto place = static_cast<std::size_t>(n[axis]);
      faces[place] = std::min(faces[place], all.face(axis, n) / all.section(axis, n));
      if (n[axis] + 1 == along.count)
        faces.back() = std::min(faces.back(), all.face_behind(axis, n) / all.section(axis, n));
    }
    most = std::max(most, 1.0 + beside / diagonal);
    stiffest = std::max(stiffest, diagonal / volume);
    sink = std::min(sink, balances.sink_at(i, j, k) / volume);
    sinks += balances.sink_at(i, j, k);
    volumes += volume;
  });
  // What robin sides have beyond that: the least along each, which counts in the chain that runs across it.
  const auto at_end = [&](std::size_t axis, std::int64_t end) {
    double least = infinity;
    all.each([&](const Directions::Node& n) {
      if (n[axis] != end) return;
      const double beyond = balances.sink_at(n[0], n[1], n[2]) - sink * balances.volume(n[0], n[1], n[2]);
      least = std::min(least, beyond / all.section(axis, n));
    });
    return least;
  };
  // A corner would count twice, so each direction takes its share of what its ends have where others have robin sides.
  const auto robin = [](const Axis* axis) { return axis->lower == SideType::robin || axis->upper == SideType::robin; };
  const double share = 1.0 / static_cast<double>(std::max<std::int64_t>(1, std::ranges::count_if(all.axes, robin)));
  double first = 0.0;
  double second = infinity;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Axis& along = *all.axes[axis];
    if (along.is_flat()) continue;
    Chain& chain = chains[axis];
    if (along.lower == SideType::robin) chain.sink.front() += share * at_end(axis, 0);
    if (along.upper == SideType::robin) chain.sink.back() += share * at_end(axis, along.count - 1);
    first += eigenvalue(chain, 0);
    second = std::min(second, eigenvalue(chain, 1));
  }
  const double least = balances.floating() ? second : first + sink;
  // Where sinks are in some places only, half of what a constant u loses to them.
  const double aimed_at = least > 0.0 ? least : std::min(0.5 * sinks / volumes, second);
  return {least, {std::min(aimed_at / stiffest, 1.0), most}};
}

}  // namespace quoin
