#include "mesh/staggered.hpp"

#include <algorithm>
#include <limits>

#include "mesh/rectangle.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::count_edges;
using test::expect_sound;
using test::refusal;
using testing::HasSubstr;

Rectangle square(std::int64_t k) { return {{-1, -1}, {1, 1}, k, k}; }

TEST(MeshRectangle, CountsOfQuads) {
  for (const auto& [k, edges] : {std::pair{10, 220U}, {20, 840U}, {40, 3280U}}) {
    const Mesh mesh = make_rectangle(square(k));
    EXPECT_EQ(mesh.cell_count(), k * k);
    EXPECT_EQ(mesh.vertex_count(), (k + 1) * (k + 1));
    EXPECT_EQ(count_edges(mesh), edges);
    EXPECT_EQ(mesh.boundary.size(), 4U * k);
  }
}

TEST(MeshRectangle, TrianglesAreCutFromLowerLeftToUpperRight) {
  Rectangle rectangle{{0, 0}, {2, 1}, 2, 1};
  rectangle.cells = RectangleCells::tri;
  const Mesh mesh = make_rectangle(rectangle);
  EXPECT_EQ(mesh.corners, (std::vector<std::int64_t>{0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4}));
  EXPECT_EQ(count_edges(mesh), 9U);
}

TEST(MeshRectangle, EdgesOfTheBoundaryFollowTheirCells) {
  for (const RectangleCells cells : {RectangleCells::quad, RectangleCells::tri}) {
    Rectangle rectangle{{0, 1}, {4, 3}, 3, 2};
    rectangle.cells = cells;
    const Mesh mesh = make_rectangle(rectangle);
    EXPECT_THAT(mesh.sides, testing::ElementsAre("left", "right", "bottom", "top"));
    EXPECT_EQ(mesh.boundary.size(), 10U);
    for (const BoundaryEdge& edge : mesh.boundary) {
      const auto corners = mesh.cell(edge.cell);
      const auto from = std::find(corners.begin(), corners.end(), edge.from);
      ASSERT_NE(from, corners.end());
      EXPECT_EQ(from + 1 == corners.end() ? corners.front() : from[1], edge.to);
      const Point middle = midpoint(mesh.vertices[edge.from], mesh.vertices[edge.to]);
      const std::array<double, 4> off{middle.x - 0, middle.x - 4, middle.y - 1, middle.y - 3};
      EXPECT_EQ(off.at(edge.side), 0);
    }
  }
}

TEST(MeshRectangle, MovesInteriorVerticesAloneAndKeepsEveryCellConvex) {
  Rectangle rectangle{{-1, -1}, {1, 1}, 40, 20};
  const Mesh plain = make_rectangle(rectangle);
  rectangle.perturb = 0.449;
  for (const RectangleCells cells : {RectangleCells::quad, RectangleCells::tri}) {
    rectangle.cells = cells;
    const Mesh mesh = make_rectangle(rectangle);
    int moved = 0;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const Point by = mesh.vertices[v] - plain.vertices[v];
      EXPECT_LE(std::abs(by.x) / 0.05 + std::abs(by.y) / 0.1, 0.449 + 1e-12);
      moved += by.x != 0 ? 1 : 0;
      const Point at = plain.vertices[v];
      if (std::abs(at.x) == 1 || std::abs(at.y) == 1) {
        EXPECT_EQ(distance(by, {}), 0);
      }
    }
    EXPECT_EQ(moved, 39 * 19);
    expect_sound(mesh, make_staggered(mesh), 4);
  }
}

TEST(MeshRectangle, IsTheSameOnEveryMachine) {
  Rectangle rectangle{{0, 0}, {4, 4}, 4, 4};
  rectangle.perturb = 0.2;
  const Mesh mesh = make_rectangle(rectangle);
  EXPECT_DOUBLE_EQ(mesh.vertices[6].x, 1.0695623601122037);
  EXPECT_DOUBLE_EQ(mesh.vertices[6].y, 0.9620781215200971);
}

TEST(MeshRectangle, RefusesWhatIsNoMesh) {
  const auto refused = [](Rectangle rectangle) { return refusal([&] { make_rectangle(rectangle); }); };
  EXPECT_THAT(refused({{0, 0}, {0, 1}}), HasSubstr("the rectangle from (0, 0) to (0, 1) is empty"));
  EXPECT_THAT(refused({{0, 0}, {1, std::numeric_limits<double>::quiet_NaN()}}), HasSubstr("is empty"));
  EXPECT_THAT(refused({{0, 0}, {1, 1}, 0, 3}), HasSubstr("0 by 3 cells"));
  EXPECT_THAT(refused(square(std::int64_t{1} << 32)), HasSubstr("at most 2147483648"));
  EXPECT_THAT(refused({{0, 0}, {1, 1}, 2, 2, RectangleCells::quad, 0.45}), HasSubstr("below 0.45"));
}

