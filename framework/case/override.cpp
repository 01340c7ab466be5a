#include "case/override.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "case/path.hpp"
#include "case/yaml_fault.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

CaseNode& child_or_new(CaseNode& map, const std::string& key, const Place& place) {
  for (CaseNode& child : map.children)
    if (child.key == key) return child;
  CaseNode& node = map.children.emplace_back();
  node.kind = CaseNode::Kind::map;
  node.key = key;
  node.key_place = node.place = place;
  return node;
}

// `backend: hip:1` becomes {name: hip, device: 1}, so that `--set backend.device=0` finds its place.
void expand_backend(CaseNode& backend) {
  auto [name, device] = split_backend(backend.text);
  CaseNode map = backend;
  map.kind = CaseNode::Kind::map;
  const auto add = [&](const char* key, const std::string& text) {
    CaseNode& node = map.children.emplace_back(backend);
    node.key = key;
    node.text = text;
    node.first = 0;
  };
  add("name", name);
  if (!device.empty()) add("device", device);
  backend = std::move(map);
}

// A plain value becomes a section that keeps it; whether it may stand for one is the reader's to say.
void keep_as_shorthand(CaseNode& plain) {
  CaseNode map = plain;
  map.kind = CaseNode::Kind::map;
  map.children.assign(1, plain);
  map.children.front().key.clear();
  map.shorthand = true;
  plain = std::move(map);
}

}  // namespace

std::pair<std::string, std::string> split_backend(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

void apply_override(CaseNode& root, const Override& change, Diagnostics& diagnostics) {
  const bool set = change.option.empty() || change.option == "--vary";
  const std::string source = set ? (change.option.empty() ? "--set " : "--vary ") + change.path : change.option;
  const int start = set ? characters(change.path) + 2 : 1;  // where the value stands in its source
  diagnostics.add_source(source, set ? change.path + "=" + change.value : change.value);

  CaseNode value;
  value.kind = CaseNode::Kind::scalar;
  value.text = change.value;
  value.place = {source, 1, start, std::max(1, characters(change.value))};
  value.first = start;
  try {
    if (set && !is_conditional(change.value))
      value = YamlReader(change.value, {source, 1, start, 1}, diagnostics).read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::case_file) throw;
    return;  // noted; the other mistakes are still to be found
  }

  CaseNode* at = &root;
  for (std::size_t from = 0;;) {
    const std::string part = change.path.substr(from, part_end(std::string_view(change.path).substr(from)));
    const std::size_t end = from + part.size();
    const int column = characters(change.path.substr(0, from)) + 1;
    const Place place = set ? Place{source, 1, column, std::max(1, characters(part))} : value.place;
    const std::string key = part_name(part).value_or("");
    if (key.empty())
      return diagnostics.error(
          place, part.starts_with('"') ? "a name in quotes ends with a quote" : "a part of the key's path is empty");
    const bool plain = at->kind == CaseNode::Kind::scalar || at->kind == CaseNode::Kind::sequence;
    if (change.path.starts_with("backend.")) {
      if (at->kind == CaseNode::Kind::scalar) expand_backend(*at);
    } else if (plain) {
      keep_as_shorthand(*at);
    }
    if (at->kind != CaseNode::Kind::map)
      return diagnostics.error(place, fmt::format("{} has no keys here that could be set; set it as a whole",
                                                  shown(change.path.substr(0, from == 0 ? 0 : from - 1))));
    at = &child_or_new(*at, key, place);
    if (end == change.path.size()) {
      value.key = key;
      value.key_place = place;
      if (value.kind == CaseNode::Kind::null) value.place = place;
      *at = std::move(value);
      return;
    }
    from = end + 1;
  }
}

}  // namespace quoin
