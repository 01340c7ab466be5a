#include "mesh/checks.hpp"

#include "mesh/edges.hpp"
#include "mesh/rectangle.hpp"
#include "mesh/refine.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::expect_sound;
using test::refusal;
using testing::AllOf;
using testing::HasSubstr;

/// A mesh by hand, with one side all around.
Mesh mesh_of(std::vector<Point> vertices, const std::vector<std::vector<std::int64_t>>& cells) {
  Mesh mesh;
  mesh.source = "plate.msh";
  mesh.vertices = std::move(vertices);
  for (const auto& cell : cells) mesh.add_cell(cell);
  mesh.sides = {"wall"};
  return mesh;
}

Mesh bounded(Mesh mesh) {
  mesh.boundary = find_boundary(mesh);
  for (BoundaryEdge& edge : mesh.boundary) edge.side = 0;
  return mesh;
}

std::string refused(const Mesh& mesh) {
  return refusal([&] { check_mesh(mesh); });
}

TEST(MeshChecks, AcceptsWhatIsSound) {
  const Mesh mixed = bounded(mesh_of({{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0.5, 2}},
                                     {{0, 1, 4, 3}, {1, 2, 5}, {1, 5, 4}, {3, 4, 6}}));
  check_mesh(mixed);
  expect_sound(mixed, make_staggered(mixed), 2.5);
  const Mesh fine = refine(mixed, 2);
  check_mesh(fine);
  expect_sound(fine, make_staggered(fine), 2.5);
  check_mesh(make_rectangle({{0, 0}, {1, 1}, 7, 5, RectangleCells::tri, 0.4}));
}

TEST(MeshChecks, ASlitIsABoundary) {
  // Vertices 1 and 8 lie on the two banks of a slit from the left side to the middle, vertex 4.
  const Mesh mesh = bounded(mesh_of({{0, 0}, {0, 1}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {0, 1}, {0, 2}},
                                    {{0, 2, 4, 1}, {2, 3, 5, 4}, {4, 5, 6, 7}, {8, 4, 7, 9}}));
  check_mesh(mesh);
  const Staggered staggered = make_staggered(mesh);
  expect_sound(mesh, staggered, 4);
  EXPECT_EQ(staggered.vertices.boundary, 10);
}

// row 8
TEST(MeshChecks, RefusesCellsThatAreNotConvex) {
  EXPECT_THAT(refused(mesh_of({{0, 0}, {1, 0}, {0.2, 0.2}, {0, 1}}, {{0, 1, 2, 3}})),
              AllOf(HasSubstr("plate.msh: cell 1 around (0.3, 0.3)"), HasSubstr("vertex 3 at (0.2, 0.2)"),
                    HasSubstr("must be convex")));
  EXPECT_THAT(refused(mesh_of({{0, 0}, {1, 0}, {2, 0}}, {{0, 1, 2}})), HasSubstr("flat"));
  EXPECT_THAT(refused(mesh_of({{0, 0}, {1, 0}, {0, 1}}, {{0, 2, 1}})), HasSubstr("Jacobian -"));
  EXPECT_THAT(refused(mesh_of({{0, 0}, {1e200, 0}, {0, 1e200}}, {{0, 1, 2}})), HasSubstr("Jacobian"));
}

TEST(MeshChecks, RefusesDuplicatesAndOverlaps) {
  const std::vector<Point> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 2}};
  EXPECT_THAT(refused(mesh_of(square, {{0, 1, 2}, {3, 2, 4}, {1, 2, 0}})),
              HasSubstr("plate.msh: cell 1 around (0.6666666667, 0.3333333333) is there twice, also as cell 3"));
  EXPECT_THAT(refused(mesh_of(square, {{0, 1, 2}, {0, 1, 3}})),
              AllOf(HasSubstr("cell 1"), HasSubstr("cell 2"), HasSubstr("overlap"),
                    HasSubstr("the edge between vertex 1 at (0, 0) and vertex 2 at (1, 0)")));
}

TEST(MeshChecks, RefusesVerticesInNoCell) {
  EXPECT_THAT(refused(bounded(mesh_of({{0, 0}, {1, 0}, {7, 7}, {0, 1}}, {{0, 1, 3}}))),
              HasSubstr("vertex 3 at (7, 7) belongs to no cell"));
}

// row 8
TEST(MeshChecks, RefusesHangingNodes) {
  const Mesh mesh = bounded(mesh_of({{0, 0}, {1, 0}, {1, 2}, {0, 2}, {1, 1}, {2, 0}, {2, 1}, {2, 2}},
                                    {{0, 1, 2, 3}, {1, 5, 6, 4}, {4, 6, 7, 2}}));
  EXPECT_THAT(
      refused(mesh),
      HasSubstr("plate.msh: vertex 5 at (1, 1) hangs on the edge between vertex 2 at (1, 0) and vertex 3 at (1, "
                "2) of cell 1 around (0.5, 1)"));
}

// row 8
TEST(MeshChecks, RefusesEdgesOnNoSide) {
  Mesh mesh = make_rectangle({{0, 0}, {2, 1}, 2, 1});
  mesh.boundary[1].side = -1;
  EXPECT_THAT(refused(mesh), AllOf(HasSubstr("between vertex 1 at (0, 0) and vertex 2 at (1, 0)"),
                                   HasSubstr("belongs to no named side; put it into a physical curve")));
  for (BoundaryEdge& edge : mesh.boundary) edge.side = -1;
  EXPECT_THAT(refused(mesh), HasSubstr("belongs to no named side, like 5 more; put"));
}

TEST(MeshChecks, RefusesADomainThatTouchesItself) {
  EXPECT_THAT(refused(bounded(mesh_of({{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}}, {{0, 1, 2}, {0, 3, 4}}))),
              HasSubstr("the domain touches itself at vertex 1 at (0, 0)"));
}

}  // namespace
}  // namespace quoin
