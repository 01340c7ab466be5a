// The shapes of entities as the kernels get them: once where the inner ones are congruent.

#include "problems/dgcvs/scheme/shapes.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "numerics/dgcvs/solver.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/catalogue.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::periodic;

const std::string open_sides = "boundary: {left: open, right: open, bottom: open, top: open}, ";

Case burgers(const std::string& mesh, const std::string& sides, const std::string& more = "") {
  return dgcvs_case("equation: burgers, mesh: {cells: [12, 9]" + mesh + "}, " + sides + "initial: '0.5 + 0.1*x'",
                    "order: 3, final_time: 0.1" + more);
}

Case water(const std::string& mesh, const std::string& sides) {
  return dgcvs_case(
      "equation: shallow_water, mesh: {cells: [7, 5]" + mesh + "}, " + sides + "initial: {h: 1, hu: 0, hv: 0}",
      "order: 2, final_time: 0.1");
}

/// Rows of an array of shapes at a lane.
std::vector<double> at_lane(const LevelArrays& arrays, const std::vector<double>& array, std::int64_t lane) {
  std::vector<double> values;
  for (auto at = static_cast<std::size_t>(arrays.shape_lane(lane)); at < array.size();
       at += static_cast<std::size_t>(arrays.shape_stride))
    values.push_back(array[at]);
  return values;
}

/// The integral of X^i Y^j over a shape, point by point.
double integral_of(const std::vector<double>& geometry, int i, int j) {
  double sum = 0.0;
  for (std::size_t first = 0; first < geometry.size(); first += dgcvs_geometry) {
    const double* g = geometry.data() + first;
    visit_quad(std::array{Point{0, 0}, Point{g[0], g[1]}, Point{g[2], g[3]}, Point{g[4], g[5]}}, gauss_rule(12),
               [&](Point at, double weight) { sum += weight * std::pow(at.x, i) * std::pow(at.y, j); });
  }
  return sum;
}

TEST(DgShapes, AreThoseOfEachEntityWhereverTheyLie) {
  for (const char* mesh : {"", ", perturb: 0.2", ", shape: tri", ", shape: tri, perturb: 0.2"}) {
    for (const std::string& sides : {periodic, open_sides}) {
      const DgSetup setup(burgers(mesh, sides));
      for (const EntityKind kind : {EntityKind::cells, EntityKind::vertices}) {
        const LevelArrays arrays(setup, kind);
        const EntityShapes shapes(setup, kind, arrays.slots, arrays.whole);
        for (std::int64_t lane = 0; lane < arrays.lanes.stride; ++lane) {
          const EntityShape shape = shapes.of(arrays.lanes.entity(lane));
          ASSERT_EQ(at_lane(arrays, arrays.geometry, lane), shape.geometry) << mesh << lane;
          ASSERT_EQ(at_lane(arrays, arrays.factor, lane), shape.factor) << mesh << lane;
          ASSERT_EQ(at_lane(arrays, arrays.moments, lane), shape.moments) << mesh << lane;
          ASSERT_NEAR(shape.moments[spatial_place(1, 1)], integral_of(shape.geometry, 0, 1), 1e-13) << mesh << lane;
          ASSERT_NEAR(shape.moments[spatial_place(3, 1)], integral_of(shape.geometry, 2, 1), 1e-13) << mesh << lane;
        }
      }
    }
  }
}

TEST(DgShapes, AreKeptOnceWhereInnerEntitiesAreCongruent) {
  const auto shapes_of_cells = [](const Case& the_case) {
    const LevelArrays arrays(DgSetup(the_case), EntityKind::cells);
    EXPECT_EQ(arrays.geometry.size(), static_cast<std::size_t>(arrays.slots * dgcvs_geometry * arrays.shape_stride));
    return arrays.shape_mask < 0 ? arrays.lanes.stride : arrays.shape_stride;
  };
  EXPECT_EQ(shapes_of_cells(burgers("", periodic)), entity_group);
  const Case apart = burgers("", open_sides, ", entities: boundary_last");
  EXPECT_EQ(shapes_of_cells(apart), entity_group + LevelArrays(DgSetup(apart), EntityKind::cells).face_stride);
  EXPECT_GE(shapes_of_cells(burgers(", perturb: 0.1", periodic)), 108);
  EXPECT_GE(shapes_of_cells(burgers(", shape: tri", periodic)), 216);
  EXPECT_GE(shapes_of_cells(burgers("", periodic, ", limiter: indicator")), 108) << "a limiter looks at those around";
  for (const char* together : {"", ", entities: mesh_order"})
    EXPECT_GE(shapes_of_cells(burgers("", open_sides, together)), 108) << "all are as those of the boundary";
}

/// Area of what quadrilateral_of() gives.
double area_of(const std::vector<double>& region) {
  const double* a = region.data() + 2;
  return (a[0] * a[3] - a[2] * a[1] + a[2] * a[5] - a[4] * a[3]) / 2;
}

TEST(DgShapes, OfWaterAreRegionsWhereThoseOfAllEntitiesAreQuadrilaterals) {
  const auto expect_regions = [](const Case& the_case, EntityKind kind, bool expected) {
    const LevelArrays arrays(DgSetup(the_case), kind);
    ASSERT_EQ(arrays.whole, expected);
    EXPECT_EQ(std::ssize(arrays.region), expected ? dgcvs_region * arrays.shape_stride : 0);
    for (std::int64_t lane = 0; expected && lane < arrays.lanes.stride; ++lane)
      EXPECT_NEAR(area_of(at_lane(arrays, arrays.region, lane)), at_lane(arrays, arrays.moments, lane)[0], 1e-14);
  };
  for (const std::string& sides : {periodic, open_sides}) {
    for (const EntityKind kind : {EntityKind::cells, EntityKind::vertices}) {
      expect_regions(water("", sides), kind, true);
      expect_regions(water(", perturb: 0.1", sides), kind, kind == EntityKind::cells);
      expect_regions(water(", shape: tri", sides), kind, false);
      expect_regions(burgers("", sides), kind, false);  // its volume term goes by moments
    }
  }
}

TEST(DgShapes, AreTheSameMeshHoweverTheyLie) {
  const auto hash = [](const std::string& more) {
    return mesh_sha256(LevelArrays(DgSetup(burgers("", periodic, more)), EntityKind::cells));
  };
  EXPECT_EQ(hash(""), hash(", limiter: indicator"));
  EXPECT_NE(hash(""), mesh_sha256(LevelArrays(DgSetup(burgers(", perturb: 0.1", periodic)), EntityKind::cells)));
}

}  // namespace
}  // namespace quoin
