#include "problems/dgcvs/scheme/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "base/sha256.hpp"
#include "mesh/congruence.hpp"
#include "problems/dgcvs/scheme/faces.hpp"
#include "problems/dgcvs/scheme/shapes.hpp"
#include "problems/dgcvs/setup/quadrature.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

void put(std::vector<double>& array, const std::vector<double>& values, std::int64_t stride, std::int64_t lane) {
  for (std::size_t k = 0; k < values.size(); ++k)
    array[k * static_cast<std::size_t>(stride) + static_cast<std::size_t>(lane)] = values[k];
}

template <class Value>
void resize(std::vector<Value>& array, std::int64_t rows, std::int64_t stride) {
  resize_cleared(array, static_cast<std::size_t>(rows * stride));
}

}  // namespace

std::vector<double> limiter_thresholds(const DgSetup& setup, const LevelArrays& arrays) {
  std::vector<double> thresholds;
  for (const double inverse : arrays.length) {
    double threshold = setup.method.limiter_threshold;
    for (int k = 0; k <= setup.method.order; ++k) threshold *= std::sqrt(2.0 / inverse);
    thresholds.push_back(setup.limiter == Limiter::always ? -1.0 : threshold);
  }
  return thresholds;
}

std::string mesh_sha256(const LevelArrays& arrays) {
  Sha256 hash;
  std::vector<double> row(static_cast<std::size_t>(arrays.lanes.stride));
  for (std::size_t first = 0; first < arrays.geometry.size(); first += static_cast<std::size_t>(arrays.shape_stride)) {
    for (std::int64_t lane = 0; lane < arrays.lanes.stride; ++lane)
      row[static_cast<std::size_t>(lane)] = arrays.geometry[first + static_cast<std::size_t>(arrays.shape_lane(lane))];
    hash.add(std::as_bytes(std::span(row)));
  }
  hash.add(std::as_bytes(std::span(arrays.neighbour)));
  return hash.hex();
}

LevelArrays::LevelArrays(const DgSetup& setup, EntityKind kind) : LevelArrays(setup, kind, Partition(setup, 1), 0) {}

LevelArrays::LevelArrays(const DgSetup& setup, EntityKind kind, const Partition& partition, int rank)
    : lanes(partition.part(kind, rank)), kind_(kind), old_lanes_(partition.part(other(kind), rank)) {
  fill_entities(setup);
  fill_faces(setup);
  if (setup.law.has_bed()) fill_bed(setup);
}

std::int64_t LevelArrays::old_lane(const DgSetup& setup, std::int64_t quad) const {
  return old_lanes_.of(owner_of(setup.staggered.quads[static_cast<std::size_t>(quad)], other(kind_)));
}

std::int64_t LevelArrays::shape_lane(std::int64_t lane) const {
  if (shape_mask < 0) return lane;
  return shares_shape(lane) ? lane & shape_mask : entity_group + lane - lanes.first_boundary;
}

