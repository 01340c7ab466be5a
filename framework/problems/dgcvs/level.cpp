#include "problems/dgcvs/level.hpp"

#include <algorithm>
#include <cmath>

#include "problems/dgcvs/basis.hpp"
#include "problems/dgcvs/parallel.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::int64_t whole_groups(std::int64_t entities) { return (entities + entity_group - 1) / entity_group * entity_group; }

const Entities& entities_of(const Staggered& staggered, EntityKind kind) {
  return kind == EntityKind::cells ? staggered.cells : staggered.vertices;
}

/// The sub-quad's corners as its entity sees them: its own centre, A, B (the centre of the old entity), C.
std::array<Point, 4> seen_from(const SubQuad& quad, EntityKind kind) {
  const auto& p = quad.corners;
  if (kind == EntityKind::cells) return {p[2], p[3], p[0], p[1]};
  return {p[0], p[1], p[2], p[3]};
}

/// Inverse of the Cholesky factor of the Gram matrix of the spatial monomials of degree <= order, rows of its lower
/// triangle, from moments of degree up to 2 * order.
std::vector<double> inverse_factor(int order, const std::vector<double>& moments) {
  const auto n = static_cast<std::size_t>(dgcvs_space(order));
  const std::vector<Member> members = basis_members(order);
  std::vector<std::vector<long double>> lower(n, std::vector<long double>(n));
  std::vector<std::vector<long double>> inverse = lower;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const int y = members[i].j + members[j].j;
      long double sum = moments[spatial_place(members[i].i + members[j].i + y, y)];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      long double sum = i == j ? 1.0L : 0.0L;
      for (std::size_t k = j; k < i; ++k) sum -= lower[i][k] * inverse[k][j];
      inverse[i][j] = sum / lower[i][i];
    }
  }
  std::vector<double> rows;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) rows.push_back(static_cast<double>(inverse[i][j]));
  return rows;
}

/// All that depends on the shape of an entity alone.
struct Shape {
  std::vector<double> geometry, factor, moments;
};

/// Congruent entities differ by rounding only.
bool congruent(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double rounding = 1e-12;  // of lengths that are about 1
  return std::ranges::equal(a, b, [](double x, double y) { return std::abs(x - y) <= rounding; });
}

class Shapes {
 public:
  Shapes(const DgSetup& setup, EntityKind kind, std::int64_t slots)
      : setup_(setup),
        kind_(kind),
        slots_(slots),
        degree_(std::max(dgcvs_moment_degree(setup.method.order), 2 * setup.method.order)),
        rule_(gauss_rule(degree_ / 2 + 2)),
        first_(filled(geometry(0))) {}

  /// Those congruent with the first inner entity get its shape to the bit: a uniform mesh is then uniform.
  [[nodiscard]] Shape of(std::int64_t entity) const {
    std::vector<double> own = geometry(entity);
    return congruent(own, first_.geometry) ? first_ : filled(std::move(own));
  }

 private:
  [[nodiscard]] std::vector<double> geometry(std::int64_t entity) const {
    const Staggered& s = setup_.staggered;
    const double length = entities_of(s, kind_).length[static_cast<std::size_t>(entity)];
    const Entities& old = entities_of(s, kind_ == EntityKind::cells ? EntityKind::vertices : EntityKind::cells);
    std::vector<double> values(static_cast<std::size_t>(slots_ * dgcvs_geometry), 0.0);
    auto value = values.begin();
    for (const std::int64_t q : entities_of(s, kind_).quads_of(entity)) {
      const SubQuad& quad = s.quads[static_cast<std::size_t>(q)];
      const auto corners = seen_from(quad, kind_);
      for (std::size_t k = 1; k < 4; ++k) {
        *value++ = (corners[k].x - corners[0].x) / length;
        *value++ = (corners[k].y - corners[0].y) / length;
      }
      const std::int64_t behind = kind_ == EntityKind::cells ? quad.vertex : quad.cell;
      *value++ = length / old.length[static_cast<std::size_t>(behind)];
    }
    return values;
  }

