#include "mesh/congruence.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"

namespace quoin {
namespace {

constexpr double of_rounding = 1e-12;  // of lengths that are about 1

/// The corners of a shape's sub-quads that lie on its outline, counter-clockwise.
std::vector<Point> outline_of(std::span<const double> shape) {
  std::vector<Point> outline;
  Point first{};
  Point last{};
  for (; shape.size() >= shape_values; shape = shape.subspan(shape_values)) {
    const Point a{shape[0], shape[1]};
    const Point b{shape[2], shape[3]};
    if (b.x == 0.0 && b.y == 0.0) break;  // unused
    if (outline.empty()) first = a;
    outline.insert(outline.end(), {a, b});
    last = {shape[4], shape[5]};
  }
  const bool closed = std::abs(last.x - first.x) <= of_rounding && std::abs(last.y - first.y) <= of_rounding;
  if (!closed) outline.insert(outline.end(), {last, Point{0, 0}});
  return outline;
}

}  // namespace

std::vector<double> shape_of(const Staggered& staggered, EntityKind kind, std::int64_t entity, std::int64_t slots) {
  const Entities& own = entities_of(staggered, kind);
  const Entities& old = entities_of(staggered, other(kind));
  const double length = own.length[static_cast<std::size_t>(entity)];
  std::vector<double> values(static_cast<std::size_t>(slots * shape_values), 0.0);
  auto value = values.begin();
  for (const std::int64_t q : own.quads_of(entity)) {
    const SubQuad& quad = staggered.quads[static_cast<std::size_t>(q)];
    const auto corners = seen_from(quad, kind);
    for (std::size_t k = 1; k < 4; ++k) {
      *value++ = (corners[k].x - corners[0].x) / length;
      *value++ = (corners[k].y - corners[0].y) / length;
    }
    *value++ = length / old.length[static_cast<std::size_t>(owner_of(quad, other(kind)))];
  }
  return values;
}

bool congruent(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) <= of_rounding; });
}

std::vector<double> quadrilateral_of(std::span<const double> shape) {
  const std::vector<Point> outline = outline_of(shape);
  std::vector<Point> corners;  // where the outline turns
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const Point here = outline[k];
    const double turn =
        cross(here - outline[(k + outline.size() - 1) % outline.size()], outline[(k + 1) % outline.size()] - here);
    if (turn < -of_rounding) return {};
    if (turn > of_rounding) corners.push_back(here);
  }
  if (corners.size() != 4) return {};
  std::vector<double> values{corners[0].x, corners[0].y};
  for (std::size_t k = 1; k < 4; ++k) {
    values.push_back(corners[k].x - corners[0].x);
    values.push_back(corners[k].y - corners[0].y);
  }
  return values;
}

bool all_quadrilaterals(const Staggered& staggered, EntityKind kind) {
  const Entities& own = entities_of(staggered, kind);
  std::atomic<bool> all{true};
  parallel_parts(own.count(), [&](const Part& part) {
    for (std::int64_t entity = part.first; entity < part.last && all; ++entity) {
      const auto quads = static_cast<std::int64_t>(own.quads_of(entity).size());
      if (quadrilateral_of(shape_of(staggered, kind, entity, quads)).empty()) all = false;
    }
  });
  return all;
}

bool all_congruent(const Staggered& staggered, EntityKind kind, std::int64_t inside) {
  if (inside == 0) return true;
  const Entities& own = entities_of(staggered, kind);
  const auto quads = own.quads_of(0).size();
  const std::vector<double> first = shape_of(staggered, kind, 0, static_cast<std::int64_t>(quads));
  std::atomic<bool> all{true};
  parallel_parts(inside, [&](const Part& part) {
    for (std::int64_t entity = part.first; entity < part.last && all; ++entity) {
      const double ratio = own.length[static_cast<std::size_t>(entity)] / own.length[0];
      if (own.quads_of(entity).size() != quads || std::abs(ratio - 1.0) > of_rounding ||
          !congruent(shape_of(staggered, kind, entity, static_cast<std::int64_t>(quads)), first))
        all = false;
    }
  });
  return all;
}

}  // namespace quoin
