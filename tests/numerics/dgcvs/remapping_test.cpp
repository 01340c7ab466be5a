// Entities of the boundary among the others or apart from them: the same bits of every polynomial.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

#include "numerics/dgcvs/solver.hpp"
#include "problems/dgcvs/scheme/faces.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

using test::dgcvs_case;
using test::DgSolved;
using ::testing::HasSubstr;

constexpr std::array<const char*, 4> ways{"boundary_last", "boundary_last_together", "mesh_order",
                                          "mesh_order_indexed"};

// Cells on the boundary in some groups, in none and in all of them; rows of the mesh, and triangles along a curve.
const std::string sine_between_sides =
    "equation: {type: advection, velocity: [1, 0.3]}, mesh: {cells: [21, 6]}, boundary: {left: {type: dirichlet, "
    "value: 'sin(2*pi*(x-t))'}, right: open, bottom: {type: dirichlet, value: 'sin(2*pi*(x-t))'}, top: open}, initial: "
    "'sin(2*pi*x)'";
const std::string waves_between_sides =
    "equation: burgers, mesh: {cells: [9, 7], shape: tri}, boundary: {left: {type: dirichlet, value: 0.5}, right: "
    "open, bottom: periodic, top: periodic}, initial: '0.5 + 0.2*x*(1-x)'";
const std::string water_in_a_box =
    "equation: {type: shallow_water, gravity: 1}, mesh: {cells: [12, 3], perturb: 0.2}, boundary: {left: wall, right: "
    "open, bottom: wall, top: wall}, initial: {h: '1 + 0.1*x', hu: '0', hv: '0'}";  // with zeros that have a sign
const std::string strip_of_sides =
    "equation: {type: advection, velocity: [1, 0.3]}, mesh: {cells: [24, 2]}, boundary: {left: periodic, right: "
    "periodic, bottom: {type: dirichlet, value: 'sin(2*pi*(x-t))'}, top: open}, initial: 'sin(2*pi*x)'";

/// The bits of the polynomial of each cell by its centre.
std::map<std::array<double, 2>, std::vector<std::uint64_t>> polynomials(const std::string& problem,
                                                                        const std::string& method, const char* way) {
  const DgSolved solved = solve(dgcvs_case(problem, method + ", entities: " + way));
  EXPECT_EQ(solved.last.status, Status::completed);
  const auto array = [&](const char* name) -> const std::vector<double>& {
    return std::get<std::vector<double>>(std::ranges::find(solved.cells.data, name, &NamedArray::name)->values);
  };
  const std::vector<double>& coefficients = array("coefficients");
  const std::vector<double>& centre = array("centre");
  const std::size_t row = coefficients.size() / (centre.size() / 2);
  std::map<std::array<double, 2>, std::vector<std::uint64_t>> found;
  for (std::size_t cell = 0; 2 * cell < centre.size(); ++cell)
    for (std::size_t n = 0; n < row; ++n)
      found[{centre[2 * cell], centre[2 * cell + 1]}].push_back(
          std::bit_cast<std::uint64_t>(coefficients[cell * row + n]));
  return found;
}

void expect_same_bits(const std::string& problem, const std::string& method) {
  const auto apart = polynomials(problem, method, ways[0]);
  for (std::size_t way = 1; way < ways.size(); ++way)
    EXPECT_EQ(polynomials(problem, method, ways[way]), apart) << ways[way];
}

class DgRemappingOfOrders : public ::testing::TestWithParam<int> {
 protected:
  [[nodiscard]] std::string method(const char* more = "") const {
    return "order: " + std::to_string(GetParam()) + ", final_time: 0.1, solver: sweeps" + more;
  }
};

TEST_P(DgRemappingOfOrders, KeepsTheBitsOfAdvection) { expect_same_bits(sine_between_sides, method()); }
TEST_P(DgRemappingOfOrders, KeepsTheBitsOfBurgers) { expect_same_bits(waves_between_sides, method()); }
TEST_P(DgRemappingOfOrders, KeepsTheBitsOfShallowWater) { expect_same_bits(water_in_a_box, method()); }
INSTANTIATE_TEST_SUITE_P(Orders, DgRemappingOfOrders, ::testing::Values(1, 2, 3));

TEST(DgRemapping, KeepsTheBitsOfOtherMethods) {
  expect_same_bits(strip_of_sides, "order: 1, final_time: 0.1, solver: sweeps, precision: float");
  expect_same_bits(sine_between_sides, "order: 2, final_time: 0.1, solver: sweeps, loops: split");
  expect_same_bits(waves_between_sides, "order: 1, final_time: 0.1, limiter: always");
  expect_same_bits(water_in_a_box, "order: 1, final_time: 0.1, limiter: indicator, limiter_threshold: 0.001");
}