  [[nodiscard]] Shape filled(std::vector<double> geometry) const {
    Shape shape{std::move(geometry), {}, {}};
    std::vector<double> moments(static_cast<std::size_t>(dgcvs_space(degree_)), 0.0);
    std::vector<double> monomials(moments.size());
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(slots_); ++slot) {
      const double* g = shape.geometry.data() + slot * dgcvs_geometry;
      visit_quad({Point{0, 0}, {g[0], g[1]}, {g[2], g[3]}, {g[4], g[5]}}, rule_, [&](Point at, double weight) {
        spatial_monomials(degree_, at.x, at.y, monomials);
        for (std::size_t m = 0; m < moments.size(); ++m) moments[m] += weight * monomials[m];
      });
    }
    shape.factor = inverse_factor(setup_.method.order, moments);
    moments.resize(static_cast<std::size_t>(dgcvs_moments(setup_.method.order)));
    shape.moments = std::move(moments);
    return shape;
  }

  const DgSetup& setup_;
  EntityKind kind_;
  std::int64_t slots_;
  int degree_;
  GaussRule rule_;
  Shape first_;
};

void put(std::vector<double>& array, const std::vector<double>& values, std::int64_t stride, std::int64_t lane) {
  for (std::size_t k = 0; k < values.size(); ++k)
    array[k * static_cast<std::size_t>(stride) + static_cast<std::size_t>(lane)] = values[k];
}

/// The boundary half faces of an entity, in the direction of their sub-quad, with the sub-quad.
struct Half {
  LevelArrays::HalfFace face;
  std::int64_t quad;
};
std::vector<Half> halves_of(const Staggered& staggered, EntityKind kind, std::int64_t entity) {
  std::vector<Half> halves;
  for (const std::int64_t q : entities_of(staggered, kind).quads_of(entity)) {
    const SubQuad& quad = staggered.quads[static_cast<std::size_t>(q)];
    if (quad.side01 >= 0) halves.push_back({{quad.corners[0], quad.corners[1], quad.side01}, q});
    if (quad.side30 >= 0) halves.push_back({{quad.corners[3], quad.corners[0], quad.side30}, q});
  }
  return halves;
}

/// What the kernels are told of a half face of an entity of that length.
std::array<double, dgcvs_face> describe_face(const DgSetup& setup, EntityKind kind, const Half& half, double length) {
  const SubQuad& quad = setup.staggered.quads[static_cast<std::size_t>(half.quad)];
  const auto corners = seen_from(quad, kind);
  const auto scaled = [&](Point p) { return 1 / length * (p - corners[0]); };
  const auto [from, to, old] = std::array{scaled(half.face.from), scaled(half.face.to), scaled(corners[2])};
  const double old_length = kind == EntityKind::cells
                                ? setup.staggered.vertices.length[static_cast<std::size_t>(quad.vertex)]
                                : setup.staggered.cells.length[static_cast<std::size_t>(quad.cell)];
  return {from.x,
          from.y,
          to.x,
          to.y,
          old.x,
          old.y,
          length / old_length,
          static_cast<double>(setup.sides[static_cast<std::size_t>(half.face.side)].kind)};
}

}  // namespace

Lanes::Lanes(const Entities& all, EntityOrder order)
    : entities(all.count()),
      inside(order == EntityOrder::boundary_last ? all.count() - all.boundary : 0),
      first_boundary(whole_groups(inside)),
      stride(first_boundary + whole_groups(entities - inside)) {
  // A kernel reads some two hundred rows of these arrays at the same lane. Were they an even number of groups apart, or
  // even a power of two, a cache would have to keep them all in a few of its sets.
  if (stride / entity_group % 2 == 1) return;
  stride += entity_group;
  if (inside == entities) first_boundary = stride;
}

std::int64_t Lanes::entity(std::int64_t lane) const {
  if (lane < first_boundary) return std::min(lane, inside - 1);
  return std::min(inside + lane - first_boundary, entities - 1);
}

bool inside_is_congruent(const LevelArrays& arrays) {
  const auto stride = static_cast<std::size_t>(arrays.lanes.stride);
  const auto inside = static_cast<std::size_t>(arrays.lanes.inside);
  for (std::size_t row = 0; row < arrays.geometry.size(); row += stride)
    for (std::size_t lane = 1; lane < inside; ++lane)
      if (arrays.geometry[row + lane] != arrays.geometry[row]) return false;
  return std::all_of(arrays.length.begin(), arrays.length.begin() + static_cast<std::ptrdiff_t>(inside),
                     [&](double length) { return std::abs(length - arrays.length[0]) <= 1e-12 * length; });
}