TEST(MeshStaggered, QuadsAndTriangles) {
  for (const RectangleCells cells : {RectangleCells::quad, RectangleCells::tri}) {
    Rectangle rectangle{{0, 0}, {3, 2}, 6, 5};
    rectangle.cells = cells;
    const Mesh mesh = make_rectangle(rectangle);
    const Staggered staggered = make_staggered(mesh);
    expect_sound(mesh, staggered, 6);
    EXPECT_EQ(staggered.vertices.count(), 42);
    EXPECT_EQ(staggered.vertices.boundary, 22);
    EXPECT_EQ(staggered.cells.boundary, cells == RectangleCells::quad ? 18 : 20);
  }
}

TEST(MeshStaggered, IsSoundWhereThreadsShareTheWork) {
  for (const RectangleCells cells : {RectangleCells::quad, RectangleCells::tri}) {
    Rectangle rectangle{{0, 0}, {2, 1}, 260, 130, cells, 0.2};
    const Mesh mesh = make_rectangle(rectangle);
    const Staggered staggered = make_staggered(mesh);
    expect_sound(mesh, staggered, 2);
    const auto bad = [](double, double, double, double, std::int64_t c) {
      return c == 9000 || c == 30000 ? -1.0 : 1.0;
    };
    const Point first = midpoint(staggered.quads[staggered.cells.quads_of(9000)[0]].corners[0],
                                 staggered.quads[staggered.cells.quads_of(9000)[1]].corners[0]);
    EXPECT_THAT(refusal([&] { time_step(staggered, bad); }), HasSubstr(describe(first)));
  }
}

TEST(MeshStaggered, TheSubQuadOfASquare) {
  const Staggered staggered = make_staggered(make_rectangle({{0, 0}, {2, 2}}));
  ASSERT_EQ(staggered.quads.size(), 4U);
  const SubQuad& quad = staggered.quads[2];
  EXPECT_EQ(quad.vertex, 3);
  const std::array<Point, 4> expected{Point{2, 2}, {1, 2}, {1, 1}, {2, 1}};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(distance(quad.corners[k], expected[k]), 0);
  EXPECT_EQ(quad.side01, 3);
  EXPECT_EQ(quad.side30, 1);
  EXPECT_DOUBLE_EQ(staggered.cells.length[0], 1);
  EXPECT_DOUBLE_EQ(staggered.vertices.length[0], 0.5);
}

TEST(MeshStaggered, RowsStayRowsWithTheBoundaryLast) {
  const Mesh mesh = make_rectangle(square(4));
  const Staggered staggered = make_staggered(mesh);
  EXPECT_EQ(staggered.cells.boundary, 12);
  EXPECT_THAT(staggered.cells.origin, testing::ElementsAre(5, 6, 9, 10, 0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15));
  const Staggered plain = make_staggered(mesh, EntityOrder::mesh_order);
  EXPECT_EQ(plain.cells.boundary, 12);
  EXPECT_TRUE(std::is_sorted(plain.cells.origin.begin(), plain.cells.origin.end()));
  EXPECT_TRUE(std::is_sorted(plain.vertices.origin.begin(), plain.vertices.origin.end()));
}

TEST(MeshStaggered, TheHilbertCurveGoesFromNeighbourToNeighbour) {
  Mesh mesh = make_rectangle(square(16));
  mesh.row_by_row = false;
  const Staggered staggered = make_staggered(mesh, EntityOrder::mesh_order);
  for (std::int64_t c = 1; c < staggered.cells.count(); ++c)
    EXPECT_NEAR(distance(staggered.cells.centre[c - 1], staggered.cells.centre[c]), 0.125, 1e-12);
  expect_sound(mesh, make_staggered(mesh), 4);
}

TEST(MeshStaggered, TheTimeStepIsTheSquaresOwn) {
  Rectangle rectangle = square(10);
  const Staggered squares = make_staggered(make_rectangle(rectangle));
  const auto advection = [](double, double, double nx, double ny, std::int64_t) { return std::abs(nx + 0.5 * ny); };
  EXPECT_NEAR(time_step(squares, advection), 0.2 / 1.5, 1e-14);
  // Half the area, and the flow through the diagonal in place of that through two of its sides.
  rectangle.cells = RectangleCells::tri;
  EXPECT_NEAR(time_step(make_staggered(make_rectangle(rectangle)), advection), 0.02 / (0.5 * 0.2 * (1 + 0.5 + 0.5)),
              1e-14);
  EXPECT_EQ(time_step(squares, [](auto...) { return 0.0; }), std::numeric_limits<double>::infinity());
  // Only the cell in the lower left corner has speed.
  EXPECT_NEAR(time_step(squares, [](double x, double y, auto...) { return x < -0.8 && y < -0.8 ? 2.0 : 0.1; }),
              0.04 / (0.5 * 0.2 * (2 + 2 + 0.1 + 0.1)), 1e-14);
}

TEST(MeshStaggered, RefusesAWaveSpeedThatIsNone) {
  const Staggered staggered = make_staggered(make_rectangle(square(2)));
  EXPECT_THAT(refusal([&] {
                time_step(staggered,
                          [](double x, auto...) { return x > 0 ? std::numeric_limits<double>::infinity() : 1; });
              }),
              HasSubstr("the wave speed at (0.5, -1) is inf"));
}

}  // namespace
}  // namespace quoin
