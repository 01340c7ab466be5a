#include "mesh/congruence.hpp"

#include <array>

#include "mesh/rectangle.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

bool inside_alike(const Mesh& mesh, EntityKind kind) {
  const Staggered staggered = make_staggered(mesh);
  return all_congruent(staggered, kind, inner_entities(entities_of(staggered, kind), EntityOrder::boundary_last));
}

TEST(MeshCongruence, ShapesAreInUnitsOfTheirEntity) {
  const Staggered staggered = make_staggered(make_rectangle({{0, 0}, {4, 4}, 2, 2}));
  // A cell of length 1 sees the corner at its vertex 1 to the right and above; vertices have lengths of their own.
  const std::vector<double> cell = shape_of(staggered, EntityKind::cells, 0, 5);
  ASSERT_EQ(cell.size(), 35U);
  EXPECT_EQ(std::vector<double>(cell.begin(), cell.begin() + 6), (std::vector<double>{-1, 0, -1, -1, 0, -1}));
  EXPECT_EQ(std::vector<double>(cell.begin() + 28, cell.end()), std::vector<double>(7, 0.0));
}

TEST(MeshCongruence, SquaresAndRectanglesAreAlike) {
  for (const Point high : {Point{1, 1}, Point{3, 0.7}}) {
    const Mesh mesh = make_rectangle({{0, 0}, high, 30, 70});
    EXPECT_TRUE(inside_alike(mesh, EntityKind::cells));
    EXPECT_TRUE(inside_alike(mesh, EntityKind::vertices));
  }
}

TEST(MeshCongruence, TheTwoTrianglesOfASquareAreNot) {
  const Mesh mesh = make_rectangle({{0, 0}, {1, 1}, 20, 20, RectangleCells::tri});
  EXPECT_FALSE(inside_alike(mesh, EntityKind::cells));
  EXPECT_TRUE(inside_alike(mesh, EntityKind::vertices));  // each has six triangles around it, in the same order
}

TEST(MeshCongruence, OneVertexThatIsMovedIsSeen) {
  for (const double by : {1e-3, 1e-9}) {
    Mesh mesh = make_rectangle({{0, 0}, {64, 64}, 64, 64});
    mesh.vertices[65 * 40 + 31].x += by;
    EXPECT_FALSE(inside_alike(mesh, EntityKind::cells));
    EXPECT_FALSE(inside_alike(mesh, EntityKind::vertices));
  }
}

TEST(MeshCongruence, TheSameShapeInAnotherSizeIsNotTheSame) {
  for (const double side : {1.0, 2.0}) {
    Mesh mesh = make_rectangle({{0, 0}, {1, 1}});
    const auto corner = [&](double x, double y) {
      mesh.vertices.push_back({x, y});
      return mesh.vertex_count() - 1;
    };
    const std::array apart{corner(5, 5), corner(5 + side, 5), corner(5 + side, 5 + side), corner(5, 5 + side)};
    mesh.add_cell(apart);
    for (std::size_t k = 0; k < 4; ++k) mesh.boundary.push_back({apart[k], apart[(k + 1) % 4], 1, 0});
    const Staggered staggered = make_staggered(mesh);
    ASSERT_EQ(staggered.cells.count(), 2);
    EXPECT_EQ(shape_of(staggered, EntityKind::cells, 0, 4), shape_of(staggered, EntityKind::cells, 1, 4));
    EXPECT_EQ(all_congruent(staggered, EntityKind::cells, 2), side == 1.0);
  }
}

}  // namespace
}  // namespace quoin
