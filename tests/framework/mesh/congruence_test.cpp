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

/// Sub-quads of an entity whose outline goes through these points, from A of the first one to C of the last.
std::vector<double> shape_around(const std::vector<Point>& outline) {
  std::vector<double> shape;
  for (std::size_t k = 0; k + 2 < outline.size(); k += 2) {
    for (const Point corner : {outline[k], outline[k + 1], outline[k + 2]})
      shape.insert(shape.end(), {corner.x, corner.y});
    shape.push_back(1.0);
  }
  return shape;
}

TEST(MeshCongruence, SubQuadsMakeUpAQuadrilateralWhereTheOutlineHasFourCorners) {
  using Values = std::vector<double>;
  const std::vector<Point> whole{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
  const auto first = [&](std::ptrdiff_t count) { return std::vector<Point>(whole.begin(), whole.begin() + count); };
  EXPECT_EQ(quadrilateral_of(shape_around(whole)), (Values{1, 1, -2, 0, -2, -2, 0, -2}));
  EXPECT_EQ(quadrilateral_of(shape_around(first(5))), (Values{1, 0, 0, 1, -2, 1, -2, 0})) << "a side, two sub-quads";
  EXPECT_EQ(quadrilateral_of(shape_around(first(3))), (Values{1, 0, 0, 1, -1, 1, -1, 0})) << "a corner";
  EXPECT_EQ(quadrilateral_of(shape_around(first(7))), Values{}) << "a corner that goes in";
  EXPECT_EQ(quadrilateral_of(shape_around({{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {0, -1}, {0.5, -0.5}, {1, 0}})), Values{})
      << "five corners";
  EXPECT_EQ(quadrilateral_of(shape_around({{1, 0}, {1, 1}, {0, 0.9}, {-1, 1}, {-1, 0}})), Values{}) << "a dent";
  Values with_unused = shape_around(whole);
  with_unused.resize(with_unused.size() + shape_values);
  EXPECT_EQ(quadrilateral_of(with_unused), quadrilateral_of(shape_around(whole)));
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