TEST(DgRemapping, KeepsTheBitsWithoutABoundaryOrWithNothingElse) {
  expect_same_bits("equation: burgers, mesh: {cells: [5, 4]}, " + test::periodic + "initial: '0.25+0.1*sin(2*pi*x)'",
                   "order: 1, final_time: 0.1");
  expect_same_bits(
      "equation: burgers, mesh: {cells: [5, 1]}, boundary: {left: open, right: open, bottom: open, top: "
      "open}, initial: '0.5 + 0.1*x'",
      "order: 1, final_time: 0.1");
}

/// The launches of a half step as ranges of lanes, and the order of a device in them.
std::vector<std::int64_t> visited(const LevelArrays& arrays, bool together) {
  const EntityLanes& lanes = arrays.lanes;
  std::vector<std::int64_t> order(static_cast<std::size_t>(lanes.first_ghost));
  std::iota(order.begin(), order.end(), 0);
  if (together && !arrays.sequence.empty()) std::copy_n(arrays.sequence.begin(), order.size(), order.begin());
  return order;
}

TEST(DgRemapping, VisitsEachEntityOnceWithItsFaces) {
  for (const std::string& problem : {sine_between_sides, waves_between_sides, water_in_a_box, strip_of_sides}) {
    for (const char* way : ways) {
      SCOPED_TRACE(way);
      const DgSetup setup(dgcvs_case(problem, std::string("order: 1, final_time: 0.1, entities: ") + way));
      for (const EntityKind kind : {EntityKind::cells, EntityKind::vertices}) {
        const LevelArrays arrays(setup, kind);
        const EntityLanes& lanes = arrays.lanes;
        ASSERT_EQ(arrays.face_lane.empty(), !setup.method.together);
        ASSERT_EQ(arrays.sequence.empty(), !setup.method.indexed);
        const auto has_faces = [&](std::int64_t lane) {
          return setup.method.together ? arrays.face_lane[static_cast<std::size_t>(lane)] >= 0
                                       : lane >= lanes.first_boundary;
        };
        std::vector<std::int64_t> order = visited(arrays, setup.method.together);
        if (way != ways[2]) {
          EXPECT_TRUE(std::ranges::is_partitioned(order, [&](std::int64_t lane) { return !has_faces(lane); }));
        }
        std::ranges::sort(order);
        for (std::size_t lane = 0; lane < order.size(); ++lane)
          ASSERT_EQ(order[lane], static_cast<std::int64_t>(lane)) << "each lane once";
        for (std::int64_t e = 0; e < lanes.part.count(); ++e) {
          const std::int64_t lane = lanes.of(e);
          ASSERT_LT(lane, lanes.first_ghost);
          const std::vector<EntityFace> faces = faces_of(setup.staggered, kind, e);
          ASSERT_EQ(has_faces(lane), !faces.empty()) << e;
          if (faces.empty()) continue;
          const std::int64_t at =
              setup.method.together ? arrays.face_lane[static_cast<std::size_t>(lane)] : lane - lanes.first_boundary;
          for (std::int64_t k = 0; k < arrays.faces; ++k) {
            const HalfFace& half = arrays.half_faces[static_cast<std::size_t>(k * arrays.face_stride + at)];
            const bool used = k < std::ssize(faces);
            ASSERT_EQ(half.side, used ? faces[static_cast<std::size_t>(k)].half.side : HalfFace{}.side) << e;
          }
        }
      }
    }
  }
}

/// Packs compute a group at once: its lanes of faces follow each other.
TEST(DgRemapping, KeepsTheFacesOfAGroupTogether) {
  const DgSetup setup(dgcvs_case(sine_between_sides, "order: 1, final_time: 0.1, entities: mesh_order"));
  const LevelArrays arrays(setup, EntityKind::cells);
  std::int64_t without = 0;
  for (std::size_t first = 0; first + entity_group <= arrays.face_lane.size(); first += entity_group) {
    std::vector<std::int64_t> lanes;
    for (std::size_t k = first; k < first + entity_group; ++k)
      lanes.push_back(arrays.face_lane[k] < 0 ? -1 - arrays.face_lane[k] : arrays.face_lane[k]);
    without += lanes.front() == lanes.back() ? 1 : 0;
    if (lanes.front() != lanes.back()) {
      EXPECT_EQ(lanes.back(), lanes.front() + entity_group - 1);
    }
  }
  EXPECT_GT(without, 0) << "groups inside have none";
}

TEST(DgRemapping, GoesWithSweepsAlone) {
  for (const char* solver : {"newton", "matrices"}) {
    try {
      const DgSetup setup(dgcvs_case(
          sine_between_sides, std::string("order: 1, final_time: 0.1, entities: mesh_order, solver: ") + solver));
      FAIL() << solver;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::case_file);
      EXPECT_THAT(error.what(), HasSubstr("mesh_order has one launch for all entities"));
      EXPECT_THAT(error.what(), HasSubstr("use boundary_last, or method.solver: sweeps"));
    }
  }
}

}  // namespace
}  // namespace quoin