std::vector<double> limiter_thresholds(const DgSetup& setup, const LevelArrays& arrays) {
  std::vector<double> thresholds;
  for (const double inverse : arrays.length) {
    double threshold = setup.method.limiter_threshold;
    for (int k = 0; k <= setup.method.order; ++k) threshold *= std::sqrt(2.0 / inverse);
    thresholds.push_back(setup.limiter == Limiter::always ? -1.0 : threshold);
  }
  return thresholds;
}

LevelArrays::LevelArrays(const DgSetup& setup, EntityKind kind)
    : lanes(entities_of(setup.staggered, kind), setup.the_case().text("method.entities") == "mesh_order"
                                                    ? EntityOrder::mesh_order
                                                    : EntityOrder::boundary_last) {
  const Staggered& s = setup.staggered;
  const Entities& own = entities_of(s, kind);
  const EntityKind other = kind == EntityKind::cells ? EntityKind::vertices : EntityKind::cells;
  const Lanes old_lanes(entities_of(s, other), setup.method.entities);
  const auto old_lane = [&](std::int64_t q) {
    const SubQuad& quad = s.quads[static_cast<std::size_t>(q)];
    return old_lanes.of(kind == EntityKind::cells ? quad.vertex : quad.cell);
  };
  for (std::int64_t e = 0; e < own.count(); ++e)
    slots = std::max(slots, static_cast<std::int64_t>(own.quads_of(e).size()));
  const int order = setup.method.order;
  const auto sized = [&](auto& array, std::int64_t rows, std::int64_t stride) {
    array.resize(static_cast<std::size_t>(rows * stride));
  };
  sized(neighbour, slots, lanes.stride);
  sized(geometry, slots * dgcvs_geometry, lanes.stride);
  sized(factor, dgcvs_space(order) * (dgcvs_space(order) + 1) / 2, lanes.stride);
  sized(moments, dgcvs_moments(order), lanes.stride);
  sized(length, 1, lanes.stride);
  const Shapes shapes(setup, kind, slots);
  parallel_parts(lanes.stride, [&](const Part& part) {
    for (std::int64_t lane = part.first; lane < part.last; ++lane) {
      const std::int64_t e = lanes.entity(lane);
      const Shape shape = shapes.of(e);
      put(geometry, shape.geometry, lanes.stride, lane);
      put(factor, shape.factor, lanes.stride, lane);
      put(moments, shape.moments, lanes.stride, lane);
      length[static_cast<std::size_t>(lane)] = 1.0 / own.length[static_cast<std::size_t>(e)];
      const auto quads = own.quads_of(e);
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        const auto used = std::min(static_cast<std::size_t>(slot), quads.size() - 1);  // an unused slot adds nothing
        neighbour[static_cast<std::size_t>(slot * lanes.stride + lane)] = old_lane(quads[used]);
      }
    }
  });

  face_stride = lanes.stride - lanes.first_boundary;
  std::vector<std::vector<Half>> halves;
  for (std::int64_t lane = 0; lane < face_stride; ++lane) {
    halves.push_back(halves_of(s, kind, lanes.entity(lanes.first_boundary + lane)));
    faces = std::max(faces, static_cast<std::int64_t>(halves.back().size()));
  }
  sized(behind, faces, face_stride);
  sized(face, faces * dgcvs_face, face_stride);
  sized(half_faces, faces, face_stride);
  for (std::int64_t lane = 0; lane < face_stride; ++lane) {
    const std::int64_t e = lanes.entity(lanes.first_boundary + lane);
    const double size = own.length[static_cast<std::size_t>(e)];
    const std::vector<Half>& mine = halves[static_cast<std::size_t>(lane)];
    for (std::int64_t k = 0; k < faces; ++k) {
      const auto place = static_cast<std::size_t>(k * face_stride + lane);
      behind[place] = neighbour[static_cast<std::size_t>(lanes.first_boundary + lane)];
      // By itself a face of no length, and open, so that no state outside is missed.
      std::array<double, dgcvs_face> values{0, 0, 0, 0, 0, 0, 0, static_cast<double>(SideKind::open)};
      if (static_cast<std::size_t>(k) < mine.size()) {
        const Half& half = mine[static_cast<std::size_t>(k)];
        half_faces[place] = half.face;
        behind[place] = old_lane(half.quad);
        values = describe_face(setup, kind, half, size);
      }
      for (std::size_t v = 0; v < values.size(); ++v)
        face[(static_cast<std::size_t>(k) * values.size() + v) * static_cast<std::size_t>(face_stride) +
             static_cast<std::size_t>(lane)] = values[v];
    }
  }
}

}  // namespace quoin
