#include "mesh/gmsh.hpp"

#include <algorithm>

#include "temporary_folder.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::expect_sound;
using test::refusal;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Element {
  int number, type, entity, group;
  std::vector<int> nodes;
};

/// A mesh of a quad and two triangles, the second one clockwise, which writes itself in each format.
struct MshFile {
  std::vector<std::pair<int, std::array<double, 3>>> nodes{{1, {0, 0, 0}},  {2, {1, 0, 0}},  {30, {2, 0, 0}},
                                                           {4, {0, 1, 0}},  {50, {1, 1, 0}}, {6, {2, 1, 0}},
                                                           {7, {.5, .5, 0}}};
  std::vector<Element> elements{{1, 15, 9, 0, {7}},       {2, 1, 1, 5, {4, 1}},         {3, 1, 2, 6, {1, 2}},
                                {4, 1, 2, 6, {2, 30}},    {5, 1, 3, 8, {6, 30}},        {6, 1, 4, 7, {50, 6}},
                                {7, 1, 4, 7, {4, 50}},    {18, 3, 1, 9, {1, 2, 50, 4}}, {19, 2, 1, 9, {2, 30, 6}},
                                {20, 2, 1, 9, {2, 50, 6}}};
  std::string names =
      "$PhysicalNames\n4\n1 5 \"left\"\n1 6 \"the bottom\"\n1 7 \"top\"\n2 9 \"domain\"\n$EndPhysicalNames\n";
  bool binary = false;

  template <class T>
  std::string value(T x) const {
    if (binary) return {reinterpret_cast<const char*>(&x), sizeof x};
    if constexpr (std::is_floating_point_v<T>) return testing::PrintToString(x) + " ";
    return std::to_string(x) + "\n";
  }
  std::string i4(int x) const { return value(x); }
  std::string i8(std::size_t x) const { return value(static_cast<std::int64_t>(x)); }
  std::string head(const char* version) const {
    return std::string("$MeshFormat\n") + version + (binary ? " 1 8\n" + i4(1) + "\n" : " 0 8\n") +
           "$EndMeshFormat\n$Comments\n$Nodes in a comment\n$EndComments\n" + names;
  }

  std::string old_format() const {
    std::string text = head("2.2") + "$Nodes\n" + std::to_string(nodes.size()) + "\n";
    for (const auto& [number, x] : nodes) text += i4(number) + value(x[0]) + value(x[1]) + value(x[2]);
    text += "\n$EndNodes\n$Elements\n" + std::to_string(elements.size()) + "\n";
    for (const Element& e : elements) {
      text += binary ? i4(e.type) + i4(1) + i4(2) + i4(e.number) : i4(e.number) + i4(e.type) + i4(2);
      text += i4(e.group) + i4(e.entity);
      for (const int node : e.nodes) text += i4(node);
    }
    return text + "\n$EndElements\n";
  }

  std::string new_format() const {
    std::string text = head("4.1") + "$Entities\n" + i8(1) + i8(4) + i8(1) + i8(0);
    text += i4(9) + value(.5) + value(.5) + value(0.) + i8(0);
    const auto box = [&](int tag) {
      return i4(tag) + value(0.) + value(0.) + value(0.) + value(2.) + value(1.) + value(0.);
    };
    for (const auto& [curve, group] : {std::pair{1, 5}, {2, 6}, {3, -8}, {4, 7}})
      text += box(curve) + i8(1) + i4(group) + i8(2) + i4(1) + i4(-2);
    text += box(1) + i8(1) + i4(9) + i8(0) + "\n$EndEntities\n$Nodes\n";
    // Two blocks, the first one with parameters on a curve.
    text += i8(2) + i8(nodes.size()) + i8(1) + i8(50) + i4(1) + i4(2) + i4(1) + i8(2);
    for (int k = 0; k < 2; ++k) text += i8(nodes[k].first);
    for (int k = 0; k < 2; ++k)
      text += value(nodes[k].second[0]) + value(nodes[k].second[1]) + value(nodes[k].second[2]) + value(.7);
    text += i4(2) + i4(1) + i4(0) + i8(nodes.size() - 2);
    for (std::size_t k = 2; k < nodes.size(); ++k) text += i8(nodes[k].first);
    for (std::size_t k = 2; k < nodes.size(); ++k)
      for (const double x : nodes[k].second) text += value(x);
    text += "\n$EndNodes\n$Elements\n" + i8(elements.size()) + i8(elements.size()) + i8(1) + i8(20);
    for (const Element& e : elements) {
      text += i4(e.type == 15 ? 0 : e.type == 1 ? 1 : 2) + i4(e.entity) + i4(e.type) + i8(1) + i8(e.number);
      for (const int node : e.nodes) text += i8(node);
    }
    return text + "\n$EndElements\n$NodeData\nnot ours\n$EndNodeData\n";
  }
};

