#include "mesh/refine.hpp"

#include <filesystem>

#include "mesh/checks.hpp"
#include "mesh/edges.hpp"
#include "mesh/gmsh.hpp"
#include "mesh/periodic.hpp"
#include "mesh/rectangle.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::count_edges;
using test::expect_sound;
using test::refusal;
using testing::HasSubstr;

Mesh shipped(const char* name) {
  return read_gmsh(std::filesystem::path(QUOIN_SOURCE_DIR) / "configs/dgcvs/meshes" / name);
}

TEST(MeshRefine, TheShippedTriangles) {
  struct Level {
    std::int64_t cells, vertices;
    std::size_t edges;
  };
  const auto expect = [](const char* name, std::initializer_list<Level> levels) {
    Mesh mesh = shipped(name);
    EXPECT_THAT(mesh.sides, testing::ElementsAre("left", "right", "bottom", "top"));
    std::size_t boundary = 40;
    for (const Level& level : levels) {
      EXPECT_EQ(mesh.cell_count(), level.cells);
      EXPECT_EQ(mesh.vertex_count(), level.vertices);
      EXPECT_EQ(count_edges(mesh), level.edges);
      EXPECT_EQ(mesh.boundary.size(), boundary);
      check_mesh(mesh);
      expect_sound(mesh, make_staggered(mesh), 4);
      mesh = refine(mesh, 1);
      boundary *= 2;
    }
  };
  expect("tri-adv-10.msh", {{256, 149, 404}, {1024, 553, 1576}, {4096, 2129, 6224}});
  expect("tri-burgers-10.msh", {{240, 141, 380}, {960, 521, 1480}, {3840, 2001, 5840}});
}

TEST(MeshRefine, KeepsSidesAndNames) {
  for (const RectangleCells cells : {RectangleCells::quad, RectangleCells::tri}) {
    Rectangle rectangle{{0, 0}, {2, 1}, 2, 1};
    rectangle.cells = cells;
    const Mesh coarse = make_rectangle(rectangle);
    const Mesh mesh = refine(coarse, 2);
    EXPECT_EQ(mesh.cell_count(), 16 * coarse.cell_count());
    EXPECT_EQ(count_edges(mesh), cells == RectangleCells::quad ? 76U : 108U);
    check_mesh(mesh);
    EXPECT_EQ(mesh.boundary.size(), 24U);
    for (const BoundaryEdge& edge : mesh.boundary) {
      const Point middle = midpoint(mesh.vertices[edge.from], mesh.vertices[edge.to]);
      const std::array<double, 4> off{middle.x, middle.x - 2, middle.y, middle.y - 1};
      EXPECT_EQ(off.at(edge.side), 0);
      EXPECT_EQ(mesh.corners[mesh.corner_of(edge)], edge.from);
    }
    EXPECT_EQ(name_of_cell(mesh, 15), 1);
    EXPECT_EQ(name_of_cell(mesh, 16), 2);
    EXPECT_EQ(describe_vertex(mesh, 1), "vertex 2 at (1, 0)");
    EXPECT_THAT(describe_vertex(mesh, 20), HasSubstr("the vertex at ("));
    EXPECT_THAT(describe_cell(mesh, 16), HasSubstr("cell 2 around ("));
  }
}

TEST(MeshRefine, QuadsOfASquareAreThoseOfTheFinerSquare) {
  const Mesh coarse = refine(make_rectangle({{-1, -1}, {1, 1}, 10, 10}), 2);
  EXPECT_EQ(count_edges(coarse), 3280U);
  const Staggered staggered = make_staggered(coarse);
  for (const double area : staggered.cells.area) EXPECT_NEAR(area, 0.0025, 1e-15);
}

TEST(MeshRefine, RefusesTooManyCells) {
  const Mesh mesh = make_rectangle({{0, 0}, {1, 1}, 2, 2});
  EXPECT_THAT(refusal([&] { refine(mesh, 40); }),
              HasSubstr("4 cells refined 40 times are more than the 2147483648 that a mesh may have"));
  Mesh joined = mesh;
  match_periodic(joined, "left", "right");
  EXPECT_THAT(refusal(ErrorKind::bug, [&] { refine(joined, 1); }), HasSubstr("periodic"));
}

}  // namespace
}  // namespace quoin
