#include "mesh/gmsh.hpp"

#include <algorithm>
#include <set>

#include "framework/mesh/msh_file.hpp"
#include "temporary_folder.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::expect_sound;
using test::for_each_kind;
using test::MshFile;
using test::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refused(const std::string& text) {
  return refusal([&] { parse_gmsh(text, "plate.msh"); });
}

TEST(MeshGmsh, EveryKindHoldsTheSameMesh) {
  for_each_kind({}, [](const std::string& text) {
    const Mesh mesh = parse_gmsh(text, "plate.msh");
    EXPECT_THAT(mesh.vertex_name, ElementsAre(1, 2, 30, 4, 50, 6));  // 7 belongs to a point alone
    EXPECT_THAT(mesh.cell_name, ElementsAre(18, 19, 20));
    EXPECT_THAT(mesh.first, ElementsAre(0, 4, 7, 10));
    EXPECT_THAT(mesh.corners, ElementsAre(0, 1, 4, 3, 1, 2, 5, 1, 5, 4));
    EXPECT_EQ(mesh.vertices[2].x, 2);
    EXPECT_EQ(mesh.vertices[5].y, 1);
    EXPECT_THAT(mesh.sides, ElementsAre("left", "the bottom", "top", "8"));  // one has no name but its number
    EXPECT_EQ(mesh.boundary.size(), 6U);
    for (const BoundaryEdge& edge : mesh.boundary) {
      const Point middle = midpoint(mesh.vertices[edge.from], mesh.vertices[edge.to]);
      EXPECT_EQ(edge.side, middle.x == 0 ? 0 : middle.y == 0 ? 1 : middle.y == 1 ? 2 : 3);
    }
    expect_sound(mesh, make_staggered(mesh), 2);
  });
}

/// Cells and edges of the boundary by where their corners are, in an order of their own.
std::set<std::string> parts_of(const Mesh& mesh) {
  std::set<std::string> parts;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    std::vector<std::string> corners;
    for (const std::int64_t vertex : mesh.cell(c)) corners.push_back(describe(mesh.vertices[vertex]));
    std::sort(corners.begin(), corners.end());
    parts.insert(::testing::PrintToString(corners));
  }
  for (const BoundaryEdge& edge : mesh.boundary)
    parts.insert(mesh.sides[edge.side] + describe(mesh.vertices[edge.from]) + describe(mesh.vertices[edge.to]));
  return parts;
}

// plate.geo says how Gmsh 4.8 wrote them. It writes no binary files of version 4.0.
TEST(MeshGmsh, ReadsWhatGmshWrites) {
  const std::filesystem::path folder = std::filesystem::path(QUOIN_SOURCE_DIR) / "tests/framework/mesh/plate";
  const Mesh plate = read_gmsh(folder / "22.msh");
  EXPECT_EQ(plate.cell_count(), 18);  // some in two physical surfaces, of which 2.2 writes each twice
  EXPECT_EQ(plate.boundary.size(), 12U);
  EXPECT_THAT(plate.sides, ElementsAre("bottom", "top", "left side", "23"));
  expect_sound(plate, make_staggered(plate), 2);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".msh") continue;
    SCOPED_TRACE(entry.path().filename());
    ++files;
    const Mesh mesh = read_gmsh(entry.path());
    EXPECT_EQ(parts_of(mesh), parts_of(plate));
    EXPECT_EQ(mesh.sides, plate.sides);
  }
  EXPECT_EQ(files, 7U);
}

TEST(MeshGmsh, PartsOfVersion4ThatMayBeAbsentOrMany) {
  MshFile file;
  // A curve in two groups of one name, and one that is in none but lies inside the domain.
  file.names = "$PhysicalNames\n3\n1 5 \"rim\"\n1 6 \"rim\"\n1 7 \"rim\"\n$EndPhysicalNames\n";
  file.curves.push_back({11, 0});
  file.elements.insert(file.elements.begin() + 1, {99, 1, 11, 0, {2, 50}});
  for_each_kind(
      file, [](const std::string& text) { EXPECT_THAT(parse_gmsh(text, "plate.msh").sides, ElementsAre("rim", "8")); });
}

