#include "kernels/dgcvs/oracle_entities.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quoin::conformance {
namespace {

constexpr Wide pi = std::numbers::pi_v<Wide>;

/// Sub-quads side by side around the centre, over the angles [start, start + whole].
std::vector<Slot> fan(std::mt19937_64& random, int count, Wide start, Wide whole) {
  const bool closed = whole > 1.9L * pi;
  std::vector<Spot> rays;
  for (int k = 0; k <= count; ++k) {
    const bool fixed = !closed && (k == 0 || k == count);
    const Wide angle = start + whole * (k + (fixed ? 0 : uniform(random, -0.1L, 0.1L))) / count;
    const Wide radius = uniform(random, 0.8L, 1.1L);
    rays.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  if (closed) rays.back() = rays.front();
  std::vector<Slot> slots;
  for (std::size_t k = 0; k + 1 < rays.size(); ++k) {
    const Spot& a = rays[k];
    const Spot& c = rays[k + 1];
    const Wide reach = uniform(random, 0.8L, 1.05L);  // 1 makes a parallelogram, more than 1/2 is convex
    const Spot b{reach * (a.x + c.x) + uniform(random, -0.05L, 0.05L),
                 reach * (a.y + c.y) + uniform(random, -0.05L, 0.05L)};
    slots.push_back({a, b, c, uniform(random, 0.8L, 1.25L)});
  }
  return slots;
}

int one_of(std::mt19937_64& random, int lower, int upper) {
  return static_cast<int>(uniform(random, lower, upper + 1));
}

/// Some of their outer edges, one after the other, as boundary half faces.
std::vector<HalfFace> some_edges(std::mt19937_64& random, const std::vector<Slot>& slots, int most) {
  std::vector<HalfFace> edges;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    edges.push_back({slots[k].a, slots[k].b, k, one_of(random, 0, 2)});
    edges.push_back({slots[k].b, slots[k].c, k, one_of(random, 0, 2)});
  }
  std::rotate(edges.begin(), edges.begin() + one_of(random, 0, static_cast<int>(edges.size()) - 1), edges.end());
  edges.resize(static_cast<std::size_t>(one_of(random, 0, most)));
  return edges;
}

}  // namespace

Wide uniform(std::mt19937_64& random, Wide lower, Wide upper) {
  return lower + (upper - lower) * static_cast<Wide>(random() >> 11U) * 0x1p-53L;
}

Shape random_cell(std::mt19937_64& random, int slots, int faces) {
  Shape shape{fan(random, one_of(random, 3, slots), uniform(random, 0, 2 * pi), 2 * pi), {}};
  shape.faces = some_edges(random, shape.slots, faces);
  return shape;
}

Shape random_quadrilateral(std::mt19937_64& random, int faces) {
  std::vector<Spot> corners;
  Spot centre;
  for (const Spot square : {Spot{-1, -1}, Spot{1, -1}, Spot{1, 1}, Spot{-1, 1}}) {
    corners.push_back({square.x * uniform(random, 0.7L, 1), square.y * uniform(random, 0.7L, 1)});
    centre = {centre.x + corners.back().x / 4, centre.y + corners.back().y / 4};
  }
  Shape shape;
  for (Spot& corner : corners) corner = {corner.x - centre.x, corner.y - centre.y};
  const auto middle = [](const Spot& a, const Spot& b) { return Spot{(a.x + b.x) / 2, (a.y + b.y) / 2}; };
  for (std::size_t k = 0; k < 4; ++k)
    shape.slots.push_back({middle(corners[(k + 3) % 4], corners[k]), corners[k],
                           middle(corners[k], corners[(k + 1) % 4]), uniform(random, 0.8L, 1.25L)});
  shape.faces = some_edges(random, shape.slots, faces);
  shape.region = std::move(corners);
  return shape;
}

Shape random_boundary_vertex(std::mt19937_64& random, int slots) {
  const int count = one_of(random, 1, slots);
  Shape shape{fan(random, count, uniform(random, 0, 2 * pi), std::min(count * pi / 2, 1.5L * pi)), {}};
  shape.faces = {{{0, 0}, shape.slots.front().a, 0, one_of(random, 0, 2)},
                 {shape.slots.back().c, {0, 0}, shape.slots.size() - 1, one_of(random, 0, 2)}};
  return shape;
}

