// The table of keys as a JSON Schema and as a reference page.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "case/expression.hpp"
#include "case/path.hpp"
#include "case/scalar.hpp"
#include "quoin/case.hpp"

namespace quoin {
namespace {

using Json = nlohmann::ordered_json;

// Every reader of YAML has its own idea of a real: PyYAML takes `1e-5` for a text, so that form is allowed as one.
constexpr const char* real_pattern = R"(^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$)";

constexpr const char* exponent_pattern = R"(^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+$)";
constexpr const char* duration_pattern = R"(^\+?[0-9.]+([eE][-+]?[0-9]+)? ?[a-z]*$)";

Json bounded(const Key& key, Json type) {
  const bool whole = key.type == KeyType::integer || key.type == KeyType::integers;
  const auto number = [&](double bound) { return whole ? Json(static_cast<std::int64_t>(bound)) : Json(bound); };
  if (key.minimum) type[key.above_minimum ? "exclusiveMinimum" : "minimum"] = number(*key.minimum);
  if (key.maximum) type["maximum"] = number(*key.maximum);
  return type;
}

Json number_schema(const Key& key) {
  const bool whole = key.type == KeyType::integer || key.type == KeyType::integers;
  const char* pattern = whole ? exponent_pattern : key.type == KeyType::duration ? duration_pattern : real_pattern;
  const Json number = bounded(key, {{"type", whole ? "integer" : "number"}});
  return {{"anyOf", {number, {{"type", "string"}, {"pattern", pattern}}}}};
}

Json type_schema(const Key& key) {
  switch (key.type) {
    case KeyType::text:
      return {{"type", {"string", "number", "boolean"}}};
    case KeyType::choice:
      return {{"enum", key.choices}};
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::integer:
    case KeyType::real:
    case KeyType::duration:
      return number_schema(key);
    case KeyType::integers:
    case KeyType::reals:
      return {
          {"type", "array"}, {"items", number_schema(key)}, {"minItems", key.count}, {"maxItems", most_values(key)}};
    case KeyType::points: {
      const Json point{
          {"type", "array"}, {"items", number_schema(key)}, {"minItems", 2}, {"maxItems", key.coordinates}};
      return {{"type", "array"}, {"items", point}, {"minItems", key.count}};
    }
    case KeyType::expression:
      return {{"type", {"string", "number"}}};
  }
  return {};
}

// Numbers as numbers where JSON has them; anything else as it would be written.
Json default_json(const Key& key) {
  if (key.type == KeyType::text || key.type == KeyType::choice || key.type == KeyType::expression) return key.fallback;
  return Json::parse(key.fallback, nullptr, false);
}

// What a key means and what else a user should know of it: when it holds, its short form, whether it can be tuned.
std::string sentences(const Key& key, const std::string& mark) {
  std::string text = key.meaning;
  if (!text.empty() && !text.ends_with('.')) text += '.';  // plugins do as they like
  if (!key.when.path.empty())
    text += fmt::format(" Only with {0}{1}: {2}{0}.", mark, key.when.path, listed(key.when.values, "or"));
  if (key.shorthand)
    text += fmt::format(" Also written {0}{1}: VALUE{0}.", mark, key.path.substr(0, key.path.rfind('.')));
  if (key.changeable) text += " A run that goes on may change it.";
  if (!key.tune.empty()) text += fmt::format(" {0}quoin tune{0} tries {1}.", mark, listed(key.tune));
  return text;
}

Json key_schema(const Key& key) {
  Json schema = type_schema(key);
  std::string meaning = sentences(key, "'");
  if (!key.unit.empty()) meaning += fmt::format(" Unit: {}.", key.unit);
  if (key.increasing) meaning += " Increasing.";
  schema["description"] = meaning;
  if (!key.fallback.empty()) schema["default"] = default_json(key);
  return schema;
}

// The object of the keys below `section`, or the plain value that stands for it; `keys` are those that hold together.
// It is closed, unless there are others elsewhere.
Json section_schema(const std::vector<const Key*>& keys, const std::string& section, bool closed = true) {
  Json properties = Json::object();
  Json any_name;
  NameType name_type = NameType::word;
  const Key* shorthand = nullptr;
  const std::string prefix = section + ".";
  std::vector<std::string> required;
  const auto need = [&](const std::string& name) {
    if (std::find(required.begin(), required.end(), name) == required.end()) required.push_back(name);
  };
  for (const Key* key : keys) {
    if (!key->path.starts_with(prefix)) continue;
    const std::string rest = key->path.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (key->required && key->when.path.empty() && rest.find('*') == std::string::npos) need(name);
    if (key->shorthand && name == rest) shorthand = key;
    if (name == "*") name_type = key->name_type;
    Json& schema = name == "*" ? any_name : properties[name];
    if (schema.is_null()) schema = name == rest ? key_schema(*key) : section_schema(keys, prefix + name, closed);
  }
  Json schema{{"type", "object"}, {"properties", properties}};
  const char* pattern = name_type == NameType::word       ? "^[A-Za-z0-9_-]+$"
                        : name_type == NameType::variable ? "^[A-Za-z_][A-Za-z0-9_]*$"
                                                          : ".";
  if (!any_name.is_null()) schema["patternProperties"] = {{pattern, any_name}};
  if (closed) schema["additionalProperties"] = false;
  if (!required.empty()) schema["required"] = required;
  return shorthand == nullptr ? schema : Json{{"anyOf", {key_schema(*shorthand), schema}}};
}

Json backend_entry(const KeyTable& table) {
  Json shared = Json::object();
  for (const Key& key : table.keys())
    if (key.path.starts_with("backend.") && key.backend.empty()) shared[key.path.substr(8)] = key_schema(key);
  Json entry{{"type", "object"}, {"required", {"name"}}, {"properties", shared}};
  for (const std::string& backend : table.backends()) {
    Json own = Json::object();
    for (const auto& [name, schema] : shared.items()) own[name] = true;
    std::vector<std::string> required;
    for (const Key& key : table.keys()) {
      if (key.backend != backend) continue;
      own[key.path.substr(8)] = key_schema(key);
      if (key.required) required.push_back(key.path.substr(8));
    }
    Json closed{{"properties", own}, {"additionalProperties", false}};
    if (!required.empty()) closed["required"] = required;
    entry["allOf"].push_back({{"if", {{"properties", {{"name", {{"const", backend}}}}}}}, {"then", closed}});
  }
  return entry;
}

const Key& problem_key(const KeyTable& table) {
  return *std::find_if(table.keys().begin(), table.keys().end(), [](const Key& k) { return k.path == "problem.type"; });
}

std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string table_of(const std::vector<const Key*>& keys) {
  std::string result =
      "| Key | Type | Default | Unit | Range | Meaning |\n"
      "|---|---|---|---|---|---|\n";
  for (const Key* key : keys) {
    const KeyFacts facts = facts_of(*key);
    result += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key->path, facts.type, facts.fallback, facts.unit,
                          cell(facts.range), cell(facts.meaning));
  }
  return result;
}

}  // namespace

