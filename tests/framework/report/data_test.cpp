// What a report reads: tables of numbers, polynomials of cells, fields as pixels.

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "output/field_files.hpp"
#include "quoin/error.hpp"
#include "report/lagrange_cell.hpp"
#include "report/raster.hpp"
#include "report/samples.hpp"
#include "report/table.hpp"
#include "temporary_folder.hpp"

namespace quoin {
namespace {

using testing::ElementsAre;
using testing::Pair;

class ReportData : public testing::Test {
 protected:
  test::TemporaryFolder folder;
  [[nodiscard]] CsvCurves read(const std::string& text) const {
    test::write_text(folder.path / "table.csv", text);
    return read_curves(folder.path / "table.csv").value();
  }
};

TEST_F(ReportData, ATornLastLineIsNotThere) {
  const CsvCurves whole = read("iteration,residual\n0,1\n1,0.5\n");
  EXPECT_THAT(whole.columns, ElementsAre("iteration", "residual"));
  EXPECT_EQ(whole.rows, 2);
  EXPECT_THAT(whole.last, ElementsAre(1, 0.5));
  const CsvCurves torn = read("iteration,residual\n0,1\n1,0.5\n2,0.2");
  EXPECT_EQ(torn.rows, 2);
  EXPECT_EQ(torn.unreadable, 0);
  EXPECT_THAT(torn.last, ElementsAre(1, 0.5));
}

TEST_F(ReportData, WhatIsNoTableIsToldAndLeftOut) {
  const CsvCurves table = read("iteration,residual\n0,1\nx,2\n1\n1,2,3\n\n2,nan\n3,inf\n4,5e-3\n");
  EXPECT_EQ(table.rows, 4);
  EXPECT_EQ(table.unreadable, 4);
  EXPECT_EQ(table.curves[0].not_finite(), 2);
  EXPECT_EQ(table.curves[0].samples().size(), 2U);
  EXPECT_THAT(table.last, ElementsAre(4, 5e-3));
  EXPECT_FALSE(read_curves(folder.path / "absent.csv"));
  test::write_text(folder.path / "empty.csv", "");
  EXPECT_FALSE(read_curves(folder.path / "empty.csv"));
  EXPECT_EQ(read("iteration,residual\n").rows, 0);
}

TEST_F(ReportData, CurvesGoOverTimeWhereItIsThere) {
  const CsvCurves table = read("step,time,mass,norm\n0,0,1,2\n10,0.5,3,4\n");
  EXPECT_EQ(table.along, 1U);
  ASSERT_EQ(table.curves.size(), 2U);
  EXPECT_EQ(table.curves[1].samples()[1].x, 0.5);
  EXPECT_EQ(table.curves[1].samples()[1].y, 4.0);
}

TEST(ReportCurve, OfAMillionRowsKeepsAFewWithTheirExtremes) {
  Curve curve;
  for (int k = 0; k < 1000000; ++k) curve.add(k, k == 333333 ? 50.0 : k == 777777 ? -50.0 : k % 2);
  const std::vector<Sample> samples = curve.samples();
  EXPECT_LE(samples.size(), 2000U);
  EXPECT_GE(samples.size(), 500U);
  const auto [least, greatest] = std::ranges::minmax(samples, {}, &Sample::y);
  EXPECT_EQ(least.x, 777777.0);
  EXPECT_EQ(greatest.x, 333333.0);
  EXPECT_TRUE(std::ranges::is_sorted(samples, {}, &Sample::x));
  EXPECT_GT(samples.back().x, 999000.0);
}

/// Of total degree `order`.
double polynomial(Point p, int order) { return 2.0 + std::pow(0.3 * p.x - 0.7 * p.y + 0.1, order) - 0.5 * p.x; }

Point bilinear(const std::array<Point, 4>& corner, Point at) {
  const auto axis = [&](double Point::*a) {
    return (1 - at.y) * ((1 - at.x) * corner[0].*a + at.x * corner[1].*a) +
           at.y * ((1 - at.x) * corner[3].*a + at.x * corner[2].*a);
  };
  return {axis(&Point::x), axis(&Point::y)};
}

TEST(ReportLagrangeCell, GivesThePolynomialAnywhereInACell) {
  const std::array<Point, 4> skew{{{0, 0}, {2, 0.3}, {2.4, 1.9}, {-0.2, 1.1}}};
  for (const CellShape shape : {CellShape::triangle, CellShape::quadrilateral}) {
    for (int order = 1; order <= 5; ++order) {
      const LagrangeCell cell(shape, order);
      std::vector<Point> nodes;
      for (const Point& node : lagrange_nodes(shape, order))
        nodes.push_back(shape == CellShape::triangle ? Point{1 + 2 * node.x - 0.5 * node.y, -1 + 0.5 * node.x + node.y}
                                                     : bilinear(skew, node));
      std::vector<double> weights;
      int inside = 0;
      for (double x = -1; x < 4; x += 0.13) {
        for (double y = -2; y < 3; y += 0.11) {
          const std::optional<Point> at = cell.locate(nodes, {x, y});
          if (!at) continue;
          ++inside;
          cell.weights(*at, weights);
          double value = 0.0;
          for (std::size_t k = 0; k < weights.size(); ++k) value += weights[k] * polynomial(nodes[k], order);
          EXPECT_NEAR(value, polynomial({x, y}, order), 1e-9) << order << " at " << x << ", " << y;
        }
      }
      const double area = shape == CellShape::triangle ? 1.125 : 3.0;
      EXPECT_NEAR(inside * 0.13 * 0.11, area, 0.2 * area);
    }
  }
}

TEST(SpreadOver, KeepsBothEnds) {
  EXPECT_THAT(spread_over(5, 9), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(spread_over(101, 5), ElementsAre(0, 25, 50, 75, 100));
  EXPECT_THAT(spread_over(8, 3), ElementsAre(0, 4, 7));
  EXPECT_THAT(spread_over(8, 1), ElementsAre(7));
  EXPECT_TRUE(spread_over(0, 3).empty());
}

/// The names of the curves with their last values.
std::vector<std::pair<std::string, double>> ends_of(const Samples::Quantity& quantity) {
  std::vector<std::pair<std::string, double>> ends;
  for (const auto& [name, curve] : quantity.curves) ends.emplace_back(name, curve.samples().back().y);
  return ends;
}

TEST_F(ReportData, EachProbeIsACurve) {
  test::write_text(
      folder.path / "probes.csv",
      "step,time,probe,x,y,h,hu\n0,0,1,0.5,0.25,1,2\n0,0,2,3,4,5,6\n4,0.1,1,0.5,0.25,7,8\n4,0.1,2,3,4,9,10\n");
  const Samples rows = probes_in(folder.path);
  EXPECT_EQ(rows.along, "time");
  ASSERT_EQ(rows.quantities.size(), 2U);
  EXPECT_EQ(rows.quantities[0].name, "h");
  EXPECT_THAT(ends_of(rows.quantities[0]), ElementsAre(Pair("1: (0.5, 0.25)", 7), Pair("2: (3, 4)", 9)));
  EXPECT_THAT(ends_of(rows.quantities[1]), ElementsAre(Pair("1: (0.5, 0.25)", 8), Pair("2: (3, 4)", 10)));
  test::write_text(folder.path / "probes.csv", "iteration,probe,x,y,u\n0,1,0,0,1\n100,1,0,0,3\n");
  EXPECT_EQ(probes_in(folder.path).along, "iteration");
  EXPECT_THAT(ends_of(probes_in(folder.path).quantities.at(0)), ElementsAre(Pair("1: (0, 0)", 3)));
}

TEST_F(ReportData, OfManyProbesTheFirstAreShown) {
  std::string text = "iteration,probe,x,y,u\n";
  for (int probe = 1; probe <= 20; ++probe)
    text += "0," + std::to_string(probe) + ",0.5," + std::to_string(probe) + ",1\n";
  test::write_text(folder.path / "probes.csv", text);
  const Samples samples = probes_in(folder.path);
  EXPECT_EQ(samples.quantities.at(0).curves.size(), 6U);
  EXPECT_EQ(samples.left_out, 14U);
}

TEST_F(ReportData, ALineHasAProfileForSomeOfItsMoments) {
  for (int step = 0; step <= 20; ++step) {
    const std::string number = std::to_string(step);
    const std::string name = "a-b-" + std::string(6 - number.size(), '0') + number + ".csv";
    const std::string moment = number + "," + std::to_string(0.5 * step) + ",";
    test::write_text(folder.path / name,
                     "step,time,distance,x,y,u\n" + moment + "0,1,1,0\n" + moment + "2,3,1," + number + "\n");
  }
  test::write_text(folder.path / "history.csv", "x,y\n1,2\n");
  const std::vector<LineFiles> lines = lines_in(folder.path);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].name, "a-b");
  const Samples samples = profiles_of(lines[0]);
  EXPECT_EQ(samples.left_out, 15U);
  ASSERT_EQ(samples.quantities.size(), 1U);
  EXPECT_THAT(ends_of(samples.quantities[0]), ElementsAre(Pair("t = 0", 0), Pair("t = 2", 4), Pair("t = 4", 8),
                                                          Pair("t = 6", 12), Pair("t = 8", 16), Pair("t = 10", 20)));
}

TEST_F(ReportData, ProfilesWhoseTimesLookTheSameStayApart) {
  test::write_text(folder.path / "a-000001.csv", "time,distance,u\n1000.001,0,1\n1000.001,1,2\n");
  test::write_text(folder.path / "a-000002.csv", "time,distance,u\n1000.002,0,3\n1000.002,1,4\n");
  const Samples samples = profiles_of(lines_in(folder.path).at(0));
  EXPECT_THAT(ends_of(samples.quantities.at(0)), ElementsAre(Pair("t = 1000", 2), Pair("t = 1000", 4)));
}

class ReportPictures : public ReportData {
 protected:
  static ExactField nothing(const std::string& /*field*/, Point /*extent*/) { return nullptr; }
};

TEST_F(ReportPictures, JumpsBetweenCellsStay) {
  ElementFields frame{.level = "cells", .step = 12, .time = 0.25};
  frame.shapes = {CellShape::quadrilateral, CellShape::triangle};
  frame.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, 0}, {2, 0}, {1, 1}};
  frame.fields = {{"h", {0, 1, 1, 0, 5, 6, 5}}};  // h = x, then x + 4
  {
    ResultFolder results(folder.path / "run", false);
    FieldFiles(results, true).elements(frame);
  }
  const auto file = newest_fields(folder.path / "run");
  ASSERT_TRUE(file);
  const auto pictures = pictures_of(*file, [](const std::string& field, Point extent) -> ExactField {
    EXPECT_EQ(field, "h");
    EXPECT_EQ(extent.x, 2.0);
    return [](double x, double /*y*/, double time) { return x - time; };
  });
  ASSERT_EQ(pictures.size(), 1U);
  const FieldPicture& picture = pictures[0];
  EXPECT_TRUE(picture.elements);
  EXPECT_EQ(picture.time, 0.25);
  ASSERT_EQ(picture.field.columns, 405U);
  ASSERT_EQ(picture.field.rows, 205U);
  const auto at = [](const Raster& raster, std::size_t column, std::size_t row) {
    return static_cast<double>(raster.values[row * raster.columns + column]);
  };
  for (const std::size_t row : {0U, 77U, 204U}) {
    EXPECT_NEAR(at(picture.field, 201, row), picture.field.x[201], 1e-6);
    EXPECT_NEAR(at(*picture.error, 201, row), 0.25, 1e-6);
  }
  EXPECT_EQ(at(picture.field, 202, 10), 1.0);  // on the side between both, of the first
  EXPECT_NEAR(at(picture.field, 203, 10), 4.0 + picture.field.x[203], 1e-6);
  EXPECT_NEAR(at(*picture.error, 203, 10), 4.25, 1e-6);
  EXPECT_TRUE(std::isnan(at(picture.field, 404, 204)));  // beyond the triangle
}

