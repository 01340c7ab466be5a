#include <gmock/gmock.h>

#include "output/field_files.hpp"
#include "quoin/error.hpp"
#include "quoin/results.hpp"
#include "temporary_folder.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

using test::text_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Nodes in units of 1 / order.
std::vector<std::pair<int, int>> nodes(CellShape shape, int order) {
  std::vector<std::pair<int, int>> whole;
  for (const Point& node : lagrange_nodes(shape, order))
    whole.emplace_back(std::lround(node.x * order), std::lround(node.y * order));
  return whole;
}

// The orders are those of vtkLagrangeQuadrilateral::PointIndexFromIJK and vtkLagrangeTriangle::ToBarycentricIndex.
TEST(LagrangeNodes, OfQuadrilateralsAreCornersEdgesInterior) {
  using P = std::pair<int, int>;
  EXPECT_THAT(nodes(CellShape::quadrilateral, 1), ElementsAre(P{0, 0}, P{1, 0}, P{1, 1}, P{0, 1}));
  EXPECT_THAT(nodes(CellShape::quadrilateral, 3),
              ElementsAre(P{0, 0}, P{3, 0}, P{3, 3}, P{0, 3}, P{1, 0}, P{2, 0}, P{3, 1}, P{3, 2}, P{1, 3}, P{2, 3},
                          P{0, 1}, P{0, 2}, P{1, 1}, P{2, 1}, P{1, 2}, P{2, 2}));
}

TEST(LagrangeNodes, OfTrianglesHaveATriangleInside) {
  using P = std::pair<int, int>;
  EXPECT_THAT(nodes(CellShape::triangle, 1), ElementsAre(P{0, 0}, P{1, 0}, P{0, 1}));
  EXPECT_THAT(nodes(CellShape::triangle, 4),
              ElementsAre(P{0, 0}, P{4, 0}, P{0, 4}, P{1, 0}, P{2, 0}, P{3, 0}, P{3, 1}, P{2, 2}, P{1, 3}, P{0, 3},
                          P{0, 2}, P{0, 1}, P{1, 1}, P{2, 1}, P{1, 2}));
  EXPECT_EQ(nodes(CellShape::triangle, 3).back(), (P{1, 1}));
  EXPECT_EQ(nodes(CellShape::triangle, 9).size(), 55U);
}

TEST(LagrangeNodes, NeedAnOrder) { EXPECT_THROW((void)lagrange_nodes(CellShape::triangle, 0), Error); }

/// What a sink has to do, and nothing of pieces.
class WholeFields : public FieldSink {
 public:
  void grid(const GridField& /*field*/) override {}
  void vector(const VectorValues& /*vector*/) override {}
  void elements(const ElementFields& /*frame*/) override {}
  void series(const Table& /*more*/) override {}
  void table(const Table& /*table*/) override {}
};

TEST(FieldSink, RefusesPiecesThatItHasNotAskedFor) {
  WholeFields sink;
  EXPECT_FALSE(sink.in_pieces());
  EXPECT_THROW(sink.grid_in_pieces(GridPieces()), Error);
}

