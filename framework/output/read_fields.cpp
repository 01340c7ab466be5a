#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <tuple>

#include "output/checkpoint_files.hpp"
#include "output/hdf5_input.hpp"
#include "output/names.hpp"
#include "output/vti.hpp"
#include "quoin/error.hpp"
#include "quoin/fields.hpp"
#include "quoin/matrix_market.hpp"
#include "quoin/results.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// Of the files of one frame, one after another.
std::vector<WrittenField> read_frame(const std::vector<fs::path>& files) {
  std::vector<WrittenField> fields;
  std::vector<double> places;
  for (const fs::path& file : files) {
    const auto input = Hdf5Input::open(file);
    const std::vector<std::string> arrays = input->names("/");
    const bool of_nodes = std::ranges::find(arrays, "nodes") != arrays.end();
    if (of_nodes) std::ranges::copy(input->values("nodes"), std::back_inserter(places));
    const std::vector<std::string> names = input->names("fields");
    fields.resize(std::max(fields.size(), names.size()));
    for (std::size_t k = 0; k < names.size(); ++k) {
      fields[k].name = names[k];
      std::ranges::copy(input->values("fields/" + names[k]), std::back_inserter(fields[k].values));
      fields[k].size = fmt::format("{} {}", fields[k].values.size(), of_nodes ? "nodes" : "elements");
    }
  }
  for (WrittenField& field : fields) field.places = places;
  return fields;
}

WrittenField read_grid(const fs::path& file) {
  VtiInput grid(file);
  const GridField& head = grid.head();
  WrittenField field{
      head.name, fmt::format("{} x {} nodes", head.nx, head.ny), {head.x0, head.y0, head.dx, head.dy}, {}};
  if (head.nz > 1) {
    field.size = fmt::format("{} x {} x {} nodes", head.nx, head.ny, head.nz);
    field.places.insert(field.places.end(), {head.z0, head.dz});
  }
  std::vector<double> row;
  for (std::int64_t j = 0; j < head.row_count(); ++j) {
    grid.read_row(j, row);
    field.values.insert(field.values.end(), row.begin(), row.end());
  }
  return field;
}

WrittenField read_elements(const fs::path& file) try {
  std::vector<double> values = read_vector(file);
  return {file.stem().string(), fmt::format("{} elements", values.size()), {}, std::move(values)};
} catch (const Error& error) {  // it is no file of the user's
  throw Error(ErrorKind::io, error.what(), error.where());
}

/// `cells-000025` as `cells` and 25.
std::pair<std::string, std::int64_t> split_step(const std::string& stem) {
  constexpr std::size_t digits_at_least = 6;
  const std::size_t dash = stem.rfind('-');
  std::int64_t step = -1;
  if (dash == std::string::npos || stem.size() - dash - 1 < digits_at_least) return {stem, step};
  const char* const end = stem.data() + stem.size();
  if (std::from_chars(stem.data() + dash + 1, end, step).ptr != end) return {stem, -1};
  return {stem.substr(0, dash), step};
}

}  // namespace

std::vector<WrittenField> read_fields(const fs::path& file) {
  if (file.extension() == ".h5") return read_frame({file});
  if (file.extension() == ".pvtu") return read_frame(pieces_of_frame(file));
  return {file.extension() == ".mtx" ? read_elements(file) : read_grid(file)};
}

std::vector<double> read_values(const fs::path& file) {
  std::vector<double> all;
  for (const WrittenField& field : read_fields(file)) all.insert(all.end(), field.values.begin(), field.values.end());
  return all;
}

std::vector<FieldFile> field_files(const fs::path& folder) {
  // What the ending of each says, and that of the file which names its pieces.
  constexpr std::array<std::array<std::string_view, 2>, 3> kinds{{{".vti", ".pvti"}, {".h5", ".pvtu"}, {".mtx", ""}}};
  std::vector<FieldFile> files;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const fs::path& path = entry->path();
    const std::string ending = path.extension().string();
    const auto kind =
        std::ranges::find_if(kinds, [&](const auto& each) { return each[0] == ending || each[1] == ending; });
    const std::string name = path.filename().string();
    if (kind == kinds.end() || ending.empty() || name[0] == '.' || is_checkpoint_name(name)) continue;
    if (is_piece_name(name) && fs::is_regular_file(folder / fmt::format("{}{}", stem_of_piece(name), (*kind)[1])))
      continue;
    const auto [series, step] = split_step(path.stem().string());
    const std::string whole((*kind)[0]);
    files.push_back({series + whole, step, path.stem().string() + whole, path});
  }
  if (code) throw Error(ErrorKind::io, "cannot read the folder: " + code.message(), folder.string());
  std::ranges::sort(files, {}, [](const FieldFile& file) { return std::tie(file.series, file.step, file.path); });
  return files;
}

}  // namespace quoin
