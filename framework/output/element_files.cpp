#include "output/element_files.hpp"

#include <fmt/format.h>

#include <array>

#include "output/hdf5.hpp"
#include "output/vtu.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

[[noreturn]] void refuse(const ElementFields& frame, const std::string& what) {
  throw Error(ErrorKind::bug, what, frame_name(frame.level, frame.step));
}

}  // namespace

void require_fitting(const ElementFields& frame) {
  const std::size_t triangle = lagrange_nodes(CellShape::triangle, frame.order).size();
  const std::size_t quadrilateral = lagrange_nodes(CellShape::quadrilateral, frame.order).size();
  std::size_t nodes = 0;
  for (const CellShape shape : frame.shapes) nodes += shape == CellShape::triangle ? triangle : quadrilateral;
  if (frame.nodes.size() != nodes)
    refuse(frame, fmt::format("{} nodes where the cells have {}", frame.nodes.size(), nodes));
  if (frame.fields.empty()) refuse(frame, "a frame without fields");
  for (const NodeValues& field : frame.fields) {
    if (field.values.size() != nodes)
      refuse(frame, fmt::format("the field '{}' has {} values at {} nodes", field.name, field.values.size(), nodes));
  }
}

/// The frame for programs: `nodes` (n by x, y), `corners` (3 or 4, one a cell), `fields/NAME`, and its data.
std::string hdf5_image(const ElementFields& frame) {
  Hdf5File file;
  file.attribute("step", frame.step);
  file.attribute("time", frame.time);
  file.attribute("order", std::int64_t{frame.order});
  for (const NamedFact& fact : frame.facts)
    std::visit([&](const auto& value) { file.attribute(fact.name, value); }, fact.value);
  const auto nodes = static_cast<std::int64_t>(frame.nodes.size());
  std::vector<double> xy;
  for (const Point& node : frame.nodes) xy.insert(xy.end(), {node.x, node.y});
  file.add("nodes", std::array{nodes, std::int64_t{2}}, std::span<const double>(xy));
  std::vector<std::int64_t> corners;
  for (const CellShape shape : frame.shapes) corners.push_back(shape == CellShape::triangle ? 3 : 4);
  file.add("corners", std::array{static_cast<std::int64_t>(corners.size())}, std::span<const std::int64_t>(corners));
  for (const NodeValues& field : frame.fields)
    file.add("fields/" + field.name, std::array{nodes}, std::span<const double>(field.values));
  for (const NamedArray& array : frame.data)
    std::visit([&](const auto& values) { file.add(array.name, array.shape, std::span(values)); }, array.values);
  return file.image();
}

std::vector<std::uint64_t> write_piece(Communicator& ranks, RankFiles* pictures, RankFiles* programs,
                                       const ElementFields& frame) {
  require_fitting(frame);
  const auto write = [&](RankFiles* files, std::string (*image)(const ElementFields&)) {
    const std::string bytes = frame.shapes.empty() ? std::string() : image(frame);
    return write_files(ranks, files, bytes.size(),
                       [&](const TakeBytes& take) { take(std::as_bytes(std::span(bytes))); });
  };
  (void)write(programs, hdf5_image);
  return write(pictures, vtu_text);
}

}  // namespace quoin
