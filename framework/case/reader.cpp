#include "case/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "case/expression.hpp"
#include "case/override.hpp"
#include "case/path.hpp"
#include "case/scalar.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }
std::string parent(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// What is wrong with `key:value` or `key=value`, which YAML takes for one word; empty where it is no such thing.
std::string joined_key(const std::string& text, const std::vector<std::string>& keys) {
  const std::size_t end = text.find_first_of(":=");
  if (end == std::string::npos) return "";
  const std::string key = text.substr(0, text.find_last_not_of(' ', end - 1) + 1);
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) return "";
  if (text[end] == ':') return fmt::format("a space is missing behind '{}:'", key);
  return fmt::format("a key and its value are written with a colon and a space: '{}: ...'", key);
}

}  // namespace

CaseReader::CaseReader(const KeyTable& table, std::string name) : table_(table) { result_.name_ = std::move(name); }

Case CaseReader::read(const std::string& text, const std::vector<Override>& overrides) {
  const Place start{result_.name_, 1, 1, 1};
  diagnostics_.add_source(result_.name_, text);
  CaseNode root = YamlReader(text, start, diagnostics_).read();
  if (root.kind != CaseNode::Kind::map) {
    diagnostics_.error(start, root.kind == CaseNode::Kind::null
                                  ? "the file is empty"
                                  : "a case file consists of sections: define, problem, method, backend, output, run");
    diagnostics_.raise_if_any();
  }
  for (std::size_t k = 0; k < overrides.size(); ++k) {
    const auto again = [&](const Override& later) { return later.path == overrides[k].path; };
    if (std::none_of(overrides.begin() + static_cast<std::ptrdiff_t>(k) + 1, overrides.end(), again))
      apply_override(root, overrides[k], diagnostics_);
  }

  // The problem's type decides which other keys there are.
  const CaseNode* problem = root.child("problem");
  const CaseNode* type = problem == nullptr ? nullptr : problem->child("type");
  const Key* type_key = find("problem.type");
  if (type != nullptr && std::count(type_key->choices.begin(), type_key->choices.end(), type->text) != 0)
    problem_ = type->text;
  for (const Key& key : table_.keys())
    if (key.space && !key.problem.empty() && key.problem == problem_) third_ = 'z';

  find_definitions(root);
  check_section(root, "");
  check_backend(root.child("backend"));
  check_conditions();
  check_definitions();
  fill_in_defaults(root);
  check_names();
  diagnostics_.raise_if_any();
  result_.backend_text_ = "backend:\n";
  for (const std::string& entry : backend_entries_) {
    const bool single = backend_entries_.size() == 1;
    std::string lead = single ? "  " : "  - ";
    for (std::size_t at = 0; at < entry.size();) {
      const std::size_t end = entry.find('\n', at) + 1;
      result_.backend_text_ += lead + entry.substr(at, end - at);
      lead = single ? "  " : "    ";
      at = end;
    }
  }
  result_.sources_ = std::move(diagnostics_);
  return std::move(result_);
}

bool CaseReader::active(const Key& key) const {
  return key.backend.empty() && (key.problem.empty() || problem_.empty() || key.problem == problem_);
}

std::string CaseReader::meaning_of(const std::string& name) const {
  return third_ == 'z' && name == "z" ? "a coordinate" : meaning_of_name(name);
}

const Key* CaseReader::find(std::string_view path) const {
  for (const Key& key : table_.keys())
    if (active(key) && match_path(key.path, path)) return &key;
  return nullptr;
}

bool CaseReader::is_section(const std::string& path) const {
  return std::any_of(table_.keys().begin(), table_.keys().end(),
                     [&](const Key& key) { return active(key) && match_section(key.path, path); });
}

const Key* CaseReader::find_shorthand(const std::string& section) const {
  for (const Key& key : table_.keys())
    if (key.shorthand && active(key) && match_path(parent(key.path), section)) return &key;
  return nullptr;
}

const Key* CaseReader::any_name_in(const std::string& section) const {
  const auto found = std::find_if(table_.keys().begin(), table_.keys().end(), [&](const Key& key) {
    const auto rest = active(key) ? match_section(key.path, section) : std::nullopt;
    return rest && rest->substr(0, rest->find('.')) == "*";
  });
  return found == table_.keys().end() ? nullptr : &*found;
}