void LevelArrays::fill_entities(const DgSetup& setup) {
  const Entities& own = entities_of(setup.staggered, kind_);
  for (std::int64_t e = 0; e < own.count(); ++e)
    slots = std::max(slots, static_cast<std::int64_t>(own.quads_of(e).size()));
  const int order = setup.method.order;
  resize(neighbour, slots, lanes.stride);
  resize(length, 1, lanes.stride);
  const std::int64_t inside = inner_entities(own, setup.method.entities);
  // A limiter looks at the moments of entities around, wherever these are.
  const bool shared = !setup.together && inside > 0 && setup.limiter == Limiter::none &&
                      (setup.solver == Solver::matrices || all_congruent(setup.staggered, kind_, inside));
  shape_mask = shared ? entity_group - 1 : -1;
  shape_stride = shared ? entity_group + lanes.stride - lanes.first_boundary : lanes.stride;
  // Of all entities or none, so that no result knows how they are launched, and on which rank.
  whole = law_degree(setup.law.law()) == 0 && !setup.law.has_bed() && all_quadrilaterals(setup.staggered, kind_);
  resize(geometry, slots * dgcvs_geometry, shape_stride);
  resize(region, whole ? dgcvs_region : 0, shape_stride);
  resize(factor, dgcvs_space(order) * (dgcvs_space(order) + 1) / 2, shape_stride);
  resize(moments, dgcvs_moments(order), shape_stride);
  const EntityShapes shapes(setup, kind_, slots, whole);
  parallel_parts(shape_stride, [&](const Part& part) {
    constexpr std::int64_t at_once = 64;
    std::vector<std::int64_t> entities;
    for (std::int64_t first = part.first; first < part.last; first += at_once) {
      entities.clear();
      for (std::int64_t k = first; k < std::min(first + at_once, part.last); ++k)
        entities.push_back(
            shared && k < entity_group ? 0 : lanes.entity(shared ? lanes.first_boundary + k - entity_group : k));
      std::int64_t k = first;
      for (const EntityShape& shape : shapes.of(entities)) {
        put(geometry, shape.geometry, shape_stride, k);
        put(region, shape.region, shape_stride, k);
        put(factor, shape.factor, shape_stride, k);
        put(moments, shape.moments, shape_stride, k++);
      }
    }
  });
  parallel_parts(lanes.stride, [&](const Part& part) {
    for (std::int64_t lane = part.first; lane < part.last; ++lane) {
      const std::int64_t e = lanes.entity(lane);
      length[static_cast<std::size_t>(lane)] = 1.0 / own.length[static_cast<std::size_t>(e)];
      if (!lanes.own(lane)) continue;
      const auto quads = own.quads_of(e);
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        const auto used = std::min(static_cast<std::size_t>(slot), quads.size() - 1);  // an unused slot adds nothing
        neighbour[static_cast<std::size_t>(slot * lanes.stride + lane)] = old_lane(setup, quads[used]);
      }
    }
  });
}

void LevelArrays::fill_faces(const DgSetup& setup) {
  const Entities& own = entities_of(setup.staggered, kind_);
  // As many as any entity of all ranks has: what is added for a face that is none could tell a zero's sign.
  const EntityRange boundary = all_of(own, setup.method.entities).boundary;
  std::vector<std::vector<EntityFace>> all;  // of own entities
  for (std::int64_t e = boundary.first; lanes.has_boundary() && e < boundary.last; ++e) {
    std::vector<EntityFace> mine = faces_of(setup.staggered, kind_, e);
    faces = std::max(faces, static_cast<std::int64_t>(mine.size()));
    if (lanes.part.boundary.has(e)) all.push_back(std::move(mine));
  }
  const auto faces_in = [&](std::int64_t lane) -> const std::vector<EntityFace>& {
    return all[static_cast<std::size_t>(lanes.entity(lane) - lanes.part.boundary.first)];
  };
  std::vector<std::int64_t> places;  // lanes that have room for faces
  for (std::int64_t first = lanes.first_boundary; first < lanes.first_ghost; first += entity_group) {
    std::array<std::int64_t, entity_group> group{};
    std::iota(group.begin(), group.end(), first);
    if (std::ranges::any_of(group, [&](std::int64_t lane) { return !faces_in(lane).empty(); }))
      places.insert(places.end(), group.begin(), group.end());
  }
  face_stride = std::ssize(places);
  resize(behind, faces, face_stride);
  resize(face, faces * dgcvs_face, face_stride);
  resize(half_faces, faces, face_stride);
  if (setup.together && face_stride > 0) face_lane.assign(static_cast<std::size_t>(lanes.stride), -1);
  for (std::int64_t lane = 0; lane < face_stride; ++lane) {
    const std::int64_t of = places[static_cast<std::size_t>(lane)];
    const double size = own.length[static_cast<std::size_t>(lanes.entity(of))];
    const std::vector<EntityFace>& mine = faces_in(of);
    if (!face_lane.empty()) face_lane[static_cast<std::size_t>(of)] = mine.empty() ? -1 - lane : lane;
    for (std::int64_t k = 0; k < faces; ++k) {
      const auto place = static_cast<std::size_t>(k * face_stride + lane);
      behind[place] = neighbour[static_cast<std::size_t>(of)];
      // By itself a face of no length, and open, so that no state outside is missed.
      std::array<double, dgcvs_face> values{0, 0, 0, 0, 0, 0, 0, static_cast<double>(SideKind::open)};
      if (static_cast<std::size_t>(k) < mine.size()) {
        const EntityFace& own_face = mine[static_cast<std::size_t>(k)];
        half_faces[place] = own_face.half;
        behind[place] = old_lane(setup, own_face.quad);
        values = describe_face(setup, kind_, own_face, size);
      }
      for (std::size_t v = 0; v < values.size(); ++v)
        face[(static_cast<std::size_t>(k) * values.size() + v) * static_cast<std::size_t>(face_stride) +
             static_cast<std::size_t>(lane)] = values[v];
    }
  }
  if (!setup.method.indexed || face_lane.empty()) return;
  sequence.resize(static_cast<std::size_t>(lanes.stride));
  std::iota(sequence.begin(), sequence.end(), 0);
  std::stable_partition(sequence.begin(), sequence.begin() + lanes.first_ghost,
                        [&](std::int64_t lane) { return face_lane[static_cast<std::size_t>(lane)] < 0; });
}