/// Large enough for several batches of compression, in a file of more than what is written at once.
ElementFields large_frame() {
  ElementFields made{.level = "cells", .step = 3, .time = 1.5, .order = 1};
  made.shapes.assign(100'000, CellShape::triangle);
  made.shapes.resize(150'000, CellShape::quadrilateral);
  made.fields = {{"h", {}}};
  for (std::size_t node = 0; node < 100'000U * 3 + 50'000U * 4; ++node) {
    const auto value = static_cast<double>(node * 2654435761U % 1000003);
    made.nodes.push_back({value, 0.5 * value});
    made.fields.front().values.push_back(-value);
  }
  made.data = {{"coefficients", {50'000, 2}, std::vector<double>(100'000, 0.25)},
               {"powers", {}, std::vector<std::int64_t>{7}}};
  made.facts = {{"degree", std::int64_t{1}}};
  return made;
}

/// The same as a frame of ranks: each array in pieces of a rank, of another length each time.
ElementsOfRanks by_ranks(const ElementFields& frame) {
  ElementsOfRanks elements{without_values(frame), static_cast<std::int64_t>(frame.shapes.size()),
                           static_cast<std::int64_t>(frame.nodes.size())};
  elements.give = [&frame](const std::string& array, const TakeBytes& take) {
    std::size_t count = sizeof(Point);
    for (std::span<const std::byte> left = bytes_of(frame, array); !left.empty(); count = count * 3 % 7'000'016) {
      const std::size_t many = std::min(count / sizeof(Point) * sizeof(Point) + sizeof(Point), left.size());
      take(left.first(many));
      left = left.subspan(many);
    }
  };
  return elements;
}

/// Keeps a frame.
class KeptFrame final : public WholeFields {
 public:
  void elements(const ElementFields& given) override { frame = given; }
  ElementFields frame;
};

TEST(FieldSink, GetsAFrameOfRanksAsAWhole) {
  const ElementFields whole = large_frame();
  KeptFrame sink;
  sink.elements_of_ranks(by_ranks(whole));
  EXPECT_EQ(sink.frame.level, "cells");
  EXPECT_EQ(sink.frame.step, 3);
  for (const char* array : {"nodes", "corners", "fields/h", "coefficients", "powers"}) {
    const auto given = bytes_of(sink.frame, array);
    EXPECT_TRUE(std::ranges::equal(given, bytes_of(whole, array))) << array;
    EXPECT_FALSE(given.empty()) << array;
  }
  EXPECT_THROW((void)bytes_of(whole, "fields/hu"), Error);
}

class FieldFilesTest : public testing::Test {
 protected:
  static ElementFields frame(const std::string& level, std::int64_t step, double value = 1.0) {
    ElementFields made{.level = level, .step = step, .time = 0.5 * static_cast<double>(step), .order = 1};
    made.shapes = {CellShape::triangle};
    made.nodes = {{0, 0}, {1, 0}, {0, 1}};
    made.fields = {{"h", {value, 2, 3}}, {"hu", {4, 5, 6}}};
    return made;
  }
  static void expect_bug(FieldFiles& files, const ElementFields& frame, const std::string& words) {
    try {
      files.elements(frame);
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bug);
      EXPECT_THAT(error.what(), HasSubstr(words));
      EXPECT_EQ(error.where(), "cells-000003");
    }
  }

  test::TemporaryFolder temporary;
  fs::path results = temporary.path / "results";
};

TEST_F(FieldFilesTest, WriteVectorsForProgramsWhereTheyHaveAShape) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  const std::vector<double> values{1, 2.5, -3, 4, 0.1, 6};
  files.vector({"plain", values});
  files.vector({"x", values, {2, 3}});
  EXPECT_THAT(files.names(), ElementsAre("plain.mtx", "x.mtx", "x.h5"));
  EXPECT_EQ(read_values(results / "x.h5"), values);
  EXPECT_THROW(files.vector({"x", values, {2, 2}}), Error);
  FieldFiles(folder, false).vector({"none", values, {6}});
  EXPECT_FALSE(fs::exists(results / "none.h5"));
}

TEST_F(FieldFilesTest, TheSeriesNamesWhatIsThereAfterEveryFrame) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  for (const std::int64_t step : {0, 7, 1234567}) {
    files.begin_frame(step);
    files.elements(frame("cells", step));
    files.elements(frame("vertices", step));
    const std::string series = text_of(results / "cells.pvd");
    EXPECT_THAT(series, testing::EndsWith("  </Collection>\n</VTKFile>\n"));
    EXPECT_THAT(series, HasSubstr("file=\"" + frame_name("cells", step) + ".vtu\"/>\n  </Collection>"));
    EXPECT_TRUE(fs::exists(results / (frame_name("cells", step) + ".vtu")));
    EXPECT_TRUE(fs::exists(results / (frame_name("vertices", step) + ".h5")));
  }
  EXPECT_THAT(text_of(results / "cells.pvd"),
              HasSubstr("<DataSet timestep=\"3.5\" part=\"0\" file=\"cells-000007.vtu\""));
  EXPECT_THAT(text_of(results / "cells.pvd"), Not(HasSubstr("vertices")));
  EXPECT_EQ(files.names().size(), 3U * 4U + 2U);
  for (const std::string& name : files.names()) EXPECT_TRUE(fs::exists(results / name)) << name;
}