KeyFacts facts_of(const Key& key) {
  Key without_unit = key;
  without_unit.unit.clear();
  const std::string fallback = key.fallback.empty() ? "" : fmt::format("`{}`", key.fallback);
  return {type_name(key), key.required ? "required" : fallback, key.unit, allowed(without_unit), sentences(key, "`")};
}

std::string KeyTable::json_schema() const {
  const Key& type = problem_key(*this);
  Json properties = Json::object();
  properties["problem"] = {{"type", "object"}, {"required", {"type"}}, {"properties", {{"type", key_schema(type)}}}};
  const Json entry_text{{"type", "string"}, {"pattern", "^[^:]+(:.+)?$"}};
  const Json entry_map{{"$ref", "#/$defs/backend"}};
  const Json entry{{"oneOf", {entry_text, entry_map}}};
  properties["backend"] = {{"oneOf", {entry_text, entry_map, {{"type", "array"}, {"minItems", 1}, {"items", entry}}}}};
  std::vector<const Key*> common;
  for (const Key& key : keys_)
    if (key.problem.empty()) common.push_back(&key);
  for (const Key* key : common)
    if (key->path.find('.') == std::string::npos) properties[key->path] = key_schema(*key);
  // Sections where problems have keys of their own are closed by the problem's part below.
  std::vector<const char*> own_sections{"problem"};
  for (const char* section : {"define", "method", "output", "run"}) {
    const auto own = [&](const Key& key) { return !key.problem.empty() && match_section(key.path, section); };
    const bool closed = std::none_of(keys_.begin(), keys_.end(), own);
    properties[section] = section_schema(common, section, closed);
    if (!closed) own_sections.push_back(section);
  }

  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Quoin case file"},
              {"type", "object"},
              {"required", {"problem"}},
              {"properties", properties},
              {"additionalProperties", false},
              {"$defs", {{"backend", backend_entry(*this)}}}};
  for (const std::string& problem : type.choices) {
    std::vector<const Key*> own;
    for (const Key& key : keys_)
      if (key.backend.empty() && (key.problem.empty() || key.problem == problem)) own.push_back(&key);
    Json sections = Json::object();
    std::vector<std::string> required;
    for (const char* section : own_sections) {
      sections[section] = section_schema(own, section);
      if (sections[section].contains("required")) required.emplace_back(section);
    }
    const Json is_it{{"properties", {{"problem", {{"properties", {{"type", {{"const", problem}}}}}}}}}};
    schema["allOf"].push_back({{"if", is_it}, {"then", {{"properties", sections}, {"required", required}}}});
  }
  return schema.dump(2) + "\n";
}

