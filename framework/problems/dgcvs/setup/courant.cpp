#include "problems/dgcvs/setup/courant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"

namespace quoin {
namespace {

using ByOrder = std::array<double, 5>;

// The limits were measured by the eigenvalues of a step for all wave numbers, and by runs of 300 to 1500 steps from
// rough starts, with sides and between walls, at corners and in all directions, where sweeps of boundary vertices may
// diverge first. These numbers are 5 to 12 % below.

// On quadrilaterals the limit is one of the cells that waves cross a step, and nearly the same in all directions:
// 0.998, 0.62, 0.49, 0.298, 0.275 for orders 0 to 4 on parallelograms, more where vertices are out of place; for
// shallow water 0.62, 0.42, 0.298, 0.23 for orders 1 to 4, and between walls 0.54, 0.285, 0.144, 0.093.
// On triangles it is a Courant number: 1.67, 1.07, 0.88, 0.59, 0.53 for orders 0 to 4; for shallow water, however flat
// they are, no less than 1.16, 0.72, 0.52, 0.43 for orders 1 to 4, and between walls 0.84, 0.40, 0.236, 0.16. Nothing
// longer bore rough starts of Burgers' equation at order 4.
struct Stable {
  ByOrder crossings;     ///< of quadrilaterals
  ByOrder by_triangles;  ///< Courant numbers
};
constexpr Stable advection{{0.92, 0.57, 0.45, 0.275, 0.25}, {1.5, 0.98, 0.8, 0.54, 0.48}};
constexpr Stable burgers{{0.63, 0.57, 0.45, 0.275, 0.25}, {0.9, 0.9, 0.65, 0.45, 0.25}};
constexpr Stable water{{0.45, 0.56, 0.385, 0.275, 0.21}, {0.9, 0.9, 0.65, 0.45, 0.4}};
constexpr Stable water_by_walls{{0.45, 0.48, 0.255, 0.128, 0.083}, {0.9, 0.75, 0.36, 0.21, 0.145}};

// For what was not measured.
constexpr ByOrder anywhere{0.9, 0.5, 0.4, 0.25, 0.25};
constexpr double anywhere_order_4_by_walls = 0.15;

/// The edges of the parallelogram that is most like a quadrilateral.
std::array<Point, 2> mean_edges(const Staggered& staggered, std::int64_t cell) {
  const auto quads = staggered.cells.quads_of(cell);
  const auto corner = [&](std::size_t k) { return staggered.quads[static_cast<std::size_t>(quads[k])].corners[0]; };
  const Point diagonal = corner(2) - corner(0);
  const Point across = corner(3) - corner(1);
  return {Point{(diagonal.x - across.x) / 2, (diagonal.y - across.y) / 2},
          Point{(diagonal.x + across.x) / 2, (diagonal.y + across.y) / 2}};
}

/// Cells that waves of speed 1 cross a unit of time.
double crossings(const HostLaw& law, const std::array<Point, 2>& edges) {
  const auto& [a, b] = edges;
  const double area = std::abs(a.x * b.y - a.y * b.x);
  if (!law.is_water()) return std::hypot(law.unit_speed(a.y, -a.x), law.unit_speed(b.y, -b.x)) / area;
  const double squares = a.x * a.x + a.y * a.y + b.x * b.x + b.y * b.y;  // across the narrowest way
  return std::sqrt((squares + std::sqrt(std::max(0.0, squares * squares - 4 * area * area))) / 2) / area;
}

const Stable& stable_of(const HostLaw& law, bool walls) {
  switch (law.law()) {
    case Law::advection:
      return advection;
    case Law::burgers:
      return burgers;
    case Law::shallow_water:
    case Law::shallow_water_bed:
      break;
  }
  return walls ? water_by_walls : water;
}

bool all_have(const Entities& cells, std::size_t corners) {
  for (std::int64_t cell = 0; cell < cells.count(); ++cell)
    if (cells.quads_of(cell).size() != corners) return false;
  return true;
}

}  // namespace

double stable_cfl(const HostLaw& law, const CourantCase& the_case, const Staggered& staggered, double unit_step) {
  const auto order = static_cast<std::size_t>(the_case.order);
  const double usual = the_case.order == 4 && the_case.walls ? anywhere_order_4_by_walls : anywhere.at(order);
  if (the_case.limited) return usual;
  const Stable& stable = stable_of(law, the_case.walls);
  if (all_have(staggered.cells, 3)) return stable.by_triangles.at(order);
  if (!all_have(staggered.cells, 4)) return usual;
  constexpr std::int64_t worth_a_thread = 1 << 14;
  std::vector<double> fastest(static_cast<std::size_t>(parts_of(staggered.cells.count(), worth_a_thread)), 0.0);
  parallel_parts(
      staggered.cells.count(),
      [&](const Part& part) {
        double& own = fastest[static_cast<std::size_t>(part.number)];
        for (std::int64_t cell = part.first; cell < part.last; ++cell)
          own = std::max(own, crossings(law, mean_edges(staggered, cell)));
      },
      worth_a_thread);
  const double most = *std::ranges::max_element(fastest);
  return std::isfinite(unit_step) && most > 0.0 ? stable.crossings.at(order) / (most * unit_step) : usual;
}

}  // namespace quoin