TEST_F(FieldFilesTest, TheHashIsOverTheNewestFrameWithAndWithoutFiles) {
  ResultFolder folder(results, false);
  FieldFiles hashed(folder, false);
  hashed.begin_frame(0);
  hashed.elements(frame("cells", 0, 9.0));
  const std::string first = hashed.sha256();
  hashed.begin_frame(1);
  hashed.elements(frame("cells", 1));
  // printf of the six doubles 1 to 6 | sha256sum
  EXPECT_EQ(hashed.sha256(), "d73f023a3f852bf2e5c6d836cd36cd930d0091dcba7f778161c707e1c58222b0");
  EXPECT_NE(hashed.sha256(), first);
  EXPECT_EQ(std::distance(fs::directory_iterator(results), {}), 1) << "beside the list";
  EXPECT_TRUE(hashed.names().empty());
  FieldFiles written(folder, true);
  written.begin_frame(1);
  written.elements(frame("cells", 1));
  EXPECT_EQ(written.sha256(), hashed.sha256());
}

TEST_F(FieldFilesTest, ValuesReadBack) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  files.elements(frame("cells", 2));
  EXPECT_THAT(read_values(results / "cells-000002.h5"), ElementsAre(1, 2, 3, 4, 5, 6));
  const std::vector<float> narrow{1.5F, -2.0F};
  files.grid({"u", 2, 1, 0.0, 0.0, 1.0, 1.0, Precision::float32, std::as_bytes(std::span(narrow))});
  EXPECT_THAT(read_values(results / "u.vti"), ElementsAre(1.5, -2.0));
  const std::string whole = text_of(results / "cells-000002.h5");
  test::write_text(results / "cut.h5", whole.substr(0, whole.size() / 2));
  for (const char* name : {"absent.h5", "absent.vti", "cut.h5"})
    EXPECT_THROW((void)read_values(results / name), Error) << name;
}

TEST_F(FieldFilesTest, FieldsReadBackWithTheirPlaces) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  files.elements(frame("cells", 2));
  const std::vector<WrittenField> fields = read_fields(results / "cells-000002.h5");
  ASSERT_EQ(fields.size(), frame("cells", 2).fields.size());
  EXPECT_EQ(fields.front().name, frame("cells", 2).fields.front().name);
  EXPECT_EQ(fields.front().places.size(), 2 * frame("cells", 2).nodes.size());
  const std::vector<double> six{1, 2, 3, 4, 5, 6};
  files.grid({"u", 3, 2, 0.5, 1.5, 0.25, 2.0, Precision::float64, std::as_bytes(std::span(six))});
  const WrittenField grid = read_fields(results / "u.vti").front();
  EXPECT_EQ(grid.size, "3 x 2 nodes");
  EXPECT_THAT(grid.places, ElementsAre(0.5, 1.5, 0.25, 2.0));
  EXPECT_EQ(grid.values, six);
  files.vector({"x", six, {2, 3}});
  for (const char* name : {"x.mtx", "x.h5"}) {
    const WrittenField vector = read_fields(results / name).front();
    EXPECT_EQ(vector.name, "x") << name;
    EXPECT_EQ(vector.size, "6 elements") << name;
    EXPECT_TRUE(vector.places.empty()) << name;
    EXPECT_EQ(vector.values, six) << name;
  }
  test::write_text(results / "x.mtx", "no vector\n");
  try {
    (void)read_fields(results / "x.mtx");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);  // of a file that Quoin wrote, not of the user's case
  }
}