void LevelArrays::fill_bed(const DgSetup& setup) {
  const Entities& own = entities_of(setup.staggered, kind_);
  const GaussRule rule = gauss_rule(setup.method.order + 1);
  const std::int64_t values = dgcvs_bed(setup.method.order);
  resize(bed, slots * values, lanes.stride);
  resize(bed_slope, 3, lanes.stride);
  const auto along = [&](std::vector<Point>& points, Point from, Point to) {
    for (const double node : rule.nodes) points.push_back(from + node * (to - from));
  };
  parallel_parts(lanes.stride, [&](const Part& part) {
    const Bed ground = setup.bed();
    std::vector<Point> points;
    std::vector<double> heights(static_cast<std::size_t>(values));
    for (std::int64_t lane = part.first; lane < part.last; ++lane) {
      const auto quads = own.quads_of(lanes.entity(lane));
      double mean = 0.0;
      double area = 0.0;
      Point slope{0.0, 0.0};  // Gauss's theorem: the bed times the normal, around the sub-quads
      for (std::size_t slot = 0; slot < static_cast<std::size_t>(slots); ++slot) {
        const SubQuad& quad = setup.staggered.quads[static_cast<std::size_t>(quads[std::min(slot, quads.size() - 1)])];
        const auto seen = seen_from(quad, kind_);
        std::vector<double> weights;
        points.clear();
        visit_quad(seen, rule, [&](Point point, double weight) {
          points.push_back(point);
          weights.push_back(weight);
        });
        along(points, seen[1], seen[2]);
        along(points, seen[2], seen[3]);
        along(points, seen[3], seen[0]);
        along(points, seen[0], seen[1]);
        ground.at(points, heights);
        for (std::size_t k = 0; k < heights.size(); ++k)
          bed[(slot * heights.size() + k) * static_cast<std::size_t>(lanes.stride) + static_cast<std::size_t>(lane)] =
              heights[k];
        if (slot >= quads.size()) continue;
        for (std::size_t k = 0; k < weights.size(); ++k) {
          area += weights[k];
          mean += weights[k] * heights[k];
        }
        points.clear();
        for (std::size_t side = 0; side < 4; ++side) along(points, seen.at(side), seen.at((side + 1) % 4));
        std::vector<double> around(points.size());
        ground.at(points, around);
        for (std::size_t k = 0; k < around.size(); ++k) {
          const std::size_t side = k / rule.nodes.size();
          const Point edge = seen.at((side + 1) % 4) - seen.at(side);
          const double weight = rule.weights[k % rule.nodes.size()] * around[k];
          slope = slope + weight * Point{edge.y, -edge.x};
        }
      }
      std::vector<double> all{mean / area, slope.x / area, slope.y / area};
      put(bed_slope, all, lanes.stride, lane);
    }
  });
  const Bed ground = setup.bed();
  resize(face_bed, faces * std::ssize(rule.nodes), face_stride);
  for (std::size_t place = 0; place < half_faces.size(); ++place) {
    if (half_faces[place].side < 0) continue;
    const auto stride = static_cast<std::size_t>(face_stride);
    std::vector<Point> points;
    along(points, half_faces[place].from, half_faces[place].to);
    std::vector<double> heights(points.size());
    ground.at(points, heights);
    for (std::size_t k = 0; k < heights.size(); ++k)
      face_bed[(place / stride * heights.size() + k) * stride + place % stride] = heights[k];
  }
}

}  // namespace quoin
