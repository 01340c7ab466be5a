#include "mesh/congruence.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"

namespace quoin {
namespace {

constexpr double of_rounding = 1e-12;  // of lengths that are about 1

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
