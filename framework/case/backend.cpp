// The backend section: a name, name:device, a map, or a list of these.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "case/override.hpp"
#include "case/reader.hpp"
#include "case/scalar.hpp"

namespace quoin {
namespace {

std::string bare(const Key& key) { return key.path.substr(std::string_view("backend.").size()); }

// A value of a backend that is not installed: as written, where it is a scalar or a list of scalars.
std::string option_text(const CaseNode& node) {
  if (node.kind == CaseNode::Kind::scalar) return node.text;
  std::vector<std::string> items;
  for (const CaseNode& item : node.children) items.push_back(item.text);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string option_yaml(const CaseNode& node) {
  if (node.kind == CaseNode::Kind::sequence) return option_text(node);
  double real = 0.0;
  bool boolean = false;
  const bool plain = !node.quoted && (read_real(node.text, real).empty() || read_boolean(node.text, boolean).empty());
  return plain ? node.text : yaml_quoted(node.text);
}

bool simple(const CaseNode& node) {
  const auto scalar = [](const CaseNode& item) { return item.kind == CaseNode::Kind::scalar; };
  return scalar(node) ||
         (node.kind == CaseNode::Kind::sequence && std::all_of(node.children.begin(), node.children.end(), scalar));
}

MemoryKind memory_kind(std::string_view name) {
  return static_cast<MemoryKind>(std::ranges::find(memory_kind_names, name) - memory_kind_names.begin());
}

}  // namespace

std::vector<const Key*> CaseReader::keys_of_backend(const std::string& name) const {
  std::vector<const Key*> keys;
  for (const Key& key : table_.keys())
    if (key.path.starts_with("backend.") && (key.backend.empty() || key.backend == name)) keys.push_back(&key);
  return keys;
}

void CaseReader::check_backend(const CaseNode* node) {
  if (node == nullptr) {
    const std::string name = default_of(*find("backend.name")).text;
    finish_backend({.name = name, .device = "", .options = {}, .place = {result_.name_, 0, 0, 1}}, {});
  } else if (node->kind == CaseNode::Kind::sequence) {
    if (node->children.empty()) diagnostics_.error(node->place, "the list of backends is empty");
    for (const CaseNode& entry : node->children) check_backend_entry(entry);
  } else {
    check_backend_entry(*node);
  }
}

void CaseReader::check_backend_entry(const CaseNode& node) {
  BackendChoice choice;
  choice.place = node.place;
  if (node.kind == CaseNode::Kind::scalar) {
    std::tie(choice.name, choice.device) = split_backend(node.text);
    if (choice.name.empty() || (choice.device.empty() && node.text.ends_with(':')))
      return diagnostics_.error(node.place, "a backend is NAME or NAME:DEVICE");
    if (!check_value(node, *find("backend.name"))) return;
    return finish_backend(std::move(choice), {});
  }
  if (node.kind != CaseNode::Kind::map)
    return diagnostics_.error(node.place,
                              "a backend is NAME, NAME:DEVICE or a map with 'name', 'device' and its own "
                              "keys");

  if (const CaseNode* name = node.child("name"); name != nullptr && name->kind == CaseNode::Kind::scalar)
    choice.name = name->text;
  const std::vector<const Key*> known = keys_of_backend(choice.name);
  const auto& backends = table_.backends();
  const bool installed = std::find(backends.begin(), backends.end(), choice.name) != backends.end();
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Key* key : known) names.push_back(bare(*key));

  bool named = false;
  std::set<std::string_view> seen;
  std::map<std::string, std::string, std::less<>> written;  // option to its YAML
  for (const CaseNode& child : node.children) {
    if (!seen.insert(child.key).second) continue;
    const auto key = std::find_if(known.begin(), known.end(), [&](const Key* k) { return bare(*k) == child.key; });
    if (key != known.end()) {
      named = named || child.key == "name";
      const auto value = check_value(child, **key);
      if (!value) continue;
      if (child.key == "device") choice.device = value->text;
      if (child.key == "memory") choice.memory = memory_kind(value->text);
      if ((*key)->backend.empty()) continue;
      const std::string yaml = value->yaml();
      choice.options[child.key] = value->list.empty() ? value->text : yaml;
      written[child.key] = yaml;
    } else if (installed || choice.name.empty()) {
      const std::string hint = did_you_mean(child.key, names);
      named = named || closest(child.key, names) == "name";
      diagnostics_.error(child.key_place,
                         fmt::format("unknown key {} of the backend '{}'{}", shown(child.key), choice.name,
                                     hint.empty() ? "; known are " + listed(names) : hint));
    } else if (simple(child)) {
      // Not installed here: its keys are not known, and choosing it will say so.
      choice.options[child.key] = option_text(child);
      written[child.key] = option_yaml(child);
    } else {
      diagnostics_.error(child.place, fmt::format("{} of a backend is a value or a list of values", shown(child.key)));
    }
  }
  if (!named) diagnostics_.error(node.key.empty() ? node.place : node.key_place, "missing key 'name' of the backend");
  finish_backend(std::move(choice), std::move(written));
}

void CaseReader::finish_backend(BackendChoice choice, std::map<std::string, std::string, std::less<>> written) {
  if (choice.device.empty()) choice.device = default_of(*find("backend.device")).text;
  for (const Key* key : keys_of_backend(choice.name)) {
    if (key->backend.empty() || choice.options.contains(bare(*key))) continue;
    if (key->fallback.empty()) {
      if (key->required)
        diagnostics_.error(choice.place, fmt::format("missing key '{}' of the backend '{}'", bare(*key), choice.name));
      continue;
    }
    const Value value = default_of(*key);
    written[bare(*key)] = value.yaml();
    choice.options[bare(*key)] = value.list.empty() ? value.text : written[bare(*key)];
  }
  std::string text = fmt::format("name: {}\ndevice: {}\n", yaml_quoted(choice.name), yaml_quoted(choice.device));
  if (choice.memory != MemoryKind::device) text += fmt::format("memory: {}\n", name_of(choice.memory));
  for (const auto& [key, value] : written) text += fmt::format("{}: {}\n", yaml_key(key), value);
  backend_entries_.push_back(std::move(text));
  result_.backends_.push_back(std::move(choice));
}

}  // namespace quoin