TEST_F(FieldFilesTest, AreListedBySeriesAndStep) {
  fs::create_directories(results);
  for (const char* name : {"cells-000010.h5", "cells-000002.h5", "cells-1000000.h5", "cells-000002.vtu", "cells.pvd",
                           "u.vti", "checkpoint-000000000002.h5", "v.pvti", "v_0.vti", "v_1.vti", "w_1.vti", "a-b.mtx",
                           "history.csv", ".u.vti.part", "vertices-000002.pvtu", "vertices-000002_0.h5"})
    test::write_text(results / name, "");
  std::vector<std::string> lines;
  for (const FieldFile& file : field_files(results))
    lines.push_back(file.series + " " + std::to_string(file.step) + " " + file.name + " " +
                    file.path.filename().string());
  EXPECT_THAT(lines, ElementsAre("a-b.mtx -1 a-b.mtx a-b.mtx", "cells.h5 2 cells-000002.h5 cells-000002.h5",
                                 "cells.h5 10 cells-000010.h5 cells-000010.h5",
                                 "cells.h5 1000000 cells-1000000.h5 cells-1000000.h5", "u.vti -1 u.vti u.vti",
                                 "v.vti -1 v.vti v.pvti", "vertices.h5 2 vertices-000002.h5 vertices-000002.pvtu",
                                 "w_1.vti -1 w_1.vti w_1.vti"));
  EXPECT_THROW((void)field_files(results / "absent"), Error);
}

TEST_F(FieldFilesTest, TheHashIsWithoutTheRingOfGivenValues) {
  const std::vector<double> whole{9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 5, 6, 9, 9, 9, 9, 9};
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  files.grid({"u", 4, 5, 0.0, 0.0, 1.0, 1.0, Precision::float64, std::as_bytes(std::span(whole)), 1});
  EXPECT_EQ(files.sha256(), "d73f023a3f852bf2e5c6d836cd36cd930d0091dcba7f778161c707e1c58222b0");  // of 1 to 6
  EXPECT_EQ(read_values(results / "u.vti"), whole);
  EXPECT_THROW(files.grid({"u", 4, 4, 0.0, 0.0, 1.0, 1.0, Precision::float64, std::as_bytes(std::span(whole)), 1}),
               Error);
}

TEST_F(FieldFilesTest, SizesThatDoNotFitAreABugAndWriteNothing) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  ElementFields wrong = frame("cells", 3);
  wrong.shapes.push_back(CellShape::quadrilateral);
  expect_bug(files, wrong, "3 nodes where the cells have 7");
  wrong = frame("cells", 3);
  wrong.fields[1].values.pop_back();
  expect_bug(files, wrong, "'hu' has 2 values at 3 nodes");
  wrong.fields.clear();
  expect_bug(files, wrong, "without fields");
  wrong = frame("cells", 3);
  wrong.data.push_back({"coefficients", {2, 2}, std::vector<double>{1, 2, 3}});
  expect_bug(files, wrong, "'coefficients' has 3 values where its shape has 4");
  EXPECT_EQ(std::distance(fs::directory_iterator(results), {}), 1) << "beside the list";
}

TEST_F(FieldFilesTest, AFrameOfRanksMakesTheFilesOfOneThatIsWhole) {
  const ElementFields whole = large_frame();
  ResultFolder one(results, false);
  FieldFiles files(one, true);
  files.elements(whole);
  ResultFolder folder(temporary.path / "ranks", false);
  FieldFiles of_ranks(folder, true, /*pieces=*/false, 3);
  of_ranks.elements_of_ranks(by_ranks(whole));
  EXPECT_EQ(of_ranks.sha256(), files.sha256());
  for (const char* name : {"cells-000003.vtu", "cells-000003.h5", "cells.pvd"}) {
    const std::string text = text_of(results / name);
    EXPECT_TRUE(text_of(temporary.path / "ranks" / name) == text) << name;
    EXPECT_GT(text.size(), 100U) << name;
  }
  EXPECT_EQ(read_values(results / "cells-000003.h5"), whole.fields.front().values);
}

TEST_F(FieldFilesTest, FramesOfAMeshThatStaysAskForItOnceAndHaveTheSameFiles) {
  std::map<std::string, int> asked;
  const auto write = [&](FieldFiles& files, bool stays, Compression compression) {
    asked.clear();
    ElementFields whole = large_frame();
    whole.compression = compression;
    for (int step = 3; step < 6; ++step) {
      whole.step = step;
      whole.fields.front().values.front() = step;
      ElementsOfRanks elements = by_ranks(whole);
      elements.mesh_stays = stays;
      elements.give = [&asked, give = elements.give](const std::string& array, const TakeBytes& take) {
        ++asked[array];
        give(array, take);
      };
      files.elements_of_ranks(elements);
    }
  };
  for (const Compression compression : {Compression::fast, Compression::none}) {
    ResultFolder one(results, true);
    FieldFiles files(one, true);
    write(files, false, compression);
    EXPECT_EQ(asked["nodes"], 6);  // for either file
    ResultFolder folder(temporary.path / "stays", true);
    FieldFiles keeping(folder, true);
    write(keeping, true, compression);
    EXPECT_EQ(asked["nodes"], compression == Compression::none ? 6 : 4);
    EXPECT_EQ(asked["fields/h"], 6);
    for (const char* name : {"cells-000003.vtu", "cells-000004.vtu", "cells-000005.vtu", "cells-000005.h5"})
      EXPECT_TRUE(text_of(results / name) == text_of(temporary.path / "stays" / name)) << name;
  }
}

