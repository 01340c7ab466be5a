#include "output/field_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/beside.hpp"
#include "base/hash_beside.hpp"
#include "output/csv.hpp"
#include "output/element_files.hpp"
#include "output/folder_files.hpp"
#include "output/hdf5.hpp"
#include "output/names.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"
#include "quoin/matrix_market.hpp"
#include "quoin/precision.hpp"

namespace quoin {
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

/// All files of a field or frame. Others of it, by another number of ranks before the run went on, are no more.
void FieldFiles::note_all(const std::string& stem, const std::vector<std::string>& names) {
  std::erase_if(names_, [&](const std::string& known) {
    if (stem_of_piece(known) != stem || known.ends_with(".csv") || std::ranges::find(names, known) != names.end())
      return false;
    folder_.remove(known);
    return true;
  });
  for (const std::string& name : names) note(name);
}

void FieldFiles::grid(const GridField& field) {
  const std::size_t size = element_size(field.precision);
  const auto nx = static_cast<std::size_t>(field.nx);
  const auto ring = static_cast<std::size_t>(field.ring);
  const auto require = [&field](std::size_t bytes, std::size_t right) {
    if (bytes == right) return;
    throw Error(ErrorKind::bug,
                fmt::format("{} bytes of {} x {} nodes, not {}", bytes, field.nx, field.row_count(), right),
                field.name);
  };
  if (!field.rows) require(field.values.size(), nx * static_cast<std::size_t>(field.row_count()) * size);
  std::int64_t rows = 0;
  HashBeside beside(hash_);
  GridField hashed = field;
  hashed.rows = [&](const GridField::Take& take) {
    field.each_row([&](std::span<const std::byte> row) {
      require(row.size(), nx * size);
      if (rows >= field.ring && rows < field.row_count() - field.ring)
        beside.add(row.subspan(ring * size, (nx - 2 * ring) * size));
      take(row);
      ++rows;
    });
    require(static_cast<std::size_t>(rows) * nx * size, nx * static_cast<std::size_t>(field.row_count()) * size);
  };
  if (wanted_ && !in_pieces())
    note_all(field.name, {write_vti(folder_, hashed)});
  else
    hashed.rows([](std::span<const std::byte>) {});
  beside.finish();
}

void FieldFiles::grid_in_pieces(const GridPieces& pieces) {
  grid(pieces.field);  // for its hash
  FolderFiles files(folder_, pieces.field.name, ".vti", ranks_);
  pieces.write(files);
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks_; ++rank) {
    const GridRows& rows = pieces.rows[static_cast<std::size_t>(rank)];
    if (rows.first < rows.last) names.push_back(files.name(rank));
  }
  names.push_back(write_pvti(folder_, pieces));
  note_all(pieces.field.name, names);
}

void FieldFiles::vector(const VectorValues& vector) {
  if (!wanted_) return;
  std::string text;
  write_vector(vector.values, [&](std::string_view piece) { text += piece; });
  const std::string name = vector.name + ".mtx";
  folder_.write_whole(name, {text});
  note(name);
  if (vector.shape.empty()) return;
  folder_.write_whole(vector.name + ".h5", [&](const PutAt& put) {
    const auto file = Hdf5File::create(put);
    file->add("fields/" + vector.name, vector.shape, vector.values);
    file->close();
  });
  note(vector.name + ".h5");
}

void FieldFiles::elements(const ElementFields& frame) { write_in_one(given_whole(frame)); }

void FieldFiles::elements_of_ranks(const ElementsOfRanks& elements) {
  in_pieces() ? write_in_pieces(elements) : write_in_one(elements);
}

void FieldFiles::hash(const ElementsOfRanks& elements) {
  for (const NodeValues& field : elements.frame.fields)
    elements.give("fields/" + field.name, [this](std::span<const std::byte> values) { hash_.add(values); });
}

void FieldFiles::write_in_one(const ElementsOfRanks& elements) {
  if (!wanted_) return hash(elements);
  HashBeside beside(hash_);
  ElementsOfRanks hashed = elements;  // on the way into the first file
  hashed.give = [&](const std::string& array, const TakeBytes& take) {
    elements.give(array, [&](std::span<const std::byte> values) {
      if (array.starts_with("fields/")) beside.add(values);
      take(values);
    });
  };
  const std::string stem = frame_name(elements.frame.level, elements.frame.step);
  const std::string program = stem + ".h5";
  const std::string picture = stem + ".vtu";
  folder_.claim(std::vector{program, picture});
  const auto write_program = [&] {
    folder_.write_whole(program, [&](const PutAt& put) { put_hdf5(hashed, put); });
    beside.finish();
  };
  const bool keep = elements.mesh_stays && elements.frame.compression != Compression::none;  // else it takes no time
  VtuMesh* const mesh = keep ? &meshes_[elements.frame.level] : nullptr;
  const auto write_picture = [&] {
    folder_.write_whole(picture, [&](const PutAt& put) { put_vtu(elements, put, mesh); });
  };
  if (elements.by_many) {
    Beside programs;
    programs.start(write_program);
    write_picture();
    programs.finish();
  } else {
    write_program();
    write_picture();
  }
  note_all(stem, {program, picture});
  add_to_series(elements.frame, picture);
}

void FieldFiles::write_in_pieces(const ElementsOfRanks& elements) {
  hash(elements);
  const ElementFields& frame = elements.frame;
  const std::string stem = frame_name(frame.level, frame.step);
  FolderFiles pictures(folder_, stem, ".vtu", ranks_);
  FolderFiles programs(folder_, stem, ".h5", ranks_);
  const std::vector<std::uint64_t> sizes = elements.write(pictures, programs);
  std::vector<std::string> sources;
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (sizes[static_cast<std::size_t>(rank)] == 0) continue;
    sources.push_back(pictures.name(rank));
    names.insert(names.end(), {programs.name(rank), pictures.name(rank)});
  }
  names.push_back(write_pvtu(folder_, frame, sources));
  note_all(stem, names);
  add_to_series(frame, names.back());
}

/// The series names a frame only once it is there.
void FieldFiles::add_to_series(const ElementFields& frame, const std::string& picture) {
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
  for (const auto& [level, frames] : frames_) {
    nlohmann::json list = nlohmann::json::array();  // as in to_json(Summary), no null becomes one
    for (const TimedFile& frame : frames) list.push_back({frame.time, frame.name});
    state["frames"][level] = std::move(list);
  }
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