TEST_F(ReportPictures, OfAGridTakeTheNearestNodeAndReachTheSides) {
  const std::vector<float> values{0, 2, 4, 1.5, 3.5, 5.5, 3, 5, 7};
  {
    ResultFolder results(folder.path / "run", false);
    FieldFiles(results, true)
        .grid({"u", 3, 3, 0.0, 0.0, 0.5, 1.5, Precision::float32, std::as_bytes(std::span(values)), 1});
  }
  const auto pictures = pictures_of(newest_fields(folder.path / "run").value(), [](const auto&, Point) -> ExactField {
    return [](double x, double y, double) { return 4.0 * x + y; };  // that of the nodes
  });
  const Raster& field = pictures.at(0).field;
  EXPECT_EQ(field.x0, 0.0);
  EXPECT_EQ(field.x1, 1.0);
  EXPECT_EQ(field.y1, 3.0);
  EXPECT_EQ(field.rows, 405U);
  EXPECT_EQ(field.columns, 135U);
  EXPECT_EQ(field.values.front(), 0.0F);
  EXPECT_EQ(field.values[67], 2.0F);
  EXPECT_THAT(std::set<double>(field.x.begin(), field.x.end()), ElementsAre(0.0, 0.5, 1.0));  // the nodes
  EXPECT_THAT(std::set<double>(field.y.begin(), field.y.end()), ElementsAre(0.0, 1.5, 3.0));
  EXPECT_EQ(field.values.back(), 7.0F);
  for (const float error : pictures.at(0).error->values) EXPECT_EQ(error, 0.0F);
}