std::string refused(const std::string& text) {
  return refusal([&] { parse_gmsh(text, "plate.msh"); });
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// In each of the four formats.
void for_each_format(MshFile file, const std::function<void(const std::string& text)>& action) {
  for (const bool binary : {false, true}) {
    file.binary = binary;
    SCOPED_TRACE(binary ? "binary" : "ASCII");
    action(file.old_format());
    action(file.new_format());
  }
}

TEST(MeshGmsh, EveryFormatHoldsTheSameMesh) {
  for_each_format({}, [](const std::string& text) {
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

TEST(MeshGmsh, LinesInsideTheDomainMeanNothing) {
  MshFile file;
  file.elements.insert(file.elements.begin() + 1, {99, 1, 1, 77, {2, 50}});
  EXPECT_EQ(parse_gmsh(file.old_format(), "plate.msh").sides.size(), 4U);
}

TEST(MeshGmsh, LineEndsOfOtherSystems) {
  std::string text = MshFile().old_format();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  EXPECT_EQ(parse_gmsh(text, "plate.msh").cell_count(), 3);
}

TEST(MeshGmsh, APlaneThatIsNotZero) {
  MshFile file;
  for (auto& [number, x] : file.nodes) x[2] = 3;
  EXPECT_EQ(parse_gmsh(file.old_format(), "plate.msh").cell_count(), 3);
  file.nodes[4].second[2] = 2.5;
  for_each_format(file, [](const std::string& text) {
    EXPECT_THAT(refused(text), HasSubstr("node 50 has z = 2.5 and others have 3: the mesh must lie in a plane"));
  });
}

// row 8
TEST(MeshGmsh, RefusesOtherElements) {
  for (const auto& [type, nodes, words] :
       {std::tuple{4, 4, "element 20 is a tetrahedron: Quoin's meshes are flat"},
        {9, 6, "element 20 is a 6-node triangle: cells must have straight edges; set Mesh.ElementOrder = 1"},
        {8, 3, "element 20 is a 3-node line"},
        {93, 20, "element 20 is of Gmsh's type 93: a mesh may have lines, triangles and quads"}}) {
    MshFile file;
    file.elements.back() = {20, type, 1, 9, std::vector<int>(nodes, 1)};
    const auto said = HasSubstr(words);
    for_each_format(file, [&said](const std::string& text) { EXPECT_THAT(refused(text), said); });
  }
}

// row 8
TEST(MeshGmsh, RefusesWhatDoesNotFitTogether) {
  const auto with = [](const std::function<void(MshFile&)>& change, const std::string& words) {
    MshFile file;
    change(file);
    for_each_format(file, [&](const std::string& text) { EXPECT_THAT(refused(text), HasSubstr(words)); });
  };
  with([](MshFile& f) { f.elements.back().nodes[1] = 51; }, "element 20 has node 51, which is not in $Nodes");
  with([](MshFile& f) { f.elements.back().nodes[1] = 0; }, "node 0; nodes are numbered from 1");
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
  with([](MshFile& f) { f.nodes[4].second = {0, 0, 0}; }, "plate.msh: cell ");
  with([](MshFile& f) { f.elements.resize(7); }, "plate.msh: no triangles or quads");
  with([](MshFile& f) { f.nodes[2].second[1] = std::numeric_limits<double>::quiet_NaN(); },
       "a coordinate is nan; it must be finite");
}

// row 8
TEST(MeshGmsh, NamesTheLine) {
  const std::string text = MshFile().old_format();
  EXPECT_THAT(refused(replaced(text, "2.2", "4.0")), HasSubstr("plate.msh:2: version '4.0' of the format; write"));
  EXPECT_THAT(refused(replaced(text, " 0 8", " 0 4")), HasSubstr("plate.msh:2: numbers of 4 bytes"));
  EXPECT_THAT(refused(replaced(text, " 0 8", " 2 8")), HasSubstr("plate.msh:2: the file type"));
  EXPECT_THAT(refused(replaced(text, "1 7 \"top\"", "1 7 top")), HasSubstr("plate.msh:11: expected a name in quotes"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7", "$Nodes\nseven")),
              HasSubstr("plate.msh:15: expected an integer, not 'seven'"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7", "$Nodes\n6")), HasSubstr("expected $EndNodes, not '7'"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7", "$Nodes\n8")), HasSubstr("expected an integer, not '$EndNodes'"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7\n1\n0", "$Nodes\n7\n1\n1e999")),
              HasSubstr("plate.msh:17: expected a number, not '1e999'"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7\n1\n0", "$Nodes\n7\n1\ninf")),
              HasSubstr("plate.msh:17: a coordinate is inf; it must be finite"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7", "$Nodes\n999999999999")),
              HasSubstr("plate.msh:15: 999999999999 nodes cannot be in the"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7", "$Nodes\n-7")), HasSubstr("plate.msh:15: -7 nodes cannot be"));
  EXPECT_THAT(refused(replaced(text, "$Nodes\n7\n1\n", "$Nodes\n7\n3000000000\n")),
              HasSubstr("3000000000 is too large"));
  EXPECT_THAT(refused(text + "$Nodes\n"), HasSubstr("section $Nodes comes a second time"));
  EXPECT_THAT(refused(text + "$PartitionedEntities\n"), HasSubstr("write it without"));
  EXPECT_THAT(refused(text + "$NodeData\n1\n"), HasSubstr("the section has no '$EndNodeData'; the file is cut off"));
  EXPECT_THAT(refused(text + "more"), HasSubstr("expected a section like $Nodes, not 'more'"));
  EXPECT_THAT(refused(""), HasSubstr("plate.msh:1: expected $MeshFormat: this is not a mesh of Gmsh's"));
  EXPECT_THAT(refused("solid cube"), HasSubstr("this is not a mesh of Gmsh's"));
}

// row 8
TEST(MeshGmsh, NamesTheByte) {
  MshFile file;
  file.binary = true;
  const std::string text = file.old_format();
  EXPECT_THAT(refused(replaced(text, file.i4(1), file.i4(0x01000000))),
              HasSubstr("plate.msh: byte 20: the file was written on a machine of another byte order"));
  const std::string size = file.new_format();
  EXPECT_THAT(
      refused(replaced(size, "$Nodes\n" + file.i8(2) + file.i8(7), "$Nodes\n" + file.i8(2) + file.i8(SIZE_MAX / 2))),
      AllOf(HasSubstr("plate.msh: byte "), HasSubstr("9223372036854775807 nodes cannot be in the")));
  EXPECT_THAT(refused(replaced(size, "$Nodes\n" + file.i8(2) + file.i8(7), "$Nodes\n" + file.i8(2) + file.i8(5))),
              HasSubstr("$Nodes has 7 nodes and announces 5"));
}

// row 8
TEST(MeshGmsh, EveryPrefixIsRefused) {
  for_each_format({}, [](const std::string& text) {
    const std::size_t end = text.find("$EndElements");
    for (std::size_t size = 0; size < end; ++size)
      EXPECT_THROW(parse_gmsh(std::string_view(text).substr(0, size), "plate.msh"), Error) << size;
  });
}

TEST(MeshGmsh, NoByteMakesItCrash) {
  for_each_format({}, [](const std::string& text) {
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
  test::write_text(folder.path / "plate.msh", MshFile().new_format());
  EXPECT_EQ(read_gmsh(folder.path / "plate.msh").cell_count(), 3);
}

}  // namespace
}  // namespace quoin
