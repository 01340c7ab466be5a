#include "case/path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quoin/case.hpp"

namespace quoin {

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

bool is_variable(std::string_view text) {
  return is_name(text) && text.find('-') == std::string_view::npos && (text[0] < '0' || text[0] > '9');
}

std::size_t part_end(std::string_view path) {
  bool quoted = false;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (path[k] == '"') quoted = !quoted;
    if (path[k] == '\\' && quoted) ++k;
    if (k < path.size() && path[k] == '.' && !quoted) return k;
  }
  return path.size();
}

Names split_path(std::string_view path) {
  Names parts;
  for (std::size_t dot = part_end(path); dot != path.size(); dot = part_end(path)) {
    parts.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  parts.emplace_back(path);
  return parts;
}

std::string path_part(std::string_view name) {
  if (is_name(name)) return std::string(name);
  std::string part = "\"";
  for (const char c : name) part += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return part + "\"";
}

std::optional<std::string> part_name(std::string_view part) {
  if (!part.starts_with('"')) return std::string(part);
  std::string name;
  for (std::size_t k = 1; k < part.size(); ++k) {
    if (part[k] == '"') return k + 1 == part.size() ? std::optional(name) : std::nullopt;
    if (part[k] == '\\') ++k;
    if (k < part.size()) name += part[k];
  }
  return std::nullopt;
}

std::string join_path(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::optional<Names> match_path(std::string_view pattern, std::string_view path) {
  Names names;
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('.'));
    const std::string_view part = path.substr(0, part_end(path));
    if (wanted == "*" && (is_name(part) || part.starts_with('"')))
      names.emplace_back(part);
    else if (wanted != part)
      return std::nullopt;
    const bool last = wanted.size() == pattern.size();
    if (last != (part.size() == path.size())) return std::nullopt;
    if (last) return names;
    pattern.remove_prefix(wanted.size() + 1);
    path.remove_prefix(part.size() + 1);
  }
}

std::optional<std::string_view> match_section(std::string_view pattern, std::string_view path) {
  std::size_t end = 0;  // in the pattern, behind the section
  for (std::string_view rest = path; !rest.empty(); rest.remove_prefix(std::min(part_end(rest) + 1, rest.size()))) {
    const std::size_t dot = pattern.find('.', end);
    if (dot == std::string_view::npos) return std::nullopt;
    end = dot + 1;
  }
  if (end > 0 && !match_path(pattern.substr(0, end - 1), path)) return std::nullopt;
  return pattern.substr(end);
}

std::string fill_path(std::string_view pattern, const Names& names) {
  Names parts = split_path(pattern);
  auto name = names.begin();
  for (std::string& part : parts)
    if (part == "*" && name != names.end()) part = *name++;
  return fmt::format("{}", fmt::join(parts, "."));
}

}  // namespace quoin