TEST(MeshGmsh, LinesInsideTheDomainMeanNothing) {
  MshFile file;
  file.elements.insert(file.elements.begin() + 1, {99, 1, 1, 77, {2, 50}});
  EXPECT_EQ(parse_gmsh(file.version_22(), "plate.msh").sides.size(), 4U);
}

TEST(MeshGmsh, LineEndsOfOtherSystems) {
  std::string text = MshFile().version_22();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  EXPECT_EQ(parse_gmsh(text, "plate.msh").cell_count(), 3);
}

TEST(MeshGmsh, APlaneThatIsNotZero) {
  MshFile file;
  for (auto& [number, x] : file.nodes) x[2] = 3;
  EXPECT_EQ(parse_gmsh(file.version_22(), "plate.msh").cell_count(), 3);
  file.nodes[4].second[2] = 2.5;
  for_each_kind(file, [](const std::string& text) {
    EXPECT_THAT(refused(text), HasSubstr("node 50 has z = 2.5 and others have 3: the mesh must lie in a plane"));
  });
}

// What Gmsh has of each shape, first to tenth order; as many nodes are written.
const std::vector<std::tuple<const char*, std::vector<int>, std::vector<int>>> refused_types{
    {"line", {8, 26, 27, 28, 62, 63, 64, 65, 66}, {3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {"triangle", {9, 21, 23, 25, 42, 43, 44, 45, 46}, {6, 10, 15, 21, 28, 36, 45, 55, 66}},
    {"triangle", {20, 22, 24, 52, 53, 54, 55, 56}, {9, 12, 15, 18, 21, 24, 27, 30}},
    {"quadrilateral", {10, 36, 37, 38, 47, 48, 49, 50, 51}, {9, 16, 25, 36, 49, 64, 81, 100, 121}},
    {"quadrilateral", {16, 39, 40, 41, 57, 58, 59, 60, 61}, {8, 12, 16, 20, 24, 28, 32, 36, 40}},
    {"tetrahedron", {4, 11, 29, 30, 31, 71, 72, 73, 74, 75}, {4, 10, 20, 35, 56, 84, 120, 165, 220, 286}},
    {"tetrahedron", {137, 32, 33, 79, 80, 81, 82, 83}, {16, 22, 28, 34, 40, 46, 52, 58}},
    {"hexahedron", {5, 12, 92, 93, 94, 95, 96, 97, 98}, {8, 27, 64, 125, 216, 343, 512, 729, 1000}},
    {"hexahedron", {17, 99, 100, 101, 102, 103, 104, 105}, {20, 32, 44, 56, 68, 80, 92, 104}},
    {"prism", {6, 13, 90, 91, 106, 107, 108, 109, 110}, {6, 18, 40, 75, 126, 196, 288, 405, 550}},
    {"prism", {18, 111, 112, 113, 114, 115, 116, 117}, {15, 24, 33, 42, 51, 60, 69, 78}},
    {"pyramid", {7, 14, 118, 119, 120, 121, 122, 123, 124}, {5, 14, 30, 55, 91, 140, 204, 285, 385}},
    {"pyramid", {19, 125, 126, 127, 128, 129, 130, 131}, {13, 21, 29, 37, 45, 53, 61, 69}}};

// row 8
TEST(MeshGmsh, RefusesOtherElementsByTheirNames) {
  for (const auto& [shape, types, nodes] : refused_types) {
    ASSERT_EQ(types.size(), nodes.size());
    const bool solid = std::string_view("line triangle quadrilateral").find(shape) == std::string_view::npos;
    for (std::size_t k = 0; k < types.size(); ++k) {
      MshFile file;
      file.elements.back() = {20, types[k], 1, 9, std::vector<int>(nodes[k], 1)};
      const std::string words = "element 20 is a " + std::string(solid ? "solid" : "curved") + " one, the " +
                                std::to_string(nodes[k]) + "-node " + shape + " (type " + std::to_string(types[k]) +
                                (solid ? "); mesh in two" : "); set Mesh.ElementOrder = 1");
      for_each_kind(file, [&words](const std::string& text) { EXPECT_THAT(refused(text), HasSubstr(words)); });
    }
  }
  MshFile file;
  file.elements.back() = {20, 34, 1, 9, {1, 2, 50}};
  EXPECT_THAT(refused(file.version_22()), HasSubstr("element 20 is of type 34; a mesh may have lines"));
}

// row 8
TEST(MeshGmsh, RefusesWhatDoesNotFitTogether) {
  const auto with = [](const std::function<void(MshFile&)>& change, const std::string& words) {
    MshFile file;
    change(file);
    for_each_kind(file, [&](const std::string& text) { EXPECT_THAT(refused(text), HasSubstr(words)); });
  };
  with([](MshFile& f) { f.elements.back().nodes[1] = 51; }, "element 20 has node 51, which is not in $Nodes");
  with([](MshFile& f) { f.elements.back().nodes[1] = 0; }, "a node has the number 0: they start at 1");
  with([](MshFile& f) { f.nodes[3].first = 50; }, "node 50 comes a second time");
  with([](MshFile& f) { f.elements.back() = {21, 2, 1, 9, {2, 30, 6}}; }, "cell 19 around");
  with(
      [](MshFile& f) {
        f.elements.push_back({21, 1, 1, 5, {6, 30}});
      },
      "the edge between vertex 30 at (2, 0) and vertex 6 at (2, 1), belongs to the physical curves 'left' and '8'");
  with([](MshFile& f) { f.elements.erase(f.elements.begin() + 1); },
       "the edge between vertex 4 at (0, 1) and vertex 1 at (0, 0) of cell 18 around (0.5, 0.5) lies on the boundary "
       "and "
       "belongs to no named side");
  with([](MshFile& f) { f.nodes.push_back({99, {5, 5, 0}}); }, "vertex 99 at (5, 5) belongs to no cell");
  with(
      [](MshFile& f) {
        f.nodes[4].second = {0, 0, 0};
      },
      "cell 18 around (0.25, 0.25) is flat, folded or not convex at vertex 50");
  with([](MshFile& f) { f.elements.resize(7); }, "no triangles or quadrilaterals");
  with([](MshFile& f) { f.nodes[2].second[1] = std::numeric_limits<double>::quiet_NaN(); },
       "a coordinate is nan: it must be finite");
}

// row 8
TEST(MeshGmsh, EveryPrefixIsRefused) {
  for_each_kind({}, [](const std::string& text) {
    const std::size_t end = text.find("$EndElements");
    for (std::size_t size = 0; size < end; ++size)
      EXPECT_THROW(parse_gmsh(std::string_view(text).substr(0, size), "plate.msh"), Error) << size;
  });
}

TEST(MeshGmsh, NoByteMakesItCrash) {
  for_each_kind({}, [](const std::string& text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char byte : {'\0', '\x7f', '\xff', '9', ' '}) {
        std::string damaged = text;
        damaged[at] = byte;
        try {
          make_staggered(parse_gmsh(damaged, "plate.msh"));
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::case_file) << error.what();
        }
      }
    }
  });
}

TEST(MeshGmsh, RefusesFilesThatCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(refusal(ErrorKind::io, [&] { read_gmsh(folder.path / "none.msh"); }),
              HasSubstr("cannot open the mesh file: No such file"));
  EXPECT_THAT(refusal(ErrorKind::io, [&] { read_gmsh(folder.path); }),
              HasSubstr("cannot open the mesh file: Is a dir"));
  test::write_text(folder.path / "plate.msh", MshFile().version_41());
  EXPECT_EQ(read_gmsh(folder.path / "plate.msh").cell_count(), 3);
}

}  // namespace
}  // namespace quoin
