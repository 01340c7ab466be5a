#include "runs.hpp"

#include <algorithm>

#include "quoin/results.hpp"
#include "quoin/run.hpp"

namespace quoin {

std::string to_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json new_study(const Context& context, const CaseArguments& of_case) {
  return {{"version", 1}, {"case", of_case.file}, {"command_line", context.command_line}};
}

Json mistakes(const Error& error) {
  const auto* of_case = dynamic_cast<const CaseError*>(&error);
  if (of_case == nullptr) {
    const std::string where = error.where().empty() ? "" : error.where() + ": ";
    return Json::array(
        {{{"file", nullptr}, {"line", nullptr}, {"column", nullptr}, {"message", where + error.what()}}});
  }
  Json list = Json::array();
  for (const auto& [place, message] : of_case->diagnostics().mistakes()) {
    const bool known = place.line > 0;
    list.push_back({{"file", place.source},
                    {"line", known ? Json(place.line) : Json()},
                    {"column", known ? Json(std::max(place.column, 1)) : Json()},
                    {"message", message}});
  }
  return list;
}

Json try_run(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case, bool force) {
  try {
    const Outcome outcome =
        run_case(the_case, plugins, {.quiet = true, .force = force, .command_line = context.command_line});
    Json summary = Json::parse(outcome.summary);
    summary["directory"] = outcome.directory.string();
    return summary;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::case_file || error.kind() == ErrorKind::usage) throw;
    return {{"error", error.what()}, {"exit_code", error.exit_code()}};
  }
}

StoredRun stored_run(const std::filesystem::path& folder, const KeyTable& table) {
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none))
    throw Error(ErrorKind::io, "there is no such folder; give the result folder of a run", folder.string());
  if (!holds_run(folder))
    throw Error(ErrorKind::io, "the folder holds no run; give the result folder of one (output.directory)",
                folder.string());
  StoredRun run{folder, Json::parse(summary_of(folder)), std::nullopt, ""};
  try {
    run.the_case = Case::load(folder / "case.yaml", {}, table);
  } catch (const Error& error) {
    const std::string what = error.what();
    run.case_fault = (error.where().empty() ? "" : error.where() + ": ") + what.substr(0, what.find('\n'));
  }
  return run;
}

std::string in_columns(const std::vector<std::vector<std::string>>& rows, std::string_view sides) {
  const auto width = [](const std::string& text) {  // in characters
    return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  };
  std::vector<std::ptrdiff_t> widths(sides.size(), 0);
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string room(static_cast<std::size_t>(widths[k] - width(row[k])), ' ');
      line += (k == 0 ? "" : "  ") + (sides[k] == 'l' ? row[k] + room : room + row[k]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) text.insert(at, 1, '"');
  return '"' + text + '"';
}

bool stopped_by_signal(int code) { return code > 128; }

double kernel_seconds(const Json& summary) {
  double seconds = 0.0;
  for (const Json& kernel : summary["kernels"]) seconds += kernel["seconds"].get<double>();
  return seconds;
}

bool same_bits(const Json& one, const Json& other) {
  return one["field_sha256"] == other["field_sha256"] &&
         one.value("history_sha256", "") == other.value("history_sha256", "");
}

}  // namespace quoin
