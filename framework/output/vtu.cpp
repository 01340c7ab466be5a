#include "output/vtu.hpp"

#include <libdeflate.h>
#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "base/beside.hpp"
#include "base/parallel.hpp"
#include "output/text.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr std::uint8_t lagrange_triangle = 69;
constexpr std::uint8_t lagrange_quadrilateral = 70;
constexpr std::size_t block = 1 << 15;  // bytes that are compressed together

std::string base64(std::string_view bytes) {
  constexpr std::size_t piece = 3 << 20;  // the library counts in int
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t start = 0; start < bytes.size(); start += piece) {
    const std::string_view part = bytes.substr(start, piece);
    std::vector<unsigned char> coded((part.size() + 2) / 3 * 4 + 1);
    const int length = EVP_EncodeBlock(coded.data(), reinterpret_cast<const unsigned char*>(part.data()),
                                       static_cast<int>(part.size()));
    text.append(reinterpret_cast<const char*>(coded.data()), static_cast<std::size_t>(length));
  }
  return text;
}

/// As libdeflate counts. Blocks that are not compressed are zlib's as well, so that readers need no other format. What
/// is fast takes two thirds of the time of the next level, for values of flows that are larger by 0 to 3 %, in float by
/// 11 %. What is best takes a tenth of the time of the last level, for nodes that are larger by 2 %.
int level_of(Compression compression) {
  return compression == Compression::none ? 0 : compression == Compression::fast ? 1 : 6;
}

/// Each block as zlib has it, on all cores.
std::vector<std::string> compressed(std::string_view bytes, int level) {
  std::vector<std::string> blocks((bytes.size() + block - 1) / block);
  const auto compress_part = [&](const Part& part) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string room(libdeflate_zlib_compress_bound(compressor.get(), block), '\0');
    for (auto k = static_cast<std::size_t>(part.first); k < static_cast<std::size_t>(part.last); ++k) {
      const std::string_view source = bytes.substr(k * block, block);
      const std::size_t length =
          libdeflate_zlib_compress(compressor.get(), source.data(), source.size(), room.data(), room.size());
      if (length == 0) throw Error(ErrorKind::bug, "a block of a frame has no room when compressed");
      blocks[k].assign(room, 0, length);
    }
  };
  parallel_parts(static_cast<std::int64_t>(blocks.size()), compress_part, /*least=*/8);
  return blocks;
}

/// VTK's XML, whose arrays need not be whole in memory.
class VtuText {
 public:
  VtuText(const PutAt& put, Compression compression) : put_(put), level_(level_of(compression)) {}

  void add(std::string_view text) {
    put(end_, text);
    end_ += text.size();
  }
  /// What `more` adds.
  std::string kept(const std::function<void()>& more) {
    std::string text;
    keep_ = into(text);
    kept_from_ = end_;
    more();
    keep_ = {};
    text.shrink_to_fit();
    return text;
  }
  /// As VTK reads them: the counts of blocks and bytes, then the blocks, both in base64.
  void array(const std::string& type, const std::string& attributes, std::uint64_t bytes, const GiveBytes& give);

 private:
  void put(std::uint64_t at, std::string_view text) {
    put_(at, text);
    if (keep_) keep_(at - kept_from_, text);
  }
  void add_blocks(const std::vector<std::string>& blocks);

  const PutAt& put_;
  PutAt keep_;
  std::uint64_t kept_from_ = 0;
  int level_;
  std::uint64_t end_ = 0;
  std::vector<std::uint64_t> sizes_;  // of the blocks of an array
  std::string coded_;                 // what is left of them until there are three bytes for four letters
};

void VtuText::add_blocks(const std::vector<std::string>& blocks) {
  for (const std::string& one : blocks) {
    sizes_.push_back(one.size());
    coded_ += one;
  }
  const std::size_t whole = coded_.size() / 3 * 3;
  add(base64(std::string_view(coded_).substr(0, whole)));
  coded_.erase(0, whole);
}

void VtuText::array(const std::string& type, const std::string& attributes, std::uint64_t bytes,
                    const GiveBytes& give) {
  add("        <DataArray type=\"" + type + "\" " + attributes + " format=\"binary\">");
  std::vector<std::uint64_t> head{(bytes + block - 1) / block, block, bytes % block};
  const std::uint64_t head_at = end_;
  end_ += (8 * (head.size() + head.front()) + 2) / 3 * 4;  // it is put when the sizes are known
  sizes_.clear();
  std::string waiting;
  constexpr std::size_t many = 128 * block;
  std::uint64_t given = 0;
  std::vector<std::string> blocks;
  Beside adding;  // those at hand, while the next are compressed
  give([&](std::span<const std::byte> piece) {
    given += piece.size();
    waiting.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    if (waiting.size() < many) return;
    const std::size_t whole = waiting.size() / block * block;
    std::vector<std::string> next = compressed(std::string_view(waiting).substr(0, whole), level_);
    adding.finish();
    blocks = std::move(next);
    adding.start([&] { add_blocks(blocks); });
    waiting.erase(0, whole);
  });
  adding.finish();
  add_blocks(compressed(waiting, level_));
  add(base64(std::exchange(coded_, {})));
  if (given != bytes) throw Error(ErrorKind::bug, "an array of a frame has not as many values as its cells ask for");
  head.insert(head.end(), sizes_.begin(), sizes_.end());
  put(head_at, base64({reinterpret_cast<const char*>(head.data()), 8 * head.size()}));
  add("</DataArray>\n");
}

std::string named(const std::string& name) { return "Name=\"" + name + "\""; }

