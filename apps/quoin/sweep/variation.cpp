#include "sweep/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

constexpr std::size_t most_settings = 10000;
constexpr std::size_t longest_name = 100;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, "--vary " + what); }

Variation variation_of(const std::string& text) {
  const Override first = overrides_of({text}).front();
  Variation variation{first.path, split_list(first.value)};
  std::set<std::string> seen;
  for (const std::string& value : variation.values) {
    if (value.empty())
      refuse(fmt::format("{} has an empty value: '{}'; an empty text is written as ''", variation.key, first.value));
    if (!seen.insert(value).second) refuse(fmt::format("{} has the value {} twice", variation.key, value));
  }
  return variation;
}

std::vector<Setting> pairs_of(const std::vector<Variation>& variations) {
  const std::size_t count = variations.front().values.size();
  for (const Variation& other : variations)
    if (other.values.size() != count)
      refuse(fmt::format("{} has {} values and {} has {}: --zip needs as many of each", variations.front().key, count,
                         other.key, other.values.size()));
  std::vector<Setting> all(count);
  for (std::size_t k = 0; k < count; ++k)
    for (const Variation& each : variations) all[k].push_back(each.values[k]);
  return all;
}

/// `[20, 20]` as 20x20, and of other characters those that need no quotes in a shell.
std::string in_a_name(const std::string& text) {
  std::string name;
  char before = 0;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || c == '.' || c == '-' || c == '+' || c == '_') {
      name += c;
    } else if (c == ',') {
      name += 'x';
    } else if (std::string_view("[]{}()\"'").find(c) == std::string_view::npos &&
               !(c == ' ' && (before == ',' || before == ':'))) {
      name += '_';
    }
    before = c;
  }
  return name;
}

std::string last_part(const std::string& key) { return in_a_name(key.substr(key.rfind('.') + 1)); }

}  // namespace

std::vector<Variation> variations_of(const std::vector<std::string>& texts) {
  std::vector<Variation> variations;
  for (const std::string& text : texts) {
    variations.push_back(variation_of(text));
    if (std::ranges::count(variations, variations.back().key, &Variation::key) > 1)
      refuse(variations.back().key + " is given twice; give all of its values at once");
  }
  return variations;
}

std::vector<Setting> settings_of(const std::vector<Variation>& variations, bool zip) {
  if (zip) return pairs_of(variations);
  std::vector<Setting> all(1);
  for (const Variation& variation : variations) {
    std::vector<Setting> longer;
    if (all.size() * variation.values.size() > most_settings)
      refuse(fmt::format("gives more than {} members; leave out values", most_settings));
    for (const Setting& setting : all) {
      for (const std::string& value : variation.values) {
        longer.push_back(setting);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::string> short_names(const std::vector<Variation>& variations) {
  std::map<std::string, int> uses;
  for (const Variation& each : variations) ++uses[last_part(each.key)];
  std::vector<std::string> names;
  for (const Variation& each : variations) {
    const std::string last = last_part(each.key);
    names.push_back(uses[last] == 1 && !last.empty() ? last : each.key);
  }
  return names;
}

std::vector<std::string> folder_names(const std::vector<Variation>& variations, const std::vector<Setting>& settings) {
  const std::vector<std::string> keys = short_names(variations);
  std::vector<std::string> names;
  std::map<std::string, int> uses;  // in small letters, for file systems that do not tell large ones apart
  const auto small = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  for (const Setting& setting : settings) {
    std::string name;
    for (std::size_t k = 0; k < keys.size(); ++k)
      name += (k == 0 ? "" : ",") + in_a_name(keys[k]) + "=" + in_a_name(setting[k]);
    names.push_back(name.substr(0, longest_name));
    ++uses[small(names.back())];
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (uses[small(names[k])] > 1) names[k] += fmt::format(",{}", k);
  return names;
}

}  // namespace quoin
