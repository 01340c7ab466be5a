// Broken mesh files: the texts of the folder broken/, and binary files that are made here of a good one. broken.txt has
// the message that each of them gets.

#include <fstream>
#include <limits>
#include <map>

#include "framework/mesh/msh_file.hpp"
#include "mesh/gmsh.hpp"
#include "testing.hpp"

namespace quoin {
namespace {

using test::MshFile;
using test::refusal;

const std::filesystem::path here = std::filesystem::path(QUOIN_SOURCE_DIR) / "tests/framework/mesh";

MshFile good() {
  MshFile file;
  file.binary = true;
  return file;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// Up to a byte behind `what`.
std::string cut(const std::string& text, const std::string& what, std::size_t behind) {
  return text.substr(0, text.find(what) + what.size() + behind);
}

/// `elements` in the place of the last one, and perhaps of other nodes.
MshFile ending_with(int type, std::vector<int> nodes) {
  MshFile file = good();
  file.elements.back() = {20, type, 1, 9, std::move(nodes)};
  return file;
}

std::map<std::string, std::string> binary_files() {
  const MshFile f = good();
  const std::string v22 = f.version_22(), v40 = f.version_40(), v41 = f.version_41();
  const std::string nodes = "$Nodes\n", elements = "$Elements\n", entities = "$Entities\n";
  MshFile spoilt = good();
  spoilt.nodes[2].second[1] = std::numeric_limits<double>::quiet_NaN();
  MshFile lifted = good();
  lifted.nodes[4].second[2] = 2.5;
  MshFile bare = good();
  bare.elements.erase(bare.elements.begin() + 1);
  const std::string block = f.i4(15) + f.i4(1) + f.i4(2);  // the head of the first elements in 2.2
  const std::string head = entities + f.i8(1) + f.i8(4);
  return {
      {"22-binary-other-byte-order.msh", replaced(v22, f.i4(1), f.i4(0x01000000))},
      {"41-binary-byte-order-damaged.msh", replaced(v41, f.i4(1), f.i4(65793))},
      {"41-binary-text-behind-the-head.msh", replaced(v41, "4.1 1 8\n", "4.1 1 8 0\n")},
      {"22-binary-head-cut.msh", cut(v22, "1 8\n", 3)},
      {"22-binary-names-negative.msh", replaced(v22, "Names\n4", "Names\n-4")},
      {"22-binary-text-behind-the-count.msh", replaced(v22, nodes + "7\n", nodes + "7 nodes\n")},
      {"22-binary-nodes-huge.msh", replaced(v22, nodes + "7\n", nodes + "2147483647\n")},
      {"22-binary-nodes-too-few.msh", replaced(v22, nodes + "7\n", nodes + "8\n")},
      {"22-binary-nodes-too-many.msh", replaced(v22, nodes + "7\n", nodes + "6\n")},
      {"22-binary-nodes-cut.msh", cut(v22, nodes + "7\n", 100)},
      {"22-binary-node-negative.msh", replaced(v22, nodes + "7\n" + f.i4(1), nodes + "7\n" + f.i4(-1))},
      {"22-binary-block-of-no-elements.msh", replaced(v22, block, f.i4(15) + f.i4(0) + f.i4(2))},
      {"22-binary-block-too-long.msh", replaced(v22, block, f.i4(15) + f.i4(11) + f.i4(2))},
      {"22-binary-block-huge.msh", replaced(v22, block, f.i4(15) + f.i4(2147483647) + f.i4(2))},
      {"22-binary-tags-negative.msh", replaced(v22, block, f.i4(15) + f.i4(1) + f.i4(-1))},
      {"22-binary-elements-cut.msh", cut(v22, elements + "10\n", 50)},
      {"22-binary-end-of-elements-absent.msh", replaced(v22, "$EndElements\n", "")},
      {"22-binary-line-of-3-nodes.msh", ending_with(8, {2, 30, 50}).version_22()},
      {"41-binary-entities-huge.msh", replaced(v41, head, entities + f.i8(1) + f.i8(SIZE_MAX / 2))},
      {"41-binary-groups-huge.msh", replaced(v41, f.i8(1) + f.i4(5), f.i8(SIZE_MAX / 4) + f.i4(5))},
      {"40-binary-bounds-negative.msh", replaced(v40, f.i8(2) + f.i4(1) + f.i4(-2), f.i8(-2) + f.i4(1) + f.i4(-2))},
      {"40-binary-entities-cut.msh", cut(v40, head, 90)},
      {"40-binary-nodes-huge.msh", replaced(v40, nodes + f.i8(2) + f.i8(7), nodes + f.i8(2) + f.i8(SIZE_MAX / 28))},
      {"41-binary-nodes-announced.msh", replaced(v41, nodes + f.i8(2) + f.i8(7), nodes + f.i8(2) + f.i8(5))},
      {"41-binary-blocks-huge.msh", replaced(v41, nodes + f.i8(2), nodes + f.i8(SIZE_MAX / 2))},
      {"40-binary-parametric-flag.msh", replaced(v40, f.i4(2) + f.i4(1) + f.i4(1), f.i4(2) + f.i4(1) + f.i4(7))},
      {"41-binary-nodes-cut.msh", cut(v41, nodes + f.i8(2), 120)},
      {"41-binary-node-beyond-63-bits.msh",
       replaced(v41, f.i8(2) + f.i8(1) + f.i8(2), f.i8(2) + f.i8(SIZE_MAX) + f.i8(2))},
      {"40-binary-coordinate-not-a-number.msh", spoilt.version_40()},
      {"41-binary-not-in-a-plane.msh", lifted.version_41()},
      {"41-binary-end-of-nodes-absent.msh", replaced(v41, "\n$EndNodes\n", "\n")},
      {"41-binary-text-between-sections.msh", replaced(v41, "$EndNodes\n", "$EndNodes\nand\n")},
      {"40-binary-triangle-of-6-nodes.msh", ending_with(9, {2, 30, 6, 1, 1, 1}).version_40()},
      {"41-binary-quadrilateral-of-8-nodes.msh", ending_with(16, {1, 2, 50, 4, 1, 1, 1, 1}).version_41()},
      {"40-binary-prism.msh", ending_with(6, {1, 2, 30, 4, 50, 6}).version_40()},
      {"41-binary-node-not-there.msh", ending_with(2, {2, 51, 6}).version_41()},
      {"41-binary-elements-announced.msh",
       replaced(v41, elements + f.i8(10) + f.i8(10), elements + f.i8(10) + f.i8(9))},
      {"40-binary-elements-cut.msh", cut(v40, elements + f.i8(10), 70)},
      {"41-binary-data-not-closed.msh", replaced(v41, "$EndNodeData", "$EndData")},
      {"41-binary-cell-flat.msh", ending_with(2, {2, 30, 2}).version_41()},
      {"40-binary-edge-without-side.msh", bare.version_40()},
  };
}

std::map<std::string, std::string> broken_files() {
  std::map<std::string, std::string> files = binary_files();
  for (const auto& entry : std::filesystem::directory_iterator(here / "broken")) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

/// Each line of broken.txt by the name that it starts with.
std::map<std::string, std::string> messages() {
  std::map<std::string, std::string> result;
  std::ifstream table(here / "broken.txt");
  for (std::string line; std::getline(table, line);) {
    const bool first = result.emplace(line.substr(0, line.find(':')), line).second;
    EXPECT_TRUE(first) << line;
  }
  return result;
}

// row 8
TEST(MeshGmsh, EachBrokenFileGetsItsMessage) {
  const auto files = broken_files();
  auto expected = messages();
  EXPECT_GE(files.size(), 60U);
  for (const auto& file : files) {
    const std::string& name = file.first;
    EXPECT_EQ(refusal([&] { parse_gmsh(file.second, name); }), expected[name]);
    expected.erase(name);
  }
  for (const auto& [name, line] : expected) ADD_FAILURE() << "there is no such file: " << line;
}

}  // namespace
}  // namespace quoin
