#include "mesh/gmsh_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <utility>

#include "base/text.hpp"

namespace quoin {
namespace {

struct ElementType {
  std::int64_t type;
  std::size_t nodes;  // 0: refused
  const char* name;
};
constexpr const char* flat = "Quoin's meshes are flat; let Gmsh mesh in two dimensions (gmsh -2)";
constexpr const char* straight = "cells must have straight edges; set Mesh.ElementOrder = 1";
constexpr std::array<ElementType, 18> element_types{{{15, 1, "point"},
                                                     {1, 2, "line"},
                                                     {2, 3, "triangle"},
                                                     {3, 4, "quad"},
                                                     {8, 0, "3-node line"},
                                                     {9, 0, "6-node triangle"},
                                                     {10, 0, "9-node quad"},
                                                     {16, 0, "8-node quad"},
                                                     {26, 0, "4-node line"},
                                                     {21, 0, "10-node triangle"},
                                                     {4, 0, "tetrahedron"},
                                                     {5, 0, "hexahedron"},
                                                     {6, 0, "prism"},
                                                     {7, 0, "pyramid"},
                                                     {11, 0, "10-node tetrahedron"},
                                                     {12, 0, "27-node hexahedron"},
                                                     {13, 0, "18-node prism"},
                                                     {14, 0, "14-node pyramid"}}};

class SectionReader {
 public:
  explicit SectionReader(GmshStream& stream) : in_(stream) {}

  GmshFile read() {
    read_format();
    while (!in_.at_end()) read_section();
    return std::move(file_);
  }

 private:
  void read_format() {
    while (!in_.at_end()) {
      const std::string_view word = in_.word();
      if (word == "$MeshFormat") return read_version();
      if (word != "$Comments") break;
      in_.skip_to("$EndComments");
    }
    in_.fail("expected $MeshFormat: this is not a mesh of Gmsh's; write one with Save As .msh");
  }

  void read_version() {
    const std::string_view version = in_.word();
    if (version != "2.2" && version != "4.1")
      in_.fail(fmt::format("version {} of the format; write version 4.1 or 2.2 (gmsh -format msh41)", shown(version)));
    new_ = version == "4.1";
    const std::int64_t binary = in_.number();
    if (binary != 0 && binary != 1) in_.fail(fmt::format("the file type is 0 (ASCII) or 1 (binary), not {}", binary));
    if (const std::int64_t bytes = in_.number(); bytes != 8)
      in_.fail(fmt::format("numbers of {} bytes; write the mesh on a 64-bit machine", bytes));
    if (binary == 1) {
      in_.end_line();
      in_.be_binary();
      if (in_.int32() != 1) in_.fail("the file was written on a machine of another byte order; write it as ASCII");
    }
    expect("$EndMeshFormat");
  }

  void read_section() {
    const std::string name(in_.word());
    if (name.size() < 2 || name[0] != '$') in_.fail(fmt::format("expected a section like $Nodes, not {}", shown(name)));
    if (name == "$PartitionedEntities") in_.fail("the mesh is cut into partitions; write it without them");
    const bool known = name == "$PhysicalNames" || name == "$Entities" || name == "$Nodes" || name == "$Elements";
    if (!known) return in_.skip_to("$End" + name.substr(1));
    if (!seen_.insert(name).second) in_.fail(fmt::format("section {} comes a second time", name));
    in_.end_line();
    if (name == "$PhysicalNames") read_names();
    if (name == "$Entities") read_entities();
    if (name == "$Nodes") new_ ? read_nodes() : read_old_nodes();
    if (name == "$Elements") new_ ? read_elements() : read_old_elements();
    expect("$End" + name.substr(1));
  }

  void expect(const std::string& end) {
    if (const std::string_view word = in_.word(); word != end)
      in_.fail(fmt::format("expected {}, not {}", end, shown(word)));
  }

  void read_names() {
    for (std::int64_t left = in_.number(); left > 0; --left) {
      const std::int64_t dimension = in_.number();
      const std::int64_t tag = in_.number();
      const std::string name = in_.quoted();
      if (dimension == 1) file_.curves[tag] = name;
    }
  }

  void read_entities() {
    if (!new_) in_.fail("$Entities does not belong into version 2.2");
    std::array<std::int64_t, 4> counts{};
    for (std::int64_t& count : counts) count = in_.checked(in_.int64(), "entities", 5, 20);
    for (std::size_t dimension = 0; dimension < 4; ++dimension) {
      for (std::int64_t left = counts[dimension]; left > 0; --left) {
        const std::int64_t tag = in_.int32();
        for (int k = dimension == 0 ? 3 : 6; k > 0; --k) in_.real();
        for (std::int64_t groups = in_.checked(in_.int64(), "physical groups", 1, 4); groups > 0; --groups) {
          const std::int64_t group = std::abs(in_.int32());  // negative where the curve is walked backwards
          if (dimension == 1) groups_[tag].push_back(group);
        }
        if (dimension == 0) continue;
        for (std::int64_t bounds = in_.checked(in_.int64(), "bounding entities", 1, 4); bounds > 0; --bounds)
          in_.int32();
      }
    }
  }

  std::int64_t node_number(std::int64_t number) const {
    if (number < 1) in_.fail(fmt::format("node {}; nodes are numbered from 1", number));
    return number;
  }

  void add_node(std::int64_t number, std::size_t place) {
    const double x = in_.real(), y = in_.real(), z = in_.real();
    file_.nodes.push_back({number, {x, y}, z, place});
  }

