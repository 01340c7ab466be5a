// `quoin explain`: what a key of the case file means, from the table that checks it.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// The problem or backend that a key belongs to: ` (problem jacobi)`.
std::string owner(const Key& key) {
  if (!key.problem.empty()) return " (problem " + key.problem + ")";
  return key.backend.empty() ? "" : " (backend " + key.backend + ")";
}

/// The case files of the installation; none where nothing is installed.
std::vector<fs::path> shipped_cases(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    if (entry->path().extension() == ".yaml") files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

bool gives(const fs::path& file, const Key& key, const std::string& path, const KeyTable& table) {
  try {
    const Case the_case = Case::load(file, {}, table);
    if (!key.problem.empty() && key.problem != the_case.text("problem.type")) return false;
    return the_case.gives(path);
  } catch (const Error&) {  // a file that cannot be read uses nothing
    return false;
  }
}

/// `jacobi/a.yaml, jacobi/b.yaml, jacobi/c.yaml and 5 more in FOLDER`
std::string cases_that_give(const Key& key, const std::string& path, const KeyTable& table) {
  constexpr std::size_t most = 3;
  const fs::path folder = share_folder() / "quoin/configs";
  std::string text;
  std::size_t found = 0;
  for (const fs::path& file : shipped_cases(folder)) {
    if (!gives(file, key, path, table)) continue;
    if (found++ < most) text += (text.empty() ? "" : ", ") + file.lexically_relative(folder).string();
  }
  if (found == 0) return "";
  return text + (found > most ? fmt::format(" and {} more", found - most) : "") + " in " + folder.string();
}

std::string of_key(const Key& key, const std::string& path, const KeyTable& table) {
  const KeyFacts facts = facts_of(key);
  const bool short_form = dots_in(key.path) > dots_in(path);
  std::string text = key.path + owner(key) + "\n";
  text += "  " + wrapped(facts.meaning, screen_columns - 2, 2) + "\n";
  const std::pair<const char*, std::string> rows[]{
      {"type", facts.type},
      {"default", facts.fallback},
      {"unit", facts.unit},
      {"range", facts.range},
      {"used in", cases_that_give(key, short_form ? key.path : path, table)}};
  for (const auto& [name, value] : rows) {
    if (!value.empty()) text += fmt::format("  {:<9}{}\n", name, wrapped(value, screen_columns - 11, 11));
  }
  return text;
}

/// A line, cut where it is too long for the screen.
std::string cut(std::string line) {
  if (line.size() > screen_columns) line.replace(screen_columns - 3, std::string::npos, "...");
  return line + "\n";
}

std::string of_section(const std::vector<Key>& keys) {
  std::size_t widest = 0;
  for (const Key& key : keys) widest = std::max(widest, key.path.size());
  std::string text;
  std::string last = "none";
  for (const Key& key : keys) {
    if (owner(key) != last)
      text += (text.empty() ? "" : "\n") + key.path.substr(0, key.path.find('.')) + owner(key) + "\n";
    last = owner(key);
    text += cut(fmt::format("  {:<{}}  {}", key.path, widest, first_sentence(facts_of(key).meaning)));
  }
  return text + "\n'quoin explain KEY' says more of a key.\n";
}

std::string of_file(const KeyTable& table) {
  static const std::map<std::string, std::string> meanings{
      {"problem", "what is solved, and where"},    {"method", "how it is solved, and when that ends"},
      {"backend", "what does the work"},           {"output", "what is written, and where"},
      {"run", "progress, checkpoints and limits"}, {"define", "formulas with names of your own, for the others"}};
  std::vector<std::pair<std::string, std::size_t>> sections;
  std::string alone;  // keys that are in no section
  for (const Key& key : table.keys()) {
    const std::string name = key.path.substr(0, key.path.find('.'));
    if (name == key.path) {
      alone += cut(fmt::format("  {:<9}{}", name, first_sentence(key.meaning)));
      continue;
    }
    auto section = std::ranges::find(sections, name, &std::pair<std::string, std::size_t>::first);
    if (section == sections.end()) section = sections.insert(section, {name, 0});
    ++section->second;
  }
  std::string text = "A case file has the sections\n";
  for (const auto& [name, count] : sections) {
    const auto meaning = meanings.find(name);
    text += fmt::format("  {:<9}{} ({} key{})\n", name, meaning == meanings.end() ? "" : meaning->second, count,
                        count == 1 ? "" : "s");
  }
  if (!alone.empty()) text += "and, in no section,\n" + alone;
  return text + "'quoin explain SECTION' lists the keys of one, 'quoin explain KEY' says more of a key.\n";
}

int explain(const Context& context, const std::string& path) {
  const KeyTable table = key_table(candidates(context));
  std::string text;
  if (path.empty()) {
    text = of_file(table);
  } else {
    const std::vector<Key> keys = table.look_up(path);
    if (dots_in(keys.front().path) > dots_in(path)) {
      text = of_section(keys);
    } else {
      for (const Key& key : keys) text += (text.empty() ? "" : "\n") + of_key(key, path, table);
    }
  }
  print(text);
  return 0;
}

}  // namespace

void add_explain(CLI::App& program, Context& context) {
  CLI::App& command =
      *program.add_subcommand("explain", "Say what a key of the case file means, or which keys there are");
  const auto path = std::make_shared<std::string>();
  command.add_option("key", *path, "A key, such as method.tolerance, or a section of the case file")->type_name("KEY");
  add_plugin_dir(command, context);
  command.callback([&context, path] { context.action = [&context, path] { return explain(context, *path); }; });
}

}  // namespace quoin
