#include "case/path.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quoin {

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

Names split_path(std::string_view path) {
  Names parts;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    parts.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  parts.emplace_back(path);
  return parts;
}

std::string join_path(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::optional<Names> match_path(std::string_view pattern, std::string_view path) {
  Names names;
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('.'));
    const std::string_view part = path.substr(0, path.find('.'));
    if (wanted == "*" && is_name(part))
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
  for (auto dots = path.empty() ? 0 : std::count(path.begin(), path.end(), '.') + 1; dots > 0; --dots) {
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