std::vector<std::string> CaseReader::names_in(const std::string& section) const {
  std::vector<std::string> names;
  for (const Key& key : table_.keys()) {
    const auto rest = active(key) ? match_section(key.path, section) : std::nullopt;
    if (!rest) continue;
    const std::string name(rest->substr(0, rest->find('.')));
    if (name != "*" && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string CaseReader::described(const std::string& section) const {
  if (any_name_in(section) != nullptr)
    return fmt::format("'{}' is a section of names, each with its own value", section);
  return fmt::format("'{}' is a section with the keys {}", section, listed(names_in(section)));
}

std::vector<std::string> CaseReader::instances(const Key& key) const {
  std::vector<std::string> paths{""};
  for (const std::string& part : split_path(key.path)) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      if (part != "*") {
        longer.push_back(join_path(path, part));
      } else if (const auto given = names_.find(path); given != names_.end()) {
        for (const auto& [name, place] : given->second) longer.push_back(join_path(path, name));
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

bool CaseReader::excused(const std::string& path) const {
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
    if (excused_.contains(path.substr(0, dot))) return true;
  return excused_.contains(path);
}

void CaseReader::check_section(const CaseNode& section, const std::string& path) {
  const Key* any_name = any_name_in(path);
  if (!path.empty()) result_.sections_[path] = section.key_place;
  std::set<std::string_view> seen;
  for (const CaseNode& node : section.children) {
    const std::string here = join_path(path, path_part(node.key));
    if (!seen.insert(node.key).second || here == "backend") continue;  // given twice: reported, the first counts
    if (any_name != nullptr && !check_name(node, *any_name, path)) continue;
    const Key* key = find(here);
    if (key == nullptr && !is_section(here)) {
      report_unknown(node, path);
    } else if (node.shorthand && (key != nullptr || find_shorthand(here) == nullptr)) {
      excused_.insert(here);
      diagnostics_.error(node.children.at(1).key_place,
                         fmt::format("'{}' has no keys here that could be set; set it as a whole", here));
    } else if (key != nullptr) {
      check_key(node, *key, here, here);
    } else if (node.kind != CaseNode::Kind::map) {
      check_shorthand(node, here);
    } else if (node.shorthand) {
      CaseNode rest = node;
      rest.children.erase(rest.children.begin());
      if (rest.child(last_name(find_shorthand(here)->path)) == nullptr) check_shorthand(node.children.front(), here);
      check_section(rest, here);
    } else {
      check_section(node, here);
    }
  }
}

void CaseReader::check_key(const CaseNode& node, const Key& key, const std::string& path, const std::string& written) {
  if (!key.problem.empty() && problem_.empty()) return;  // it may be that of another problem
  Key named = key;
  named.path = written;
  auto value = check_value(node, named);
  if (!value) {
    excused_.insert(path);
    return;
  }
  if (key.type == KeyType::expression && !path.starts_with("define.")) expressions_[path] = &key;
  result_.values_[path] = std::move(*value);
  if (!key.when.path.empty()) conditionals_.push_back({&key, path, written, node.key_place});
}

void CaseReader::check_shorthand(const CaseNode& node, const std::string& section) {
  const Key* key = find_shorthand(section);
  result_.sections_[section] = node.key.empty() ? node.place : node.key_place;
  if (key != nullptr) return check_key(node, *key, join_path(section, last_name(key->path)), section);
  excused_.insert(section);
  const std::string joined = node.kind == CaseNode::Kind::scalar ? joined_key(node.text, names_in(section)) : "";
  diagnostics_.error(node.place, joined.empty() ? described(section) : joined);
}

bool CaseReader::check_name(const CaseNode& node, const Key& key, const std::string& section) {
  const std::string& name = node.key;
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  std::string wrong;
  if (key.name_type == NameType::text) {
    if (name.empty()) wrong = "is no name: it is empty";
    if (std::any_of(name.begin(), name.end(), control)) wrong = "is no name: it has a control character";
  } else if (key.name_type == NameType::variable) {
    if (const std::string taken = meaning_of(name); !taken.empty())
      wrong = fmt::format("cannot be defined: in formulas it is {}; choose another name", taken);
    else if (!is_variable(name))
      wrong = "is no name for formulas: it takes letters, digits and _, and starts with no digit";
  } else if (!is_name(name)) {
    wrong = "is no name: it takes letters, digits, _ and -";
  }
  if (wrong.empty()) {
    names_[section].emplace(path_part(name), node.key_place);
    return true;
  }
  diagnostics_.error(node.key_place, fmt::format("{} in '{}' {}", shown(name), section, wrong));
  return false;
}

std::optional<bool> CaseReader::holds(const Key& key, const std::string& path) {
  if (key.when.path.empty()) return true;
  const std::string other = fill_path(key.when.path, match_path(key.path, path).value_or(Names{}));
  const Key* its = find(other);
  if (its == nullptr) throw Error(ErrorKind::bug, fmt::format("'{}' depends on '{}', which is no key", path, other));
  if (excused(other)) return std::nullopt;
  std::string text;
  if (const auto given = result_.values_.find(other); given != result_.values_.end()) {
    text = given->second.text;
  } else if (const auto there = holds(*its, other); !there || (*there && its->required)) {
    return std::nullopt;  // that one is missing, and reported
  } else if (*there && !its->fallback.empty()) {
    text = default_of(*its).text;
  }
  return std::find(key.when.values.begin(), key.when.values.end(), text) != key.when.values.end();
}

void CaseReader::check_conditions() {
  for (const Conditional& given : conditionals_) {
    if (holds(*given.key, given.path).value_or(true)) continue;
    const Condition& when = given.key->when;
    const std::string other = fill_path(when.path, match_path(given.key->path, given.path).value_or(Names{}));
    const std::string stands_for =
        given.written == given.path ? "" : fmt::format(" stands for '{}', which", given.path);
    const auto its = result_.values_.find(other);
    const std::string now = its == result_.values_.end() ? "" : fmt::format(", not {}", shown(its->second.text));
    diagnostics_.error(given.place, fmt::format("'{}'{} needs '{}' to be {}{}", given.written, stands_for, other,
                                                listed(when.values, "or"), now));
  }
}

void CaseReader::fill_in_defaults(const CaseNode& root) {
  for (const Key& key : table_.keys()) {
    if (key.path.starts_with("backend.") || !active(key)) continue;
    if (!key.problem.empty() && problem_.empty()) continue;  // what else a problem needs is not known without its type
    for (const std::string& path : instances(key)) {
      if (result_.has(path) || !holds(key, path).value_or(false)) continue;
      if (key.required)
        report_missing(key, path, root);
      else if (!key.fallback.empty())
        result_.values_[path] = default_of(key);
    }
  }
}

// A name without any value would be lost.
void CaseReader::check_names() {
  for (const auto& [section, given] : names_) {
    for (const auto& [name, place] : given) {
      const std::string path = join_path(section, name);
      const auto inside = result_.values_.lower_bound(path + ".");
      const bool below = inside != result_.values_.end() && inside->first.starts_with(path + ".");
      if (!below && !result_.has(path) && !excused(path) && diagnostics_.count() == 0)
        diagnostics_.error(place, fmt::format("'{}' is empty; {}", path, described(path)));
    }
  }
}

void CaseReader::report_unknown(const CaseNode& node, const std::string& section) {
  const std::string where = section.empty() ? "" : fmt::format(" in '{}'", section);
  if (const std::string joined = joined_key(node.key, names_in(section)); !joined.empty()) {
    excused_.insert(join_path(section, node.key.substr(0, node.key.find_first_of(":="))));
    return diagnostics_.error(node.key_place, joined);
  }
  const std::string best = closest(node.key, names_in(section));
  std::string hint;
  if (!best.empty()) {
    excused_.insert(join_path(section, best));
    hint = fmt::format("; did you mean '{}'?", best);
  } else {
    for (const Key& key : table_.keys()) {
      if (key.backend.empty() && last_name(key.path) == node.key && hint.empty())
        hint = active(key) ? key.path == node.key ? std::string("; it belongs at the top of the file")
                                                  : fmt::format("; it belongs in '{}'", parent(key.path))
                           : fmt::format("; it belongs to the problem '{}'", key.problem);
    }
    if (hint.empty()) hint = fmt::format("; known are {}", listed(names_in(section)));
  }
  diagnostics_.error(node.key_place, fmt::format("unknown key {}{}{}", shown(node.key), where, hint));
}

void CaseReader::report_missing(const Key& key, const std::string& full, const CaseNode& root) {
  if (excused(full)) return;
  const CaseNode* section = &root;
  std::string path;
  std::string rest = full;
  while (true) {
    const std::size_t dot = part_end(rest);
    const CaseNode* next = dot == rest.size() ? nullptr : section->child(part_name(rest.substr(0, dot)).value());
    if (next == nullptr) break;
    section = next;
    path = join_path(path, rest.substr(0, dot));
    rest = rest.substr(dot + 1);
  }
  const Place place = path.empty() ? Place{result_.name_, 1, 1, 1} : section->key_place;
  diagnostics_.error(place, fmt::format("missing key '{}'{} ({}): {}", rest, path.empty() ? "" : " in '" + path + "'",
                                        type_name(key), key.meaning));
}

}  // namespace quoin