TEST_F(ReportPictures, OfAGridOfOneRowAreALine) {
  const std::vector<double> values{1, -2, 4};
  {
    ResultFolder results(folder.path / "run", false);
    FieldFiles(results, true)
        .grid({"x", 3, 1, 0.0, 0.0, 1.0, 1.0, Precision::float64, std::as_bytes(std::span(values)), 1});
  }
  const Raster field =
      pictures_of(newest_fields(folder.path / "run").value(), [](const auto&, Point) { return nullptr; }).at(0).field;
  EXPECT_TRUE(field.line());
  EXPECT_EQ(field.rows, 1U);
  EXPECT_EQ(field.values[field.columns / 2], -2.0F);
  const Raster points = points_of(field);
  EXPECT_EQ(points.columns, points_along);
  EXPECT_EQ(points.values.front(), 1.0F);
  EXPECT_EQ(points.values.back(), 4.0F);
}

TEST_F(ReportPictures, TheNewestFrameOfTheCellsIsTaken) {
  for (const char* name : {"cells-000002.h5", "cells-1000000.h5", "cells-999999.h5", "vertices-2000000.h5", "u.vti",
                           "cells-000003.vtu", "other.h5"})
    test::write_text(folder.path / name, "");
  EXPECT_EQ(newest_fields(folder.path)->filename(), "cells-1000000.h5");
  std::vector<std::string> frames;
  for (const auto& frame : frames_in(folder.path)) frames.push_back(frame.filename());
  EXPECT_THAT(frames, ElementsAre("cells-000002.h5", "cells-999999.h5", "cells-1000000.h5"));
}

