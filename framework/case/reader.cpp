#include "case/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "case/expression.hpp"
#include "case/override.hpp"
#include "case/scalar.hpp"
#include "case/text.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

std::string last_name(const std::string& path) { return path.substr(path.rfind('.') + 1); }
std::string parent(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}
std::string join(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}
// What to write, in words.
std::string expected(const Key& key) {
  switch (key.type) {
    case KeyType::choice:
      return allowed(key);
    case KeyType::boolean:
      return "true or false";
    case KeyType::integer:
    case KeyType::real:
    case KeyType::expression:
      return fmt::format("a{} {}", key.type == KeyType::real ? "" : "n", type_name(key));
    default:
      return type_name(key);
  }
}
bool list_type(KeyType type) { return type == KeyType::integers || type == KeyType::reals; }

}  // namespace

CaseReader::CaseReader(const KeyTable& table, std::string name) : table_(table) { result_.name_ = std::move(name); }

Case CaseReader::read(const std::string& text, const std::vector<Override>& overrides) {
  const Place start{result_.name_, 1, 1, 1};
  diagnostics_.add_source(result_.name_, text);
  CaseNode root = YamlReader(text, start, diagnostics_).read();
  if (root.kind != CaseNode::Kind::map) {
    diagnostics_.error(start, root.kind == CaseNode::Kind::null
                                  ? "the file is empty"
                                  : "a case file consists of sections: problem, method, backend, output, run");
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

  check_section(root, "");
  check_backend(root.child("backend"));
  for (const Key& key : table_.keys()) {
    if (key.path.starts_with("backend.") || !active(key) || result_.has(key.path)) continue;
    if (key.required)
      report_missing(key, root);
    else if (!key.fallback.empty() && !problem_.empty())
      result_.values_[key.path] = default_of(key);
  }
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

const Key* CaseReader::find(std::string_view path) const {
  for (const Key& key : table_.keys())
    if (key.path == path && active(key)) return &key;
  return nullptr;
}

bool CaseReader::is_section(const std::string& path) const {
  return std::any_of(table_.keys().begin(), table_.keys().end(),
                     [&](const Key& key) { return active(key) && key.path.starts_with(path + "."); });
}

std::vector<std::string> CaseReader::names_in(const std::string& section) const {
  std::vector<std::string> names;
  const std::string prefix = section.empty() ? "" : section + ".";
  for (const Key& key : table_.keys()) {
    if (!active(key) || !key.path.starts_with(prefix)) continue;
    const std::string rest = key.path.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void CaseReader::check_section(const CaseNode& section, const std::string& path) {
  std::set<std::string_view> seen;
  for (const CaseNode& node : section.children) {
    const std::string here = join(path, node.key);
    if (!seen.insert(node.key).second || here == "backend") continue;  // given twice: reported, the first counts
    if (const Key* key = find(here)) {
      if (auto value = check_value(node, *key))
        result_.values_[here] = std::move(*value);
      else
        excused_.insert(here);
    } else if (!is_section(here) || node.key.find('.') != std::string::npos) {
      report_unknown(node, path);
    } else if (node.kind == CaseNode::Kind::map) {
      check_section(node, here);
    } else {
      excused_.insert(here);
      diagnostics_.error(node.place, fmt::format("'{}' is a section with the keys {}", here, listed(names_in(here))));
    }
  }
}

void CaseReader::report_unknown(const CaseNode& node, const std::string& section) {
  const std::string where = section.empty() ? "" : fmt::format(" in '{}'", section);
  const std::string best = closest(node.key, names_in(section));
  std::string hint;
  if (!best.empty()) {
    excused_.insert(join(section, best));
    hint = fmt::format("; did you mean '{}'?", best);
  } else {
    for (const Key& key : table_.keys()) {
      if (key.backend.empty() && last_name(key.path) == node.key && hint.empty())
        hint = active(key) ? fmt::format("; it belongs into '{}'", parent(key.path))
                           : fmt::format("; it belongs to the problem '{}'", key.problem);
    }
    if (hint.empty()) hint = fmt::format("; known are {}", listed(names_in(section)));
  }
  diagnostics_.error(node.key_place, fmt::format("unknown key {}{}{}", shown(node.key), where, hint));
}

void CaseReader::report_missing(const Key& key, const CaseNode& root) {
  // Without its type, what else a problem needs is not known.
  if (!key.problem.empty() && problem_.empty()) return;
  const CaseNode* section = &root;
  std::string path;
  std::string rest = key.path;
  while (true) {
    if (excused_.contains(join(path, rest.substr(0, rest.find('.'))))) return;
    const std::size_t dot = rest.find('.');
    const CaseNode* next = dot == std::string::npos ? nullptr : section->child(rest.substr(0, dot));
    if (next == nullptr) break;
    section = next;
    path = join(path, rest.substr(0, dot));
    rest = rest.substr(dot + 1);
  }
  const Place place = path.empty() ? Place{result_.name_, 1, 1, 1} : section->key_place;
  diagnostics_.error(place, fmt::format("missing key '{}'{} ({}): {}", rest, path.empty() ? "" : " in '" + path + "'",
                                        type_name(key), key.meaning));
}

std::optional<CaseReader::Value> CaseReader::check_value(const CaseNode& node, const Key& key) {
  if (node.kind == CaseNode::Kind::null) {
    diagnostics_.error(node.place, fmt::format("'{}' has no value; it expects {}", key.path, expected(key)));
    return std::nullopt;
  }
  Value value;
  value.type = key.type;
  value.place = node.place;
  if (!list_type(key.type)) {
    auto text = check_scalar(node, key);
    if (!text) return std::nullopt;
    value.text = std::move(*text);
    value.first = node.first;
    if (key.type == KeyType::expression && !check_expression(value, key)) return std::nullopt;
    return value;
  }
  if (node.kind != CaseNode::Kind::sequence || node.children.size() != key.count) {
    const std::string got =
        node.kind == CaseNode::Kind::sequence ? fmt::format("not {}", node.children.size()) : "in brackets: [.., ..]";
    diagnostics_.error(node.place, fmt::format("'{}' is a list of {}, {}", key.path, type_name(key), got));
    return std::nullopt;
  }
  for (const CaseNode& item : node.children) {
    auto text = check_scalar(item, key);
    if (text) value.list.push_back(std::move(*text));
  }
  if (value.list.size() != key.count) return std::nullopt;
  for (std::size_t k = 1; key.increasing && k < key.count; ++k) {
    double before = 0.0;
    double after = 0.0;
    read_real(value.list[k - 1], before);
    read_real(value.list[k], after);
    if (after > before) continue;
    diagnostics_.error(node.children[k].place, fmt::format("'{}' must increase: {} is not greater than {}", key.path,
                                                           value.list[k], value.list[k - 1]));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> CaseReader::check_scalar(const CaseNode& node, const Key& key) {
  const auto refuse = [&](const std::string& message) {
    diagnostics_.error(node.place, message);
    return std::nullopt;
  };
  if (node.kind != CaseNode::Kind::scalar) {
    const char* what = node.kind == CaseNode::Kind::null  ? "nothing"
                       : node.kind == CaseNode::Kind::map ? "a map"
                                                          : "a list";
    return refuse(fmt::format("'{}' expects {}, not {}", key.path, expected(key), what));
  }
  if (key.type == KeyType::expression) {
    std::string text = node.text;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return text;
  }
  if (key.type == KeyType::text || key.type == KeyType::choice) {
    if (std::any_of(node.text.begin(), node.text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
      return refuse(fmt::format("'{}' holds a control character", key.path));
    if (node.text.empty()) return refuse(fmt::format("'{}' is empty", key.path));
    const auto& choices = key.choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), node.text) != choices.end()) return node.text;
    const std::string hint = did_you_mean(node.text, choices);
    return refuse(fmt::format("'{}' cannot be {}{}", key.path, shown(node.text),
                              hint.empty() ? "; allowed: " + allowed(key) : hint));
  }
  if (node.quoted) return refuse(fmt::format("'{}' expects {}; remove the quotes", key.path, expected(key)));
  if (key.type == KeyType::boolean) {
    bool value = false;
    if (const std::string wrong = read_boolean(node.text, value); !wrong.empty())
      return refuse(fmt::format("'{}': {}", key.path, wrong));
    return node.text;
  }
  return check_number(node, key);
}

std::optional<std::string> CaseReader::check_number(const CaseNode& node, const Key& key) {
  const bool whole = key.type == KeyType::integer || key.type == KeyType::integers;
  std::int64_t integer = 0;
  double real = 0.0;
  if (const std::string wrong = whole ? read_integer(node.text, integer) : read_real(node.text, real); !wrong.empty()) {
    const std::string range = allowed(key);
    diagnostics_.error(node.place, fmt::format("'{}': {}{}", key.path, wrong,
                                               range.empty() ? "" : fmt::format(" (allowed: {})", range)));
    return std::nullopt;
  }
  if (whole) real = static_cast<double>(integer);
  const bool low = key.minimum && (real < *key.minimum || (key.above_minimum && real == *key.minimum));
  if (low || (key.maximum && real > *key.maximum)) {
    diagnostics_.error(node.place, fmt::format("'{}' is {}; allowed: {}", key.path, shown(node.text), allowed(key)));
    return std::nullopt;
  }
  return whole ? fmt::format("{}", integer) : write_real(real);
}

bool CaseReader::check_expression(Value& value, const Key& key) {
  // Their values are the problem's to give; here only their names matter.
  Expression::Constants constants;
  if (is_section("problem.grid")) constants = {{"nx", 1.0}, {"ny", 1.0}, {"lx", 1.0}, {"ly", 1.0}};
  const auto fault = check_formula(value.text, constants);
  if (!fault) return true;
  Place place = value.place;
  if (value.first > 0) {
    place.column = value.first + fault->position;
    place.length = fault->length;
  }
  diagnostics_.error(place, fmt::format("'{}': {}", key.path, fault->message));
  return false;
}

CaseReader::Value CaseReader::default_of(const Key& key) {
  Diagnostics aside;
  const CaseNode node = YamlReader(key.fallback, {key.path, 1, 1, 1}, aside).read();
  std::swap(aside, diagnostics_);
  auto value = check_value(node, key);
  std::swap(aside, diagnostics_);
  if (!value) throw Error(ErrorKind::bug, "the default of '" + key.path + "' is not allowed:\n" + aside.text());
  value->place = {result_.name_, 0, 0, 1};
  value->first = 0;
  return std::move(*value);
}

}  // namespace quoin