Rule gauss_legendre(int n) {
  Rule rule;
  for (int k = 0; k < n; ++k) {
    Wide x = std::cos(pi * (static_cast<Wide>(n - k) - 0.25L) / (static_cast<Wide>(n) + 0.5L));
    Wide slope = 1;
    for (int step = 0; step < 20; ++step) {
      Wide before = 1;
      Wide value = x;
      for (int degree = 2; degree <= n; ++degree) {
        const Wide next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    rule.nodes.push_back((1 + x) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

std::vector<Wide> moments_of(const Shape& shape, int degree) {
  std::vector<Wide> moments(static_cast<std::size_t>((degree + 1) * (degree + 2) / 2));
  const Rule rule = gauss_legendre((degree + 3) / 2);  // exact, with the degree 1 of the Jacobian
  const auto powers = [&](Wide x) {
    std::vector<Wide> list{1};
    while (list.size() <= static_cast<std::size_t>(degree)) list.push_back(list.back() * x);
    return list;
  };
  for (const Slot& slot : shape.slots) {
    over_slot(slot, rule, [&](Spot at, Wide weight) {
      const std::vector<Wide> x = powers(at.x);
      const std::vector<Wide> y = powers(at.y);
      auto moment = moments.begin();
      for (std::size_t d = 0; d < x.size(); ++d)
        for (std::size_t j = 0; j <= d; ++j) *moment++ += weight * x[d - j] * y[j];
    });
  }
  return moments;
}

std::vector<Wide> inverse_cholesky(const Shape& shape, int order) {
  const std::vector<Wide> moments = moments_of(shape, 2 * order);
  std::vector<std::array<int, 2>> members;
  for (int d = 0; d <= order; ++d)
    for (int j = 0; j <= d; ++j) members.push_back({d, j});
  const std::size_t n = members.size();
  std::vector<std::vector<Wide>> lower(n, std::vector<Wide>(n));
  std::vector<Wide> rows;
  std::vector<std::vector<Wide>> inverse = lower;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const int d = members[i][0] + members[j][0];
      const int place = d * (d + 1) / 2 + members[i][1] + members[j][1];
      Wide sum = moments[static_cast<std::size_t>(place)];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
    for (std::size_t j = 0; j <= i; ++j) {
      Wide sum = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) sum -= lower[i][k] * inverse[k][j];
      inverse[i][j] = sum / lower[i][i];
      rows.push_back(inverse[i][j]);
    }
  }
  return rows;
}

std::vector<Member> basis_of(int order) {
  std::vector<Member> members;
  for (int k = 0; k <= order; ++k) {
    for (int d = 0; d <= order - k; ++d)
      for (int j = 0; j <= d; ++j) members.push_back({d - j, j, k});
  }
  return members;
}

std::vector<Wide> parameters_of(Law law, bool chezy) {
  if (law == Law::advection) return {0.7L, -1.0L / 3};
  if (law == Law::shallow_water) return {1.3L};
  if (law == Law::shallow_water_bed) return {1.3L, 1e-6L, chezy ? -0.02L : 0.01L, 0.2L};
  return {};
}

std::vector<Wide> random_bed(std::mt19937_64& random, std::size_t points, Wide reach) {
  std::vector<Wide> heights(points);
  for (Wide& height : heights) height = uniform(random, -reach, reach);
  return heights;
}

std::vector<Wide> random_polynomials(std::mt19937_64& random, Law law, int order) {
  std::vector<Wide> c;
  for (int v = 0; v < law_variables(law); ++v) {
    for (const Member& member : basis_of(order)) {
      const int degree = member.i + member.j + member.k;
      const bool depth = law_is_water(law) && v == 0;
      const Wide mean = depth ? uniform(random, 0.9L, 1.1L) : uniform(random, -0.5L, 0.5L);
      c.push_back(degree == 0 ? mean : uniform(random, -0.04L, 0.04L) * std::pow(0.4L, degree - 1));
    }
  }
  if (law_has_bed(law)) c.insert(c.end(), {-1, 1});  // at no shore, and the mean depth
  return c;
}

}  // namespace quoin::conformance
