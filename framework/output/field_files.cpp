#include "output/field_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "output/csv.hpp"
#include "output/hdf5.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"
#include "quoin/matrix_market.hpp"
#include "quoin/precision.hpp"

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

}  // namespace

bool FieldFiles::begin_frame(std::int64_t step) {
  if (frame_ == step) return false;
  frame_ = step;
  hash_ = Sha256();
  kept_sha256_.clear();
  return true;
}

void FieldFiles::note(const std::string& name) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

void FieldFiles::grid(const GridField& field) {
  const std::size_t size = element_size(field.precision);
  const auto nx = static_cast<std::size_t>(field.nx);
  const auto ring = static_cast<std::size_t>(field.ring);
  const auto require = [&field](std::size_t bytes, std::size_t right) {
    if (bytes == right) return;
    throw Error(ErrorKind::bug, fmt::format("{} bytes of {} x {} nodes, not {}", bytes, field.nx, field.ny, right),
                field.name);
  };
  if (!field.rows) require(field.values.size(), nx * static_cast<std::size_t>(field.ny) * size);
  std::int64_t rows = 0;
  GridField hashed = field;
  hashed.rows = [&](const GridField::Take& take) {
    field.each_row([&](std::span<const std::byte> row) {
      require(row.size(), nx * size);
      if (rows >= field.ring && rows < field.ny - field.ring)
        hash_.add(row.subspan(ring * size, (nx - 2 * ring) * size));
      take(row);
      ++rows;
    });
    require(static_cast<std::size_t>(rows) * nx * size, nx * static_cast<std::size_t>(field.ny) * size);
  };
  if (wanted_)
    note(write_vti(folder_, hashed));
  else
    hashed.rows([](std::span<const std::byte>) {});
}

void FieldFiles::vector(const VectorValues& vector) {
  if (!wanted_) return;
  std::string text;
  write_vector(vector.values, [&](std::string_view piece) { text += piece; });
  const std::string name = vector.name + ".mtx";
  folder_.write_whole(name, {text});
  note(name);
  if (vector.shape.empty()) return;
  Hdf5File file;
  file.add("fields/" + vector.name, vector.shape, vector.values);
  folder_.write_whole(vector.name + ".h5", {file.image()});
  note(vector.name + ".h5");
}

void FieldFiles::elements(const ElementFields& frame) {
  require_fitting(frame);
  for (const NodeValues& field : frame.fields) hash_.add(std::as_bytes(std::span(field.values)));
  if (!wanted_) return;
  const std::string programs = frame_name(frame.level, frame.step) + ".h5";
  folder_.write_whole(programs, {hdf5_image(frame)});
  note(programs);
  const std::string picture = write_vtu(folder_, frame);
  note(picture);
  // The series names a frame only once it is there.
  std::vector<TimedFile>& frames = frames_[frame.level];
  frames.push_back({frame.time, picture});
  note(write_pvd(folder_, frame.level, frames));
}

void FieldFiles::series(const Table& more) {
  auto found = series_.find(more.name);
  if (found == series_.end()) {
    const std::string name = more.name + ".csv";
    found = series_.emplace(more.name, Series{folder_.grow(name), more.columns.size(), {}}).first;
    note(name);
    grow(found->second, csv_head(more.columns));
  }
  if (found->second.width != more.columns.size())
    throw Error(ErrorKind::checkpoint, fmt::format("the table '{}' of the checkpoint has other columns", more.name));
  grow(found->second, csv_lines(more.rows, found->second.width));
}

void FieldFiles::grow(Series& series, const std::string& text) {
  series.file.write(text);
  series.text += text;
}

std::string FieldFiles::state() const {
  nlohmann::json state{{"names", names_}, {"frames", nlohmann::json::object()}, {"series", nlohmann::json::object()}};
  for (const auto& [level, frames] : frames_)
    for (const TimedFile& frame : frames) state["frames"][level].push_back({frame.time, frame.name});
  for (const auto& [name, series] : series_) state["series"][name] = {series.width, series.text};
  if (frame_) state["frame"] = {*frame_, sha256()};
  return state.dump();
}

void FieldFiles::restore(const std::string& state) {
  const auto kept = nlohmann::json::parse(state);
  names_ = kept.at("names").get<std::vector<std::string>>();
  for (const auto& [level, frames] : kept.at("frames").items())
    for (const auto& frame : frames)
      frames_[level].push_back({frame.at(0).get<double>(), frame.at(1).get<std::string>()});
  for (const auto& [level, frames] : frames_) write_pvd(folder_, level, frames);  // it may name later ones
  if (kept.contains("frame")) {
    frame_ = kept["frame"].at(0).get<std::int64_t>();
    kept_sha256_ = kept["frame"].at(1).get<std::string>();
  }
  for (const auto& [name, series] : kept.at("series").items()) {
    const auto made =
        series_.emplace(name, Series{folder_.grow(name + ".csv"), series.at(0).get<std::size_t>(), {}}).first;
    grow(made->second, series.at(1).get<std::string>());
  }
}

void FieldFiles::table(const Table& table) {
  const std::string name = table.name + ".csv";
  folder_.write_whole(name, {csv_head(table.columns), csv_lines(table.rows, table.columns.size())});
  note(name);
}

void FieldFiles::close() {
  for (auto& [name, series] : series_) series.file.close();
}

}  // namespace quoin
