#include "output/element_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "output/hdf5.hpp"
#include "output/vtu.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

[[noreturn]] void refuse(const ElementFields& frame, const std::string& what) {
  throw Error(ErrorKind::bug, what, frame_name(frame.level, frame.step));
}

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
  for (const NamedArray& array : frame.data) {
    const auto room = static_cast<std::size_t>(count_of(array));
    const std::size_t count = std::visit([](const auto& values) { return values.size(); }, array.values);
    if (count != room)
      refuse(frame, fmt::format("the array '{}' has {} values where its shape has {}", array.name, count, room));
  }
}

}  // namespace

void give_array(const ElementFields& frame, const std::string& array, const TakeBytes& take) {
  constexpr std::size_t most = 1 << 22;
  for (std::span<const std::byte> left = bytes_of(frame, array); !left.empty();) {
    const std::span<const std::byte> piece = left.first(std::min(most, left.size()));
    left = left.subspan(piece.size());
    take(piece);
  }
}

ElementsOfRanks given_whole(const ElementFields& frame) {
  require_fitting(frame);
  ElementsOfRanks elements{without_values(frame), static_cast<std::int64_t>(frame.shapes.size()),
                           static_cast<std::int64_t>(frame.nodes.size())};
  elements.give = [&frame](const std::string& array, const TakeBytes& take) { give_array(frame, array, take); };
  elements.by_many = true;
  return elements;
}

void put_hdf5(const ElementsOfRanks& elements, const PutAt& put) {
  using Numbers = Hdf5File::Numbers;
  const ElementFields& frame = elements.frame;
  const auto file = Hdf5File::create(put);
  file->attribute("step", frame.step);
  file->attribute("time", frame.time);
  file->attribute("order", std::int64_t{frame.order});
  for (const NamedFact& fact : frame.facts)
    std::visit([&](const auto& value) { file->attribute(fact.name, value); }, fact.value);
  const auto add = [&](const std::string& name, std::span<const std::int64_t> shape, Numbers numbers) {
    file->add(name, shape, numbers, [&](const TakeBytes& take) { elements.give(name, take); });
  };
  add("nodes", std::array{elements.nodes, std::int64_t{2}}, Numbers::doubles);
  add("corners", std::array{elements.cells}, Numbers::integers);
  for (const NodeValues& field : frame.fields)
    add("fields/" + field.name, std::array{elements.nodes}, Numbers::doubles);
  for (const NamedArray& array : frame.data)
    add(array.name, array.shape,
        std::holds_alternative<std::vector<double>>(array.values) ? Numbers::doubles : Numbers::integers);
  file->close();
}

std::vector<std::uint64_t> write_piece(Communicator& ranks, RankFiles* pictures, RankFiles* programs,
                                       const ElementFields& frame) {
  const ElementsOfRanks own = given_whole(frame);
  const auto write = [&](RankFiles* files, void (*put_file)(const ElementsOfRanks&, const PutAt&)) {
    std::string bytes;
    if (!frame.shapes.empty()) put_file(own, into(bytes));
    return write_files(ranks, files, bytes.size(),
                       [&](const TakeBytes& take) { take(std::as_bytes(std::span(bytes))); });
  };
  (void)write(programs, put_hdf5);
  return write(pictures, [](const ElementsOfRanks& elements, const PutAt& put) { put_vtu(elements, put); });
}

}  // namespace quoin
