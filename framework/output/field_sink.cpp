#include <algorithm>
#include <cstring>
#include <type_traits>

#include "output/element_files.hpp"
#include "quoin/error.hpp"
#include "quoin/fields.hpp"

namespace quoin {
namespace {

/// All `count` values of an array that comes in pieces.
template <class T>
void collect(const ElementsOfRanks& elements, const std::string& array, std::int64_t count, std::vector<T>& values) {
  values.reserve(static_cast<std::size_t>(count));
  elements.give(array, [&values](std::span<const std::byte> piece) {
    const std::size_t before = values.size();
    values.resize(before + piece.size() / sizeof(T));
    std::memcpy(values.data() + before, piece.data(), piece.size());
  });
}

}  // namespace

ElementFields without_values(const ElementFields& frame) {
  ElementFields head{.level = frame.level, .step = frame.step, .time = frame.time, .order = frame.order};
  for (const NodeValues& field : frame.fields) head.fields.push_back({field.name, {}});
  for (const NamedArray& array : frame.data) {
    head.data.push_back({array.name, array.shape, {}});
    std::visit([&](const auto& values) { head.data.back().values = std::decay_t<decltype(values)>(); }, array.values);
  }
  head.facts = frame.facts;
  head.compression = frame.compression;
  return head;
}

std::span<const std::byte> bytes_of(const ElementFields& frame, const std::string& array) {
  static_assert(sizeof(Point) == 2 * sizeof(double));
  if (array == "nodes") return std::as_bytes(std::span(frame.nodes));
  if (array == "corners") return std::as_bytes(std::span(frame.shapes));
  for (const NodeValues& field : frame.fields)
    if (array == "fields/" + field.name) return std::as_bytes(std::span(field.values));
  const auto found = std::ranges::find(frame.data, array, &NamedArray::name);
  if (found == frame.data.end()) throw Error(ErrorKind::bug, "a frame without the array '" + array + "'", frame.level);
  return std::visit([](const auto& values) { return std::as_bytes(std::span(values)); }, found->values);
}

ElementFields collected(const ElementsOfRanks& elements) {
  ElementFields frame = elements.frame;
  collect(elements, "nodes", elements.nodes, frame.nodes);
  collect(elements, "corners", elements.cells, frame.shapes);
  for (NodeValues& field : frame.fields) collect(elements, "fields/" + field.name, elements.nodes, field.values);
  for (NamedArray& array : frame.data)
    std::visit([&](auto& values) { collect(elements, array.name, count_of(array), values); }, array.values);
  return frame;
}

void FieldSink::elements_of_ranks(const ElementsOfRanks& elements) { this->elements(collected(elements)); }

void FieldSink::grid_in_pieces(const GridPieces& pieces) {
  throw Error(ErrorKind::bug, "a field in pieces that were not asked for", pieces.field.name);
}

}  // namespace quoin
