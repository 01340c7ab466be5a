#include "mesh/periodic.hpp"

#include <cmath>
#include <filesystem>

#include "mesh/checks.hpp"
#include "mesh/gmsh.hpp"
#include "mesh/rectangle.hpp"
#include "mesh/refine.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::expect_sound;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

Mesh torus(Mesh mesh) {
  match_periodic(mesh, "left", "right");
  match_periodic(mesh, "bottom", "top");
  return mesh;
}

TEST(MeshPeriodic, ASquareHasAsManyVerticesAsCells) {
  for (const std::int64_t k : {1, 2, 3, 10}) {
    for (const double perturb : {0.0, 0.3}) {
      const Mesh mesh = torus(make_rectangle({{-1, -1}, {1, 1}, k, k, RectangleCells::quad, perturb}));
      EXPECT_TRUE(mesh.boundary.empty());
      const Staggered staggered = make_staggered(mesh);
      EXPECT_EQ(staggered.cells.count(), k * k);
      EXPECT_EQ(staggered.vertices.count(), k * k);
      EXPECT_EQ(staggered.cells.boundary + staggered.vertices.boundary, 0);
      expect_sound(mesh, staggered, 4);
    }
  }
}

TEST(MeshPeriodic, PairsKnowTheirShift) {
  const Mesh mesh = torus(make_rectangle({{0, 0}, {3, 2}, 3, 2}));
  EXPECT_EQ(mesh.periodic.size(), 6U);
  for (const PeriodicVertex& pair : mesh.periodic) {
    EXPECT_LT(pair.representative, pair.vertex);
    EXPECT_EQ(distance(mesh.vertices[pair.representative] + pair.shift, mesh.vertices[pair.vertex]), 0);
  }
  const PeriodicVertex& corner = mesh.periodic.back();
  EXPECT_EQ(corner.vertex, 11);
  EXPECT_EQ(corner.representative, 0);
  EXPECT_EQ(distance(corner.shift, {3, 2}), 0);
}

TEST(MeshPeriodic, SubQuadsStayInTheFrameOfTheirCell) {
  const Mesh mesh = torus(make_rectangle({{0, 0}, {4, 4}, 4, 4}));
  for (const SubQuad& quad : make_staggered(mesh).quads)
    EXPECT_DOUBLE_EQ(distance(quad.corners[0], quad.corners[2]), std::sqrt(0.5));
}

TEST(MeshPeriodic, OneDirectionLeavesTheOtherSides) {
  Mesh mesh = make_rectangle({{0, 0}, {4, 3}, 4, 3, RectangleCells::tri});
  match_periodic(mesh, "right", "left");
  EXPECT_EQ(mesh.boundary.size(), 8U);
  const Staggered staggered = make_staggered(mesh);
  EXPECT_EQ(staggered.vertices.count(), 16);
  EXPECT_EQ(staggered.vertices.boundary, 8);
  expect_sound(mesh, staggered, 12);
}

TEST(MeshPeriodic, UnstructuredTriangles) {
  Mesh mesh = read_gmsh(std::filesystem::path(QUOIN_SOURCE_DIR) / "configs/dgcvs/meshes/tri-adv-10.msh");
  mesh = torus(refine(std::move(mesh), 1));
  const Staggered staggered = make_staggered(mesh);
  EXPECT_EQ(staggered.vertices.count(), 512);  // half the triangles, by Euler's formula on a torus
  expect_sound(mesh, staggered, 4);
}

TEST(MeshPeriodic, CurvedAndSlantedSides) {
  Mesh mesh = make_rectangle({{0, 0}, {2, 1}, 8, 6});
  for (Point& p : mesh.vertices) p = {p.x + 0.3 * std::sin(7 * p.y) + 1e-13, p.y + 0.2 * p.x};
  check_mesh(mesh);
  mesh = torus(mesh);
  EXPECT_EQ(make_staggered(mesh).vertices.count(), 48);
  expect_sound(mesh, make_staggered(mesh), test::total(make_staggered(mesh).cells.area));
}

TEST(MeshPeriodic, RefusesSidesThatDoNotMatch) {
  const Mesh sound = make_rectangle({{0, 0}, {2, 1}, 2, 2});
  const auto refused = [](Mesh mesh, const char* a, const char* b) {
    return refusal([&] { match_periodic(mesh, a, b); });
  };
  EXPECT_THAT(refused(sound, "left", "rigth"),
              HasSubstr("there is no side 'rigth' to be periodic; the sides are left, right, bottom and top"));
  EXPECT_THAT(refused(sound, "left", "left"), HasSubstr("periodic with itself"));
  EXPECT_THAT(refused(torus(sound), "left", "right"), HasSubstr("side 'left' is periodic already"));

  Mesh moved = sound;
  moved.vertices[5].y = 0.6;  // in the middle of the right side
  EXPECT_THAT(
      refused(moved, "left", "right"),
      AllOf(HasSubstr("the generated mesh: sides 'left' and 'right' do not match: vertex 4 at (0, 0.5) of 'left'"),
            HasSubstr("should meet a vertex of 'right' at (2, 0.5)"),
            HasSubstr("the nearest one, vertex 6 at (2, 0.6), is 0.1 away")));

  EXPECT_THAT(refused(sound, "left", "top"), HasSubstr("do not match: vertex"));
  // One vertex more on the right side: those of the left side all have partners.
  Mesh more = sound;
  more.vertices.push_back({2, 0.25});
  for (BoundaryEdge& edge : more.boundary)
    if (edge.side == 1 && edge.from == 2) edge.to = 9;
  more.boundary.push_back({9, 5, 1, 1});
  EXPECT_THAT(refused(more, "left", "right"), HasSubstr("vertex 10 at (2, 0.25) of 'right', moved by (-2, 0)"));
}

TEST(MeshPeriodic, RefusesSidesThatBoundTheDomainFromTheSameSide) {
  // Two squares side by side: the left side of the one is no partner for the left side of the other.
  Mesh mesh = make_rectangle({{0, 0}, {1, 1}});
  for (const Point p : {Point{2, 0}, {3, 0}, {2, 1}, {3, 1}}) mesh.vertices.push_back(p);
  mesh.add_cell(std::array<std::int64_t, 4>{4, 5, 7, 6});
  mesh.sides.emplace_back("other left");
  mesh.boundary.push_back({6, 4, 1, 4});
  EXPECT_THAT(refusal([&] { match_periodic(mesh, "left", "other left"); }),
              HasSubstr("has none opposite on 'other left' that bounds the domain from the other side"));
}

}  // namespace
}  // namespace quoin