TEST_F(FieldFilesTest, AMeshThatWasToStayAndHasChangedIsABugAndWritesNoPicture) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  const auto write = [&](const ElementFields& whole) {
    ElementsOfRanks elements = by_ranks(whole);
    elements.mesh_stays = true;
    files.elements_of_ranks(elements);
  };
  write(frame("cells", 3));
  write(frame("cells", 4));
  ElementFields other = frame("cells", 5);
  other.shapes.push_back(CellShape::triangle);
  for (const Point node : {Point{1, 1}, Point{1, 0}, Point{0, 1}}) other.nodes.push_back(node);
  for (NodeValues& field : other.fields) field.values.resize(6);
  EXPECT_THROW(write(other), Error);
  EXPECT_FALSE(fs::exists(results / "cells-000005.vtu"));
  other.level = "vertices";
  write(other);
  EXPECT_TRUE(fs::exists(results / "vertices-000005.vtu"));
}

TEST_F(FieldFilesTest, AFrameOfRanksThatGivesTooLittleOrTooMuchIsABugAndWritesNothing) {
  ElementFields whole = frame("cells", 3);
  whole.data.push_back({"coefficients", {2}, std::vector<double>{1, 2}});
  ResultFolder folder(results, false);
  FieldFiles files(folder, true);
  for (const std::string wrong : {"nodes", "corners", "fields/hu", "coefficients"}) {
    for (const bool more : {false, true}) {
      ElementsOfRanks elements = by_ranks(whole);
      elements.give = [&](const std::string& array, const TakeBytes& take) {
        const auto bytes = bytes_of(whole, array);
        take(array == wrong && !more ? bytes.subspan(sizeof(double)) : bytes);
        if (array == wrong && more) take(bytes);
      };
      EXPECT_THROW(files.elements_of_ranks(elements), Error) << wrong << more;
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(results), {}), 1) << "beside the list";
}

TEST_F(FieldFilesTest, ASeriesGrowsAndATableIsWhole) {
  ResultFolder folder(results, false);
  FieldFiles files(folder, false);
  files.series({"probes", {"step", "time", "h_0"}, {{0, 0.0, 0.1}}});
  EXPECT_EQ(text_of(results / "probes.csv"), "step,time,h_0\n0,0,0.1\n");
  files.series({"probes", {"step", "time", "h_0"}, {{100000, 0.25, 1e300}, {100001, 0.5, -1.0}}});
  EXPECT_EQ(text_of(results / "probes.csv"), "step,time,h_0\n0,0,0.1\n100000,0.25,1e+300\n100001,0.5,-1\n");
  files.table({frame_name("line-0", 12), {"x", "y"}, {{0.0, 1.0}}});
  EXPECT_EQ(text_of(results / "line-0-000012.csv"), "x,y\n0,1\n");
  files.close();
  EXPECT_THAT(files.names(), ElementsAre("probes.csv", "line-0-000012.csv"));
  EXPECT_THROW(files.table({"narrow", {"x", "y"}, {{0.0}}}), Error);
}

TEST_F(FieldFilesTest, ForceReplacesASeriesOfARunThatWasKilled) {
  {
    ResultFolder killed(results, false);
    FieldFiles(killed, true).series({"probes", {"step"}, {{1}, {2}}});
  }
  ResultFolder folder(results, true);
  FieldFiles files(folder, true);
  files.series({"probes", {"step"}, {{1}}});
  EXPECT_EQ(text_of(results / "probes.csv"), "step\n1\n");
}

}  // namespace
}  // namespace quoin
