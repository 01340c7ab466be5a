#pragma once

// Reading what a run has left in its folder. Errors are ErrorKind::io.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace quoin {

/// Whether a run has left its results there, or goes on.
bool holds_run(const std::filesystem::path& folder);

/// The text of its summary.json. Of a run without an end, as far as it came: `status`, which is `running` or `killed`,
/// and, once it has told them, `iterations`, `residual` and `loop_seconds`.
std::string summary_of(const std::filesystem::path& folder);

/// A file with fields, by what it is called where it is written whole: u.vti for u.pvti.
struct FieldFile {
  std::string series;      ///< its name without the step: `cells.h5`
  std::int64_t step = -1;  ///< -1: it has none
  std::string name;
  std::filesystem::path path;
};
/// Of fields on grids, of frames for programs, and of vectors, sorted by series and step. Pictures of frames hold the
/// same values again and are not among them.
std::vector<FieldFile> field_files(const std::filesystem::path& folder);

/// A field as a run has written it.
struct WrittenField {
  std::string name;
  std::string size;  ///< in words: `100 x 100 nodes`
  /// Of a grid its first node and the distances of nodes, of a frame x and y of each node, of a vector nothing.
  std::vector<double> places;
  std::vector<double> values;
};
/// The fields of such a file.
std::vector<WrittenField> read_fields(const std::filesystem::path& file);

}  // namespace quoin
