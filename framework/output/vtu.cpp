#include "output/vtu.hpp"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "output/text.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

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

/// As VTK reads it: the counts of blocks and bytes, then blocks of zlib, both in base64.
std::string compressed(std::string_view bytes) {
  constexpr std::size_t block = 1 << 15;
  std::vector<std::uint64_t> head{(bytes.size() + block - 1) / block, block, bytes.size() % block};
  std::string blocks;
  std::vector<Bytef> target(compressBound(block));
  for (std::size_t start = 0; start < bytes.size(); start += block) {
    const std::string_view part = bytes.substr(start, block);
    uLongf length = target.size();
    if (compress(target.data(), &length, reinterpret_cast<const Bytef*>(part.data()), part.size()) != Z_OK)
      throw Error(ErrorKind::io, "zlib cannot compress a field; is there memory left?");
    head.push_back(length);
    blocks.append(reinterpret_cast<const char*>(target.data()), length);
  }
  return base64(bytes_of(head)) + base64(blocks);
}

template <class T>
std::string array(const std::string& type, const std::string& attributes, const std::vector<T>& values) {
  return "        <DataArray type=\"" + type + "\" " + attributes + " format=\"binary\">" +
         compressed(bytes_of(values)) + "</DataArray>\n";
}

std::string named(const std::string& name) { return "Name=\"" + name + "\""; }

std::string cells(const ElementFields& frame) {
  constexpr std::uint8_t lagrange_triangle = 69;
  constexpr std::uint8_t lagrange_quadrilateral = 70;
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;
  const auto triangle = static_cast<std::int64_t>(lagrange_nodes(CellShape::triangle, frame.order).size());
  const auto quadrilateral = static_cast<std::int64_t>(lagrange_nodes(CellShape::quadrilateral, frame.order).size());
  std::int64_t end = 0;
  for (const CellShape shape : frame.shapes) {
    const bool three = shape == CellShape::triangle;
    end += three ? triangle : quadrilateral;
    offsets.push_back(end);
    types.push_back(three ? lagrange_triangle : lagrange_quadrilateral);
  }
  for (std::int64_t node = 0; node < end; ++node) connectivity.push_back(node);
  return array("Int64", named("connectivity"), connectivity) + array("Int64", named("offsets"), offsets) +
         array("UInt8", named("types"), types);
}

std::string points(const ElementFields& frame) {
  std::vector<double> xyz;
  xyz.reserve(3 * frame.nodes.size());
  for (const Point& node : frame.nodes) xyz.insert(xyz.end(), {node.x, node.y, 0.0});
  return array("Float64", named("Points") + " NumberOfComponents=\"3\"", xyz);
}

}  // namespace

std::string vtu_text(const ElementFields& frame) {
  // Readers take the nodes of an older version to be in another order.
  std::string text =
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
      shortest(frame.nodes.size()) + "\" NumberOfCells=\"" + shortest(frame.shapes.size()) +
      "\">\n      <PointData Scalars=\"" + frame.fields.front().name + "\">\n";
  for (const NodeValues& field : frame.fields) text += array("Float64", named(field.name), field.values);
  text += "      </PointData>\n      <Points>\n" + points(frame) + "      </Points>\n      <Cells>\n" + cells(frame) +
          "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
  return text;
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
