#include "differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>

#include "quoin/results.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// Single values, by their paths: `errors.l2`.
void flatten(const Json& json, const std::string& path, std::map<std::string, Json>& values) {
  for (const auto& [name, value] : json.items()) {
    const std::string here = path.empty() ? name : path + "." + name;
    if (value.is_object()) {
      flatten(value, here, values);
    } else if (!value.is_array()) {
      values[here] = value;
    }
  }
}

std::map<std::string, Json> values_of(const Json& summary) {
  std::map<std::string, Json> values;
  flatten(summary, "", values);
  return values;
}

bool is_time(const std::string& name) {
  return name.ends_with("_seconds") || name.starts_with("setup_parts_seconds.") || name.starts_with("end_seconds.");
}

/// Of the machine and of the run's circumstances, not of its results.
bool is_beside(const std::string& name) {
  constexpr std::array names{"version",     "exit_code",    "date",          "title",        "message",
                             "backend",     "problem",      "precision",     "command_line", "launches",
                             "case_sha256", "field_sha256", "history_sha256"};
  constexpr std::array sections{"host.", "versions.", "tuned.", "resumed.", "copied_bytes."};
  return std::ranges::find(names, name) != names.end() || name.ends_with("_per_second") || is_time(name) ||
         std::ranges::any_of(sections, [&](const char* section) { return name.starts_with(section); });
}

template <class Value, class Add>
void for_each_of_both(const std::map<std::string, Value>& a, const std::map<std::string, Value>& b, const Add& add) {
  std::set<std::string> names;
  for (const auto* each : {&a, &b})
    for (const auto& [name, value] : *each) names.insert(name);
  for (const std::string& name : names) {
    const auto in = [&name](const auto& values) {
      const auto found = values.find(name);
      return found == values.end() ? Json() : Json(found->second);
    };
    add(name, in(a), in(b));
  }
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream one(a, std::ios::binary);
  std::ifstream other(b, std::ios::binary);
  std::array<char, 1U << 16U> first{};
  std::array<char, 1U << 16U> second{};
  while (one && other) {
    one.read(first.data(), first.size());
    other.read(second.data(), second.size());
    if (one.gcount() != other.gcount() || !std::equal(first.begin(), first.begin() + one.gcount(), second.begin()))
      return false;
  }
  return !one && !other;
}

/// A file of each run, whose fields are held against each other.
class Pair {
 public:
  Pair(const FieldFile& a, const FieldFile& b, Json& rows)
      : a_(a), b_(b), name_(a.name == b.name ? a.name : a.name + ", " + b.name), rows_(rows) {}

  void compare() {
    try {
      compare_fields();
    } catch (const Error& error) {
      rows_.push_back(
          {{"file", name_}, {"error", error.where().empty() ? error.what() : error.where() + ": " + error.what()}});
    }
  }

 private:
  void compare_fields() {
    std::map<std::string, WrittenField> other;
    for (WrittenField& field : read_fields(b_.path)) other.emplace(field.name, std::move(field));
    const std::size_t before = rows_.size();
    for (const WrittenField& field : read_fields(a_.path)) {
      const auto found = other.find(field.name);
      if (found == other.end()) {
        differs(field.name + " is only in A");
      } else {
        compare(field, found->second);
        other.erase(found);
      }
    }
    for (const auto& [name, field] : other) differs(name + " is only in B");
    const bool equal = std::all_of(rows_.begin() + static_cast<std::ptrdiff_t>(before), rows_.end(),
                                   [](const Json& row) { return row.value("equal_bits", false); });
    if (equal && a_.path.extension() == b_.path.extension() && a_.name == b_.name && !same_bytes(a_.path, b_.path))
      differs("the fields are equal, the rest of the file is not");
  }

  void differs(const std::string& how) { rows_.push_back({{"file", name_}, {"differs", how}}); }

  void compare(const WrittenField& a, const WrittenField& b) {
    if (a.size != b.size) return differs(fmt::format("{}: {} in A, {} in B", a.name, a.size, b.size));
    if (a.places != b.places) return differs(a.name + ": as many nodes, but at other places");
    const FieldDifference found = difference(a.values, b.values);
    rows_.push_back({{"file", name_},
                     {"field", a.name},
                     {"nodes", a.size},
                     {"equal_bits", found.equal_bits},
                     {"largest_difference", found.largest},
                     {"l2_difference", found.l2}});
  }