std::string KeyTable::markdown() const {
  std::string page =
      "# Case file reference\n\n"
      "A case file is YAML with the sections `define`, `problem`, `method`, `backend`, `output` and `run`. Anchors,\n"
      "aliases, tags and further documents are refused. Integers are written without a fraction and without a leading\n"
      "zero (`1000` or `1e3`), booleans as `true` and `false`, numbers without quotes, durations as seconds or with a\n"
      "unit (`90`, `90 s`, `5 min`, `2 hours`, `1 day`). A `*` stands for any name (letters, digits, `_` and `-`; the\n"
      "names of sides may be any text, in quotes where YAML needs them). Every key can be changed for one run with\n"
      "`--set path=value`; a name with other characters stands in double quotes there:\n"
      "`--set 'problem.boundary.\"the wall\"=wall'`.\n";
  const auto chapter = [&](const std::string& title, const auto& belongs) {
    std::vector<const Key*> keys;
    for (const Key& key : keys_)
      if (belongs(key)) keys.push_back(&key);
    if (!keys.empty()) page += fmt::format("\n## {}\n\n{}", title, table_of(keys));
  };
  const auto section = [&](const std::string& name) {
    chapter(fmt::format("`{}`", name), [&](const Key& key) {
      return key.path.starts_with(name + ".") && key.problem.empty() && key.backend.empty();
    });
    for (const std::string& problem : problem_key(*this).choices)
      chapter(fmt::format("`{}` of `{}`", name, problem),
              [&](const Key& key) { return key.path.starts_with(name + ".") && key.problem == problem; });
  };
  chapter("At the top", [](const Key& key) { return key.path.find('.') == std::string::npos; });
  section("define");
  section("problem");
  section("method");
  section("backend");
  for (const std::string& backend : backends_)
    chapter(fmt::format("`backend` of `{}`", backend), [&](const Key& key) { return key.backend == backend; });
  section("output");
  section("run");
  page += fmt::format(
      "\n## Expressions\n\n"
      "A formula in `x`, `y` and `t` (`z` in place of `t` for `linear-system`) with the constants `pi`, `nx`, `ny` "
      "(nodes) and `lx`, `ly` (side lengths),\n"
      "the operators `+ - * / ^`, the comparisons `== != < > <= >=`, `&&`, `||` and `condition ? a : b`, and the\n"
      "functions {}. `log` and `ln` are the natural logarithm. Values are within 1 ulp, and the same on every "
      "machine.\n"
      "A formula has at most 4096 characters and 200 nested parentheses, and assigns nothing. One with `? :` stands "
      "in\n"
      "quotes, for YAML takes `: ` for a key and its value.\n\n"
      "The section `define` gives formulas names, which every formula can use, also those of other definitions in any\n"
      "order. Each is evaluated once a point:\n\n"
      "```yaml\n"
      "define:\n"
      "  depth: 1 + 0.1*hill\n"
      "  hill: exp(-100*(x - 0.5)^2)\n"
      "problem:\n"
      "  initial: {{h: depth, hu: 0, hv: 0}}\n"
      "```\n",
      fmt::join(formula_functions(), ", "));
  return page;
}

}  // namespace quoin