/// An array that is made of another one's pieces of Source: make(values, source).
template <class Target, class Source, class Make>
GiveBytes made_of(const ElementsOfRanks& elements, const std::string& array, const Make& make) {
  return [&elements, array, make](const TakeBytes& take) {
    std::vector<Source> source;
    std::vector<Target> values;
    elements.give(array, [&](std::span<const std::byte> piece) {
      source.resize(piece.size() / sizeof(Source));
      std::memcpy(source.data(), piece.data(), piece.size());
      values.clear();
      make(values, source);
      take(std::as_bytes(std::span(values)));
    });
  };
}

void add_points(VtuText& text, const ElementsOfRanks& elements) {
  const auto with_z = [](std::vector<double>& xyz, const std::vector<Point>& points) {
    xyz.resize(3 * points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      xyz[3 * k] = points[k].x;
      xyz[3 * k + 1] = points[k].y;
      xyz[3 * k + 2] = 0.0;
    }
  };
  text.array("Float64", named("Points") + " NumberOfComponents=\"3\"",
             3 * sizeof(double) * static_cast<std::uint64_t>(elements.nodes),
             made_of<double, Point>(elements, "nodes", with_z));
}

void add_cells(VtuText& text, const ElementsOfRanks& elements) {
  const auto nodes = static_cast<std::uint64_t>(elements.nodes);
  const auto cells = static_cast<std::uint64_t>(elements.cells);
  const auto triangle = static_cast<std::int64_t>(lagrange_nodes(CellShape::triangle, elements.frame.order).size());
  const auto quadrilateral =
      static_cast<std::int64_t>(lagrange_nodes(CellShape::quadrilateral, elements.frame.order).size());
  text.array("Int64", named("connectivity"), 8 * nodes, [nodes](const TakeBytes& take) {
    std::vector<std::int64_t> numbers;
    for (std::uint64_t first = 0; first < nodes; first += block) {
      numbers.resize(std::min<std::uint64_t>(block, nodes - first));
      std::iota(numbers.begin(), numbers.end(), static_cast<std::int64_t>(first));
      take(std::as_bytes(std::span(numbers)));
    }
  });
  std::int64_t end = 0;
  const auto ends = [&](std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& corners) {
    for (const std::int64_t many : corners) offsets.push_back(end += many == 3 ? triangle : quadrilateral);
  };
  text.array("Int64", named("offsets"), 8 * cells, made_of<std::int64_t, std::int64_t>(elements, "corners", ends));
  const auto kinds = [](std::vector<std::uint8_t>& types, const std::vector<std::int64_t>& corners) {
    for (const std::int64_t many : corners) types.push_back(many == 3 ? lagrange_triangle : lagrange_quadrilateral);
  };
  text.array("UInt8", named("types"), cells, made_of<std::uint8_t, std::int64_t>(elements, "corners", kinds));
}

}  // namespace

void put_vtu(const ElementsOfRanks& elements, const PutAt& put, VtuMesh* mesh) {
  const ElementFields& frame = elements.frame;
  VtuText text(put, frame.compression);
  // Readers take the nodes of an older version to be in another order.
  text.add(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "  <UnstructuredGrid>\n"
      "    <FieldData>\n"
      "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" +
      shortest(frame.time) +
      "</DataArray>\n"
      "    </FieldData>\n"
      "    <Piece NumberOfPoints=\"" +
      shortest(elements.nodes) + "\" NumberOfCells=\"" + shortest(elements.cells) + "\">\n      <PointData Scalars=\"" +
      frame.fields.front().name + "\">\n");
  for (const NodeValues& field : frame.fields)
    text.array("Float64", named(field.name), sizeof(double) * static_cast<std::uint64_t>(elements.nodes),
               [&](const TakeBytes& take) { elements.give("fields/" + field.name, take); });
  text.add("      </PointData>\n");
  const auto add_mesh = [&] {
    text.add("      <Points>\n");
    add_points(text, elements);
    text.add("      </Points>\n      <Cells>\n");
    add_cells(text, elements);
    text.add("      </Cells>\n");
  };
  if (mesh == nullptr) {
    add_mesh();
  } else if (mesh->text.empty()) {
    *mesh = {elements.cells, elements.nodes, text.kept(add_mesh)};
  } else {
    if (mesh->cells != elements.cells || mesh->nodes != elements.nodes)
      throw Error(ErrorKind::bug, "a mesh that was to stay has changed", frame_name(frame.level, frame.step));
    text.add(mesh->text);
  }
  text.add("    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n");
}

std::string write_pvtu(ResultFolder& folder, const ElementFields& frame, std::span<const std::string> pieces) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PUnstructuredGrid\" version=\"2.2\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n"
      "    <PPointData Scalars=\"" +
      frame.fields.front().name + "\">\n";
  for (const NodeValues& field : frame.fields)
    text += "      <PDataArray type=\"Float64\" Name=\"" + field.name + "\"/>\n";
  text +=
      "    </PPointData>\n"
      "    <PPoints>\n      <PDataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    </PPoints>\n";
  for (const std::string& piece : pieces) text += "    <Piece Source=\"" + piece + "\"/>\n";
  text += "  </PUnstructuredGrid>\n</VTKFile>\n";
  std::string name = frame_name(frame.level, frame.step) + ".pvtu";
  folder.write_whole(name, {text});
  return name;
}

std::string write_pvd(ResultFolder& folder, const std::string& level, std::span<const TimedFile> frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const TimedFile& frame : frames)
    text += "    <DataSet timestep=\"" + shortest(frame.time) + "\" part=\"0\" file=\"" + frame.name + "\"/>\n";
  text += "  </Collection>\n</VTKFile>\n";
  std::string name = level + ".pvd";
  folder.write_whole(name, {text});
  return name;
}

}  // namespace quoin
