// `quoin table`: runs of result folders, a line each.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/problem.hpp"
#include "quoin/results.hpp"
#include "quoin/words.hpp"
#include "runs.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

struct TableArguments {
  std::vector<std::string> folders;
  bool json = false;
  bool csv = false;
};

struct Column {
  const char* name;  ///< for programs
  const char* title;
  char side;
  const char* format;  ///< of numbers, for people
};
constexpr std::array columns{Column{"folder", "run", 'l', ""},
                             Column{"problem", "problem", 'l', ""},
                             Column{"backend", "backend", 'l', ""},
                             Column{"size", "size", 'l', ""},
                             Column{"method", "method", 'l', ""},
                             Column{"iterations", "iterations", 'r', "{:.0f}"},
                             Column{"residual", "residual", 'r', "{:.3e}"},
                             Column{"error_l2", "error L2", 'r', "{:.3e}"},
                             Column{"loop_seconds", "loop s", 'r', "{:.3f}"},
                             Column{"wall_seconds", "wall s", 'r', "{:.3f}"},
                             Column{"status", "state", 'l', ""}};

/// What was found, and what was in the way.
struct Found {
  std::vector<Json> rows;
  std::vector<Error> faults;
};

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::set<fs::path> below;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->is_directory() && !entry->is_symlink()) below.insert(entry->path());
  if (code) throw Error(ErrorKind::io, "the folder cannot be read: " + code.message(), folder.string());
  return {below.begin(), below.end()};
}

Json row_of(const StoredRun& run) {
  const auto told = [&run](const char* pointer) {
    const Json::json_pointer place(pointer);
    return run.summary.contains(place) ? run.summary[place] : Json();
  };
  Json row{{"folder", run.folder.string()},
           {"problem", told("/problem")},
           {"backend", told("/backend")},
           {"size", nullptr},
           {"method", nullptr},
           {"iterations", told("/iterations")},
           {"residual", told("/residual")},
           {"error_l2", told("/errors/l2")},
           {"loop_seconds", told("/loop_seconds")},
           {"wall_seconds", told("/wall_seconds")},
           {"status", told("/status")}};
  if (!run.the_case) return row;
  const ProblemType& type = problem_type(run.the_case->text("problem.type"));
  row["problem"] = type.name;
  if (row["backend"].is_null()) row["backend"] = run.the_case->backends().front().name;  // the first choice
  if (type.brief == nullptr) return row;
  const Brief brief = type.brief(*run.the_case);
  if (!brief.size.empty()) row["size"] = brief.size;
  if (!brief.method.empty()) row["method"] = brief.method;
  return row;
}

/// The run that the folder holds, or those of the folders in it.
void find_runs(const fs::path& folder, const KeyTable& table, Found& found) {
  try {
    if (holds_run(folder)) return found.rows.push_back(row_of(stored_run(folder, table)));
    for (const fs::path& each : folders_in(folder)) find_runs(each, table, found);
  } catch (const Error& error) {
    found.faults.push_back(error);
  }
}

std::string cell(const Json& value, const Column& column) {
  if (value.is_number()) return fmt::format(fmt::runtime(column.format), value.get<double>());
  return value.is_string() ? printable(value.get<std::string>(), true) : "-";
}

std::string as_text(const std::vector<Json>& rows) {
  std::string sides;
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns) {
    sides += column.side;
    lines.front().emplace_back(column.title);
  }
  for (const Json& row : rows) {
    lines.emplace_back();
    for (const Column& column : columns) lines.back().push_back(cell(row[column.name], column));
  }
  return in_columns(lines, sides);
}

std::string as_csv(const std::vector<Json>& rows) {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + std::string(column.name);
  text += "\n";
  for (const Json& row : rows) {
    std::string line;
    for (const auto& [name, value] : row.items()) line += (line.empty() ? "" : ",") + csv_cell(value);
    text += line + "\n";
  }
  return text;
}

Json as_json(const Found& found) {
  Json json{{"version", 1}, {"runs", found.rows}, {"errors", Json::array()}};
  for (const Error& fault : found.faults)
    json["errors"].push_back({{"folder", fault.where()}, {"message", fault.what()}});
  return json;
}

int table(const Context& context, const TableArguments& arguments) {
  const KeyTable keys = key_table(candidates(context));
  Found found;
  for (const fs::path folder : arguments.folders) {
    const std::size_t before = found.rows.size() + found.faults.size();
    find_runs(folder, keys, found);
    if (found.rows.size() + found.faults.size() == before)
      found.faults.emplace_back(ErrorKind::io, "neither the folder nor one in it holds a run", folder.string());
  }
  if (arguments.json) {
    print(to_text(as_json(found)));
  } else if (arguments.csv || !found.rows.empty()) {
    print(arguments.csv ? as_csv(found.rows) : as_text(found.rows));
  }
  int code = 0;
  for (const Error& fault : found.faults)
    code = fail(printable(fault.where(), true) + ": " + fault.what(), fault.exit_code());
  return code;
}

}  // namespace

void add_table(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "table",
      "Print a line for each run in result folders. Where a folder holds none, the folders in it are looked through.");
  const auto arguments = std::make_shared<TableArguments>();
  command.add_option("folders", arguments->folders, "Result folders, or folders with such")
      ->type_name("DIR")
      ->required();
  CLI::Option* csv = command.add_flag("--csv", arguments->csv, "With commas between the columns, for spreadsheets");
  command.add_flag("--json", arguments->json, "For programs")->excludes(csv);
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return table(context, *arguments); }; });
}

}  // namespace quoin