  void read_old_nodes() {
    const std::int64_t count = in_.checked(in_.number(), "nodes", 4, 28);
    if (in_.binary()) in_.end_line();
    file_.nodes.reserve(count);
    for (std::int64_t left = count; left > 0; --left) {
      const std::int64_t number = node_number(in_.int32());
      add_node(number, in_.place());
    }
  }

  void read_nodes() {
    const std::int64_t blocks = in_.checked(in_.int64(), "blocks of nodes", 4, 20);
    const std::int64_t count = in_.checked(in_.int64(), "nodes", 4, 32);
    in_.int64();
    in_.int64();
    file_.nodes.reserve(count);
    std::vector<std::pair<std::int64_t, std::size_t>> numbers;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t dimension = in_.int32();
      if (dimension < 0 || dimension > 3) in_.fail(fmt::format("an entity of {} dimensions", dimension));
      in_.int32();
      const bool parametric = in_.int32() != 0;
      numbers.resize(in_.checked(in_.int64(), "nodes", 4, 32));
      for (auto& [number, place] : numbers) {
        number = node_number(in_.int64());
        place = in_.place();
      }
      for (const auto& [number, place] : numbers) {
        add_node(number, place);
        for (std::int64_t k = parametric ? dimension : 0; k > 0; --k) in_.real();
      }
    }
    if (static_cast<std::int64_t>(file_.nodes.size()) != count)
      in_.fail(fmt::format("$Nodes has {} nodes and announces {}", file_.nodes.size(), count));
  }

  // The number of nodes of an element type that can be used.
  std::size_t nodes_of(std::int64_t type, std::int64_t element) const {
    for (const ElementType& known : element_types) {
      if (known.type != type) continue;
      if (known.nodes > 0) return known.nodes;
      const bool solid = (type >= 4 && type <= 7) || (type >= 11 && type <= 14);
      in_.fail(fmt::format("element {} is a {}: {}", element, known.name, solid ? flat : straight));
    }
    in_.fail(fmt::format("element {} is of Gmsh's type {}: a mesh may have lines, triangles and quads (types 1, 2, 3)",
                         element, type));
  }

  GmshElement& add_element(std::int64_t number, std::size_t nodes, std::size_t place) {
    auto& list = nodes == 1 ? file_.points : nodes == 2 ? file_.lines : file_.cells;
    list.push_back({number, {}, 0, place});
    return list.back();
  }

  void read_old_elements() {
    const std::int64_t count = in_.checked(in_.number(), "elements", 4, 8);
    if (in_.binary()) in_.end_line();
    for (std::int64_t done = 0; done < count;) {
      std::int64_t number = in_.binary() ? 0 : in_.int32();
      std::size_t place = in_.place();
      const std::int64_t type = in_.int32();
      const std::int64_t several = in_.binary() ? in_.checked(in_.int32(), "elements", 2, 8) : 1;
      if (several < 1 || several > count - done) in_.fail(fmt::format("a block of {} elements", several));
      const std::int64_t tags = in_.checked(in_.int32(), "tags", 1, 4);
      for (std::int64_t k = 0; k < several; ++k, ++done) {
        if (in_.binary()) {
          number = in_.int32();
          place = in_.place();
        }
        const std::size_t nodes = nodes_of(type, number);
        GmshElement& element = add_element(number, nodes, place);
        for (std::int64_t tag = 0; tag < tags; ++tag) {
          const std::int64_t value = in_.int32();
          if (tag == 0) element.group = std::abs(value);
        }
        for (std::size_t node = 0; node < nodes; ++node) element.nodes[node] = node_number(in_.int32());
      }
    }
  }

  void read_elements() {
    const std::int64_t blocks = in_.checked(in_.int64(), "blocks of elements", 4, 20);
    const std::int64_t count = in_.checked(in_.int64(), "elements", 2, 16);
    in_.int64();
    in_.int64();
    std::int64_t done = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      in_.int32();
      const std::int64_t entity = in_.int32();
      const std::int64_t type = in_.int32();
      const std::int64_t several = in_.checked(in_.int64(), "elements", 2, 16);
      for (std::int64_t k = 0; k < several; ++k, ++done) {
        const std::int64_t number = in_.int64();
        const std::size_t nodes = nodes_of(type, number);
        GmshElement& element = add_element(number, nodes, in_.place());
        for (std::size_t node = 0; node < nodes; ++node) element.nodes[node] = node_number(in_.int64());
        if (nodes == 2) add_groups(entity);
      }
    }
    if (done != count) in_.fail(fmt::format("$Elements has {} elements and announces {}", done, count));
  }

  // The last line once for each of the physical curves that its entity belongs to.
  void add_groups(std::int64_t entity) {
    const auto found = groups_.find(entity);
    if (found == groups_.end()) return;
    const GmshElement line = file_.lines.back();
    file_.lines.pop_back();
    for (const std::int64_t group : found->second) {
      file_.lines.push_back(line);
      file_.lines.back().group = group;
    }
  }

  GmshStream& in_;
  bool new_ = false;
  GmshFile file_;
  std::set<std::string> seen_;
  std::map<std::int64_t, std::vector<std::int64_t>> groups_;  // of each curve
};

}  // namespace

GmshFile read_sections(GmshStream& stream) { return SectionReader(stream).read(); }

}  // namespace quoin
