#include "sweep/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "quoin/results.hpp"
#include "quoin/words.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// Of no run, or of one that wrote what nobody can read, there is no more than a status.
Json summary_in(const fs::path& folder) {
  try {
    return Json::parse(summary_of(folder));
  } catch (const Error&) {
    return Json::object();
  }
}

std::string text_in(const Json& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

/// Whether the run would end the same way again.
bool came_to_its_end(const std::string& status) {
  constexpr std::array ends{Status::converged, Status::completed, Status::not_converged,
                            Status::stagnated, Status::max_steps, Status::diverged};
  return std::ranges::any_of(ends, [&](Status each) { return to_string(each) == status; });
}

/// Of the machine, or told beside the figures.
bool is_beside(const std::string& name) {
  constexpr std::array names{"version", "exit_code", "host", "versions", "tuned", "resumed", "copied_bytes"};
  return std::ranges::find(names, name) != names.end();
}

void add_figures(const Json& json, const std::string& section, Json& figures) {
  for (const auto& [name, value] : json.items()) {
    if (section.empty() && is_beside(name)) continue;
    if (value.is_object()) add_figures(value, section + name + ".", figures);
    if (value.is_number()) figures[section + name] = value;
  }
}

bool asked_to_end(int code) { return code == 128 + SIGINT || code == 128 + SIGTERM; }

/// The first line of what a program said, without its name.
std::string reason_in(const std::string& said) {
  constexpr std::string_view prefix = "quoin: error: ";
  const std::size_t at = said.find(prefix);
  std::string text = at == std::string::npos ? said : said.substr(at + prefix.size());
  text.erase(std::min(text.find('\n'), text.size()));
  return text;
}

/// Names of all figures, in the order in which members tell them.
std::vector<std::string> figures_of(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows)
    for (const auto& [name, value] : row["figures"].items())
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

Json figure(const Json& row, const std::string& name) {
  return row["figures"].contains(name) ? row["figures"][name] : Json();
}

}  // namespace

Left left_in(const fs::path& folder) {
  if (came_to_its_end(text_in(summary_in(folder), "status"))) return Left::all;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    const std::string name = entry->path().filename();
    if (name.starts_with("checkpoint-") && name.ends_with(".h5")) return Left::part;
  }
  return Left::nothing;
}

void put_end(Json& row, int code, const std::string& said) {
  const Json summary = summary_in(row["directory"].get<std::string>());
  const bool told = summary.contains("exit_code") && summary["exit_code"] == code;
  std::string status = text_in(summary, "status");
  if (!told || status == "running") {
    status = to_string(asked_to_end(code) ? Status::interrupted : Status::failed);
    if (stopped_by_signal(code) && !asked_to_end(code)) status = "killed";
  }
  row["status"] = status;
  row["exit_code"] = code;
  row["figures"] = Json::object();
  row.erase("message");
  if (told) add_figures(summary, "", row["figures"]);
  std::string message = told ? text_in(summary, "message") : "";
  if (message.empty() && status == to_string(Status::failed)) message = reason_in(said);
  if (message.empty() && status == "killed") message = strsignal(code - 128);
  if (!message.empty()) row["message"] = message;
}

void put_earlier_end(Json& row) {
  const Json summary = summary_in(row["directory"].get<std::string>());
  put_end(row, summary.contains("exit_code") && summary["exit_code"].is_number() ? summary["exit_code"].get<int>() : 0);
}

bool all_ended(const Json& rows) {
  return std::ranges::all_of(rows, [](const Json& row) { return came_to_its_end(row["status"].get<std::string>()); });
}

int first_exit_code(const Json& rows) {
  for (const Json& row : rows)
    if (row["exit_code"].is_number() && row["exit_code"] != 0) return row["exit_code"].get<int>();
  return 0;
}

std::string members_csv(const Json& rows) {
  const std::vector<std::string> figures = figures_of(rows);
  std::string text = "member";
  for (const auto& [key, value] : rows.front()["values"].items()) text += "," + csv_cell(key);
  text += ",status,exit_code,directory";
  for (const std::string& name : figures) text += "," + csv_cell(name);
  text += "\n";
  for (const Json& row : rows) {
    text += csv_cell(row["member"]);
    for (const auto& [key, value] : row["values"].items()) text += "," + csv_cell(value);
    for (const char* fact : {"status", "exit_code", "directory"}) text += "," + csv_cell(row[fact]);
    for (const std::string& name : figures) text += "," + csv_cell(figure(row, name));
    text += "\n";
  }
  return text;
}

std::string members_table(const Json& rows, const std::vector<std::string>& keys) {
  struct Column {
    const char* name;
    const char* title;
    const char* format;
  };
  constexpr std::array all{Column{"iterations", "iterations", "{:.0f}"}, Column{"residual", "residual", "{:.3e}"},
                           Column{"errors.l2", "error L2", "{:.3e}"}, Column{"wall_seconds", "wall s", "{:.3f}"}};
  std::vector<Column> columns;
  const std::vector<std::string> known = figures_of(rows);
  for (const Column& column : all)
    if (std::ranges::find(known, column.name) != known.end()) columns.push_back(column);
  std::vector<std::vector<std::string>> lines(1);
  for (const std::string& key : keys) lines.front().push_back(printable(key, true));
  for (const Column& column : columns) lines.front().emplace_back(column.title);
  lines.front().emplace_back("state");
  for (const Json& row : rows) {
    std::vector<std::string> line;
    for (const auto& [key, value] : row["values"].items())
      line.push_back(printable(value.is_string() ? value.get<std::string>() : value.dump(), true));
    for (const Column& column : columns) {
      const Json value = figure(row, column.name);
      line.push_back(value.is_null() ? "-" : fmt::format(fmt::runtime(column.format), value.get<double>()));
    }
    line.push_back(row["status"].get<std::string>());
    lines.push_back(std::move(line));
  }
  return in_columns(lines, std::string(keys.size(), 'l') + std::string(columns.size(), 'r') + "l");
}

}  // namespace quoin
