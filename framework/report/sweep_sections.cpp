#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace quoin {
namespace {

constexpr std::size_t most_lines = 12;  // of a chart
constexpr std::size_t most_bars = 40;

struct Shown {
  const char* path;
  const char* name;
};
constexpr std::array shown_figures{Shown{"errors.l2", "error in L2"}, Shown{"iterations", "iterations or steps"},
                                   Shown{"residual", "residual norm"}, Shown{"wall_seconds", "seconds"}};

std::string plain(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// Of a number, or of a list of one and the same number, as [20, 20].
std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const Json list = Json::parse(value.get<std::string>(), nullptr, /*allow_exceptions=*/false);
  if (!list.is_array() || list.empty() || !list[0].is_number()) return std::nullopt;
  const bool same = std::ranges::all_of(list, [&list](const Json& each) { return each == list[0]; });
  return same ? std::optional(list[0].get<double>()) : std::nullopt;
}

std::optional<double> told_by(const Json& member, const char* path) {
  return number_at(member, "/figures/" + std::string(path));
}

/// The values of a member in words, but for that of a key.
std::string words_of(const Json& member, const std::string& without = "") {
  std::string text;
  for (const auto& [key, value] : member["values"].items())
    if (key != without) text += (text.empty() ? "" : ", ") + last_part(key) + " " + plain(value);
  return text;
}

/// What charts run over: the key of most numbers; empty where none has two.
std::string key_along(const Json& members) {
  std::map<std::string, std::set<double>> numbers;
  std::set<std::string> others;
  for (const Json& member : members) {
    for (const auto& [key, value] : member["values"].items()) {
      const std::optional<double> number = number_of(value);
      number ? (void)numbers[key].insert(*number) : (void)others.insert(key);
    }
  }
  std::string along;
  std::size_t most = 1;
  for (const auto& [key, values] : numbers) {
    if (others.contains(key) || values.size() <= most) continue;
    along = key;
    most = values.size();
  }
  return along;
}

/// A line for each setting of the other keys.
Lines lines_of(const Json& members, const std::string& along, const char* path) {
  Lines lines;
  for (const Json& member : members) {
    const std::optional<double> y = told_by(member, path);
    if (!y) continue;
    const std::string name = words_of(member, along);
    auto line = std::ranges::find(lines, name, [](const auto& each) { return each.first; });
    if (line == lines.end()) line = lines.insert(lines.end(), {name, {}});
    line->second.push_back({*number_of(member["values"][along]), *y});
  }
  for (auto& [name, samples] : lines) std::ranges::sort(samples, {}, &Sample::x);
  return lines;
}

std::string figures_markup(const Json& members, Gnuplot& gnuplot) {
  const std::string along = key_along(members);
  std::string markup;
  for (const Shown& figure : shown_figures) {
    std::optional<Chart> chart;
    std::string caption = std::string(figure.name) + (along.empty() ? " by member." : " over " + along + ".");
    if (along.empty()) {
      Bars bars;
      for (const Json& member : members)
        if (const auto value = told_by(member, figure.path); value && bars.size() < most_bars)
          bars.emplace_back(words_of(member), *value);
      if (bars.size() > 1) chart = bar_chart(bars, figure.name);
    } else {
      Lines lines = lines_of(members, along, figure.path);
      if (lines.size() > most_lines) {
        caption += fmt::format(" The first {} of {} lines.", most_lines, lines.size());
        lines.resize(most_lines);
      }
      if (!lines.empty()) chart = lines_chart(lines, last_part(along), figure.name);
    }
    if (chart) markup += figure_of(gnuplot, chart, caption);
  }
  return charts(markup);
}

bool is_row(const Json& member) {
  return member.is_object() && member.contains("values") && member["values"].is_object();
}

}  // namespace

std::string sweep_sections(const Json& study, Gnuplot& gnuplot) {
  const Json& all = list_at(study, "members");
  Json members = Json::array();
  std::ranges::copy_if(all, std::back_inserter(members), is_row);
  std::vector<std::string> heads{"member"};
  if (!members.empty())
    for (const auto& [key, value] : members.front()["values"].items()) heads.push_back(key);
  for (const Shown& figure : shown_figures) heads.emplace_back(figure.name);
  heads.emplace_back("status");
  std::vector<std::vector<std::string>> rows;
  std::string faults;
  for (const Json& member : members) {
    const std::string folder = std::filesystem::path(text_at(member, "/directory")).filename().string();
    std::vector<std::string> row{
        fmt::format("<a href=\"./{}/\">{}</a>", html::escaped(folder), html::cell(member, "/member"))};
    for (const auto& [key, value] : member["values"].items()) row.push_back(html::escaped(plain(value)));
    for (const Shown& figure : shown_figures) row.push_back(html::cell(member, "/figures/" + std::string(figure.path)));
    row.push_back(html::escaped(text_at(member, "/status")));
    rows.push_back(std::move(row));
    if (const std::string message = text_at(member, "/message"); !message.empty())
      faults += html::note(words_of(member) + ": " + message);
  }
  return html::section(
      "members", "Members",
      figures_markup(members, gnuplot) + html::table("Members and what came out", heads, rows) + faults);
}

}  // namespace quoin