  const FieldFile& a_;
  const FieldFile& b_;
  std::string name_;
  Json& rows_;
};

using Frames = std::map<std::int64_t, FieldFile>;

std::map<std::string, Frames> series_in(const fs::path& folder) {
  std::map<std::string, Frames> series;
  for (FieldFile& file : field_files(folder)) series[file.series].insert_or_assign(file.step, file);
  return series;
}

/// The frames that `a` alone has, but for its last.
void add_alone(const Frames& a, const Frames& b, const char* side, Json& rows) {
  std::vector<std::string> names;
  for (const auto& [step, file] : a)
    if (!b.contains(step) && (b.empty() || step != a.rbegin()->first)) names.push_back(file.name);
  if (names.empty()) return;
  const std::string name = names.size() == 1 ? names.front() : names.front() + " to " + names.back();
  rows.push_back({{"file", name},
                  {"differs", fmt::format("{} only in {}",
                                          names.size() == 1 ? "is" : fmt::format("{} files", names.size()), side)}});
}

void compare_series(const Frames& a, const Frames& b, Json& rows) {
  add_alone(a, b, "A", rows);
  add_alone(b, a, "B", rows);
  for (const auto& [step, file] : a)
    if (const auto found = b.find(step); found != b.end()) Pair(file, found->second, rows).compare();
  if (!a.empty() && !b.empty() && a.rbegin()->first != b.rbegin()->first)
    Pair(a.rbegin()->second, b.rbegin()->second, rows).compare();
}

}  // namespace

FieldDifference difference(std::span<const double> a, std::span<const double> b) {
  FieldDifference found;
  double squares = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::bit_cast<std::uint64_t>(a[k]) == std::bit_cast<std::uint64_t>(b[k])) continue;
    found.equal_bits = false;
    const double each = std::fabs(a[k] - b[k]);
    if (std::isnan(each) || each > found.largest) found.largest = each;
    squares += each * each;
  }
  if (!a.empty()) found.l2 = std::sqrt(squares / static_cast<double>(a.size()));
  return found;
}

bool of_the_solution(const std::string& key) {
  return key.starts_with("problem.") || key.starts_with("method.") || key.starts_with("define.");
}

Json case_differences(const Case& a, const Case& b) {
  Json rows = Json::array();
  for_each_of_both(a.all(), b.all(), [&rows](const std::string& key, const Json& in_a, const Json& in_b) {
    if (in_a != in_b && key != "output.directory") rows.push_back({{"key", key}, {"a", in_a}, {"b", in_b}});
  });
  return rows;
}

Json figure_differences(const Json& a, const Json& b) {
  Json rows = Json::array();
  for_each_of_both(values_of(a), values_of(b), [&rows](const std::string& name, const Json& in_a, const Json& in_b) {
    if (in_a != in_b && !is_beside(name)) rows.push_back({{"name", name}, {"a", in_a}, {"b", in_b}});
  });
  return rows;
}

Json time_differences(const Json& a, const Json& b) {
  Json rows = Json::array();
  for_each_of_both(values_of(a), values_of(b), [&rows](const std::string& name, const Json& in_a, const Json& in_b) {
    if (!is_time(name) || !in_a.is_number() || !in_b.is_number()) return;
    const double seconds = in_a.get<double>();
    const Json ratio = seconds > 0.0 ? Json(in_b.get<double>() / seconds) : Json();
    rows.push_back({{"name", name}, {"a", in_a}, {"b", in_b}, {"ratio", ratio}});
  });
  return rows;
}

Json field_differences(const fs::path& a, const fs::path& b) {
  const std::map<std::string, Frames> in_a = series_in(a);
  const std::map<std::string, Frames> in_b = series_in(b);
  std::set<std::string> names;
  for (const auto* each : {&in_a, &in_b})
    for (const auto& [name, frames] : *each) names.insert(name);
  Json rows = Json::array();
  const auto frames_of = [](const std::map<std::string, Frames>& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? Frames() : found->second;
  };
  for (const std::string& name : names) compare_series(frames_of(in_a, name), frames_of(in_b, name), rows);
  return rows;
}

}  // namespace quoin