TEST_F(ReportPictures, WhatIsNoFieldIsAnIoError) {
  test::write_text(folder.path / "cut.h5", "HDF");
  test::write_text(folder.path / "cut.vti", "<VTKFile>");
  const std::string head = "<ImageData WholeExtent=\"0 9 0 999999999 0 0\" Origin=\"0 0 0\" Spacing=\"1 1 1\">";
  test::write_text(folder.path / "boast.vti", head + "<DataArray type=\"Float64\" Name=\"u\"/><AppendedData>_12345678");
  for (const char* name : {"absent.h5", "absent.vti", "cut.h5", "cut.vti", "boast.vti"}) {
    try {
      (void)pictures_of(folder.path / name, nothing);
      ADD_FAILURE() << name << " was drawn";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io) << name;
    }
  }
}

TEST(ReportRaster, SaysWhereItIsNotToScale) {
  EXPECT_TRUE(raster_of(0, 1, 0, 1).to_scale());
  EXPECT_EQ(raster_of(0, 2, 0, 1).rows, 205U);
  const Raster flat = raster_of(0, 1000, 0, 1);
  EXPECT_FALSE(flat.to_scale());
  EXPECT_EQ(flat.columns, 405U);
  EXPECT_EQ(flat.rows, 125U);
  EXPECT_THROW((void)raster_of(0, 0, 1, 1), Error);
  EXPECT_THROW((void)raster_of(0, 1, 1, 0), Error);
  EXPECT_THROW((void)raster_of(0, INFINITY, 0, 1), Error);
}

/// Frames that are read at points alone have them where the picture of the last one has them, to the last bit.
TEST(ReportRaster, PointsArePixelsOfAPicture) {
  for (const double height : {1.0, 0.37, 1e-9, 12.3}) {
    Raster picture = raster_of(-0.1, 0.7, 1.0 / 3.0, 1.0 / 3.0 + height);
    for (std::size_t k = 0; k < picture.columns * picture.rows; ++k) picture.values.push_back(static_cast<float>(k));
    const Raster points = points_of(picture);
    const Raster alone = raster_of(-0.1, 0.7, 1.0 / 3.0, 1.0 / 3.0 + height, 1);
    EXPECT_EQ(points.x, alone.x);
    EXPECT_EQ(points.y, alone.y);
    EXPECT_EQ(points.x[points.columns / 2], -0.1 + 0.5 * (0.7 + 0.1));
    EXPECT_EQ(points.values.size(), points.columns * points.rows);
    EXPECT_EQ(points.values[points.columns + 2], static_cast<float>(7 * picture.columns + 12));
  }
}

}  // namespace
}  // namespace quoin
