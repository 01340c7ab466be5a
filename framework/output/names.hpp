#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

// The files of a result folder, fields apart.
inline constexpr const char* summary_name = "summary.json";
inline constexpr const char* history_name = "history.csv";
inline constexpr const char* timing_name = "timing.csv";
inline constexpr const char* case_name = "case.yaml";
inline constexpr const char* log_name = "run.log";
inline constexpr const char* trace_name = "trace.json";
inline constexpr const char* report_name = "report.html";
inline constexpr std::array result_names{summary_name, history_name, timing_name, case_name,
                                         log_name,     trace_name,   report_name};
// Of the folder of a study.
inline constexpr const char* converge_name = "converge.json";
inline constexpr const char* compare_name = "compare.json";
inline constexpr const char* sweep_name = "sweep.json";
inline constexpr std::array study_names{converge_name, "converge.csv", compare_name, sweep_name,
                                        "sweep.csv",   "tune.json",    "bench.json"};
// Of either.
inline constexpr const char* list_name = "files.txt";

/// What a file is called until it is whole.
inline std::string temporary_name(std::string_view name) { return "." + std::string(name) + ".part"; }

/// Whether fields or tables go to files of such a name.
inline bool is_field_name(std::string_view name) {
  constexpr std::array endings{".vti", ".pvti", ".vtu", ".pvtu", ".pvd", ".h5", ".csv", ".mtx"};
  return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

/// Whether it is a rank's piece of a field, `u_3.vti`.
inline bool is_piece_name(std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const std::size_t rank = stem.find_last_not_of("0123456789");
  return rank != std::string_view::npos && rank + 1 < stem.size() && stem[rank] == '_';
}

/// The files that a .pvti or .pvtu of this text names, which lie beside it. ErrorKind::io where one would lie
/// elsewhere.
std::vector<std::filesystem::path> pieces_in(const std::filesystem::path& file, const std::string& text);

/// The files for programs beside those that a .pvtu names. ErrorKind::io where it names none.
std::vector<std::filesystem::path> pieces_of_frame(const std::filesystem::path& file);

/// `u` of u.vti, u.pvti and u_3.vti.
inline std::string_view stem_of_piece(std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('.'));
  return is_piece_name(name) ? stem.substr(0, stem.rfind('_')) : stem;
}

}  // namespace quoin
