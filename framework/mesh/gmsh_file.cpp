#include "mesh/gmsh_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "mesh/gmsh_layout.hpp"

namespace quoin {
namespace {

class SectionReader {
 public:
  explicit SectionReader(GmshStream& stream) : in_(stream) {}

  GmshFile read() {
    read_format();
    while (!in_.at_end()) read_section();
    for (const char* needed : {"$Nodes", "$Elements"})
      if (starts_.count(needed) == 0) in_.broken(fmt::format("the file ends without {}", needed));
    file_.elements_place = starts_["$Elements"];
    return std::move(file_);
  }

 private:
  void read_format() {
    while (!in_.at_end()) {
      const std::string_view word = in_.word();
      if (word == "$MeshFormat") return read_head();
      if (word == "$NOD") refuse_version("1");
      if (word != "$Comments") break;
      in_.skip_to("$EndComments");
    }
    in_.fail("expected $MeshFormat: this is not a mesh of Gmsh's; write one with Save As .msh");
  }

  [[noreturn]] void refuse_version(std::string_view version) const {
    in_.fail(fmt::format("version {} of the format cannot be read; write version 4.1, 4.0 or 2.2 (gmsh -format msh41)",
                         shown(version)));
  }

  void read_head() {
    in_.enter("$MeshFormat");
    const std::string_view word = in_.word();
    double version = 0;  // Gmsh writes 4.0 as 4
    if (std::from_chars(word.data(), word.data() + word.size(), version).ptr == word.data() + word.size())
      for (const GmshLayout* layout : {&gmsh_22, &gmsh_40, &gmsh_41})
        if (layout->version == version) layout_ = layout;
    if (layout_ == nullptr) refuse_version(word);
    in_.number_by(layout_->tag_bytes);
    const std::int64_t binary = in_.number();
    if (binary != 0 && binary != 1) in_.broken(fmt::format("the file type is 0 (ASCII) or 1 (binary), not {}", binary));
    if (const std::int64_t bytes = in_.number(); bytes != 8)
      in_.fail(fmt::format("numbers of {} bytes; write the mesh on a 64-bit machine", bytes));
    if (binary == 1) {
      in_.end_line();
      in_.be_binary();
      read_byte_order();
    }
    expect("$EndMeshFormat");
  }

  void read_byte_order() {
    const std::int64_t one = in_.int32();
    if (one == 0x01000000) in_.fail("the file was written on a machine of another byte order; write it as ASCII");
    if (one != 1) in_.broken(fmt::format("the byte order is told by a 1, not by {}", one));
  }

  void read_section() {
    const std::string_view name = in_.word();
    if (name.size() < 2 || name[0] != '$' || name.substr(0, 4) == "$End")
      in_.broken(fmt::format("expected a section like $Nodes, not {}", shown(name)));
    if (name == "$PartitionedEntities")
      in_.fail("the mesh is cut into partitions; let Gmsh write it without them (without -part)");
    if (name == "$ParametricNodes")
      in_.fail("nodes with parameters in version 2.2; set Mesh.SaveParametric = 0, or write version 4.1");
    const GmshSection reader = reader_of(name);
    if (reader == nullptr) return in_.skip_to("$End" + std::string(name.substr(1)));
    if (!starts_.emplace(name, in_.place()).second) in_.broken(fmt::format("section {} comes a second time", name));
    in_.enter(name);
    in_.end_line();
    reader(in_, file_);
    expect("$End" + std::string(name.substr(1)));
  }

  // None: the section is none of ours.
  GmshSection reader_of(std::string_view name) const {
    if (name == "$PhysicalNames") return read_names;
    if (name == "$Nodes") return layout_->nodes;
    if (name == "$Elements") return layout_->elements;
    if (name != "$Entities") return nullptr;
    if (layout_->entities == nullptr) in_.broken("version 2.2 has no section $Entities");
    return layout_->entities;
  }

  void expect(const std::string& end) {
    const std::string_view word = in_.word();
    if (word != end && in_.binary() && word[0] != '$') in_.broken(fmt::format("expected {} here", end));
    if (word != end) in_.broken(fmt::format("expected {}, not {}", end, shown(word)));
    in_.leave();
  }

  static void read_names(GmshStream& in, GmshFile& file) {
    for (std::int64_t left = in.checked(in.number(), "names", 3, 6); left > 0; --left) {
      const std::int64_t dimension = in.number();
      const std::int64_t group = in.number();
      const std::string name = in.quoted();
      if (dimension == 1 && file.names.emplace(group, name).first->second != name)
        in.broken(fmt::format("physical curve {} has a second name, {}", group, shown(name)));
    }
  }

  GmshStream& in_;
  const GmshLayout* layout_ = nullptr;
  GmshFile file_;
  std::map<std::string_view, std::size_t> starts_;
};

}  // namespace

GmshFile read_sections(GmshStream& stream) { return SectionReader(stream).read(); }

}  // namespace quoin
