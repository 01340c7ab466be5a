// Single values of a case file against their keys.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.hpp"
#include "case/expression.hpp"
#include "case/reader.hpp"
#include "case/scalar.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

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
    case KeyType::duration:
      return fmt::format("a{} {}", key.type == KeyType::real || key.type == KeyType::duration ? "" : "n",
                         type_name(key));
    default:
      return type_name(key);
  }
}

// What the key says of a value that it does not offer, after a semicolon; empty: nothing.
std::string hint_of(const Key& key, std::string_view value) {
  const auto same = [&](const Hint& hint) {
    return std::equal(hint.value.begin(), hint.value.end(), value.begin(), value.end(),
                      [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
  };
  const auto found = std::find_if(key.hints.begin(), key.hints.end(), same);
  return found == key.hints.end() ? "" : "; " + found->answer;
}

bool list_type(KeyType type) { return type == KeyType::integers || type == KeyType::reals; }

}  // namespace

std::optional<CaseReader::Value> CaseReader::check_value(const CaseNode& node, const Key& key) {
  if (node.kind == CaseNode::Kind::null) {
    diagnostics_.error(node.place, fmt::format("'{}' has no value; it expects {}", key.path, expected(key)));
    return std::nullopt;
  }
  Value value;
  value.type = key.type;
  value.place = node.place;
  if (key.type == KeyType::points) return check_points(node, key);
  if (!list_type(key.type)) {
    auto text = check_scalar(node, key);
    if (!text) return std::nullopt;
    value.text = std::move(*text);
    value.first = node.first;
    const bool word = std::find(key.choices.begin(), key.choices.end(), value.text) != key.choices.end();
    if (key.type == KeyType::expression && !word && !check_expression(value, key)) return std::nullopt;
    return value;
  }
  if (node.kind != CaseNode::Kind::sequence || node.children.size() < key.count ||
      node.children.size() > most_values(key)) {
    const std::string got =
        node.kind == CaseNode::Kind::sequence ? fmt::format("not {}", node.children.size()) : "in brackets: [.., ..]";
    diagnostics_.error(node.place, fmt::format("'{}' is a list of {}, {}", key.path, type_name(key), got));
    return std::nullopt;
  }
  for (const CaseNode& item : node.children) {
    auto text = check_scalar(item, key);
    if (text) value.list.push_back(std::move(*text));
  }
  if (value.list.size() != node.children.size()) return std::nullopt;
  for (std::size_t k = 1; key.increasing && k < value.list.size(); ++k) {
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

std::optional<CaseReader::Value> CaseReader::check_points(const CaseNode& node, const Key& key) {
  const auto refuse = [&](const CaseNode& at, const std::string& message) {
    diagnostics_.error(at.place, message);
    return std::nullopt;
  };
  const bool sequence = node.kind == CaseNode::Kind::sequence;
  if (!sequence || node.children.size() < key.count)
    return refuse(node, fmt::format("'{}' is a list of {}, {}", key.path, type_name(key),
                                    sequence ? fmt::format("not {}", node.children.size())
                                             : std::string("in brackets: [[x, y], ..]")));
  Value value;
  value.type = key.type;
  value.place = node.place;
  value.coordinates = node.children.empty() ? key.coordinates : node.children.front().children.size();
  for (const CaseNode& point : node.children) {
    const auto scalar = [](const CaseNode& item) { return item.kind == CaseNode::Kind::scalar; };
    const std::size_t count = point.children.size();
    if (point.kind != CaseNode::Kind::sequence || count < 2 || count > key.coordinates ||
        !std::all_of(point.children.begin(), point.children.end(), scalar))
      return refuse(point, fmt::format("'{}': a point is {} real numbers in brackets: {}", key.path,
                                       key.coordinates == 3 ? "two or three" : "two", form_of_points(key)));
    if (count != value.coordinates)
      return refuse(point, fmt::format("'{}': one point has {} coordinates, and the first {}", key.path, count,
                                       value.coordinates));
    for (const CaseNode& coordinate : point.children) {
      auto text = check_scalar(coordinate, key);
      if (!text) return std::nullopt;
      value.list.push_back(std::move(*text));
    }
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
    const CaseNode* type = node.child("type");
    return refuse(fmt::format("'{}' expects {}, not {}{}", key.path, expected(key), what,
                              type == nullptr ? "" : hint_of(key, type->text)));
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
    std::string hint = hint_of(key, node.text);
    if (hint.empty()) hint = did_you_mean(node.text, choices);
    return refuse(fmt::format("'{}' cannot be {}{}", key.path, shown(node.text),
                              hint.empty() ? "; allowed: " + allowed(key) : hint));
  }
  if (node.quoted && key.type != KeyType::duration)
    return refuse(fmt::format("'{}' expects {}; remove the quotes", key.path, expected(key)));
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
  const std::string wrong = whole                           ? read_integer(node.text, integer)
                            : key.type == KeyType::duration ? read_duration(node.text, real)
                                                            : read_real(node.text, real);
  if (!wrong.empty()) {
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
  // Their values are the problem's to give, which refuses what it does not have; here only their names matter.
  FormulaNames names{problem_constants(), {}, key.steady ? '\0' : third_};
  for (const std::string& word : words_of(value.text))
    if (definitions_.contains(word)) names.definitions.insert(word);
  if (!check_formula(value.text, names)) return true;
  for (const auto& [name, formula] : definitions_) names.definitions.insert(name);  // to suggest
  auto fault = check_formula(value.text, names);
  std::string hint = hint_of(key, value.text);
  if (hint.empty()) hint = did_you_mean(value.text, key.choices);
  if (!hint.empty()) fault->message = fmt::format("there is no {} here{}", shown(value.text), hint);
  diagnostics_.error(place_in(value, *fault), fmt::format("'{}': {}", key.path, fault->message));
  return false;
}

Place CaseReader::place_in(const Value& formula, const FormulaFault& fault) {
  Place place = formula.place;
  if (formula.first > 0) {
    place.column = formula.first + fault.position;
    place.length = fault.length;
  }
  return place;
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
