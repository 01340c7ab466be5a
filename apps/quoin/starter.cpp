// A case to start from: the problem gives the keys and their values, the table of keys what is said of each.

#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "new.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

/// `a.b` and `c` of `a.b.c`.
std::pair<std::string, std::string> split_last(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return {path.substr(0, dot), path.substr(dot + 1)};
}

/// The key itself, or the one that a plain value of the section stands for.
Key key_at(const std::string& path, const KeyTable& table) {
  std::vector<Key> keys = table.look_up(path);
  const auto shorthand = std::ranges::find_if(keys, [](const Key& key) { return key.shorthand; });
  const bool of_section = dots_in(keys.front().path) > dots_in(path);
  return of_section && shorthand != keys.end() ? *shorthand : keys.front();
}

std::string as_comment(const std::string& text, std::size_t indent) {
  const std::string lead = std::string(indent, ' ') + "# ";
  std::string lines = wrapped(text, screen_columns - lead.size());
  for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1))
    lines.insert(at + 1, lead);
  return lead + lines + "\n";
}

/// What the key means, which values it takes, and which one it has where none is given.
std::string said_of(const Key& key) {
  const KeyFacts facts = facts_of(key);
  const auto named = [&key](const std::string& choice) { return key.meaning.find(choice) != std::string::npos; };
  std::string more = !key.choices.empty() && std::ranges::all_of(key.choices, named) ? "" : facts.range;
  const auto add = [&more](const std::string& words) { more += (more.empty() ? "" : "; ") + words; };
  if (!key.unit.empty()) add(key.unit);
  if (!key.fallback.empty()) add("default " + key.fallback);
  std::string text = first_sentence(key.meaning);
  if (text.ends_with('.')) text.pop_back();
  return text + (more.empty() ? "." : " (" + more + ").");
}

/// As a comment, the keys of the section that the case leaves out.
std::string others(const std::string& section, const std::vector<Override>& rows, const KeyTable& table,
                   std::size_t indent) {
  std::vector<std::string> names;
  for (const Key& key : table.keys()) {
    const auto gives = [&](const Override& row) { return key_at(row.path, table).path == key.path; };
    if (key.path.starts_with(section + ".") && std::ranges::none_of(rows, gives))
      names.push_back(key.path.substr(section.size() + 1));
  }
  if (names.empty()) return "";
  return as_comment(fmt::format("'quoin explain {}' tells of more: {}.", section, fmt::join(names, ", ")), indent);
}

/// As YAML, whatever characters it has.
std::string quoted_text(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Override> rows_of(const ProblemType& problem, const std::string& name) {
  std::vector<Override> rows = problem.starter;
  rows.insert(rows.begin(), {"problem.type", problem.name});
  const auto of_output = [](const Override& row) { return row.path.starts_with("output."); };
  const auto output = std::ranges::find_if(rows, of_output);
  rows.insert(output, {{"backend.name", "serial"}, {"output.directory", quoted_text("results/" + name)}});
  return rows;
}

}  // namespace

std::string starter_case(const ProblemType& problem, const std::filesystem::path& file) {
  const KeyTable table({problem});
  const std::vector<Override> rows = rows_of(problem, file.stem().string());
  std::string text = as_comment(problem.name + ": " + problem.meaning + ".", 0) +
                     as_comment(
                         "'quoin check' finds mistakes in this file, 'quoin run' solves the case, and 'quoin "
                         "explain KEY' says more of a key, such as " +
                             rows[1].path + ".",
                         0);
  std::string open;  // the section of the row before
  std::string last;  // said of it
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto [section, name] = split_last(rows[k].path);
    std::string indent;
    for (std::size_t at = 0; at < section.size(); indent += "  ") {
      const std::size_t end = std::min(section.find('.', at), section.size());
      if (!(open + ".").starts_with(section.substr(0, end) + "."))
        text += indent + section.substr(at, end - at) + ":\n";
      at = end + 1;
    }
    const std::string said = k == 0 ? "" : said_of(key_at(rows[k].path, table));  // of problem.type by the first line
    if (!said.empty() && said != last) text += as_comment(said, indent.size());
    text += indent + name + ": " + rows[k].value + "\n";
    open = section;
    last = said;
    const std::string top = section.substr(0, section.find('.'));
    if (k + 1 == rows.size() || !rows[k + 1].path.starts_with(top + ".")) text += others(top, rows, table, 2);
  }
  return text + others("run", rows, table, 0);
}

}  // namespace quoin
