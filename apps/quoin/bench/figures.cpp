#include "bench/figures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quoin::bench {
namespace {

/// The device of the first row of a backend that has figures; empty where there is none.
std::string device_of(const Json& study, const char* rows, const Json& backend) {
  for (const Json& of_case : study["cases"]) {
    for (const Json& row : of_case[rows]) {
      if (row["requested"] == backend && has_figures(row)) return row["device"].get<std::string>();
    }
  }
  return {};
}

}  // namespace

bool has_figures(const Json& row) { return row.contains("repeats") && !row.contains("error"); }

Json spread(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return {{"median", (values[(n - 1) / 2] + values[n / 2]) / 2}, {"min", values.front()}, {"max", values.back()}};
}

Json largest(const Json& row, const char* fact) {
  Json most;
  for (const Json& run : row["repeats"])
    if (run[fact].is_number() && (most.is_null() || run[fact] > most)) most = run[fact];
  return most;
}

Json triad_rates(const Json& study) {
  Json found = Json::object();
  for (const Json& of_case : study["cases"]) {
    for (const Json& row : of_case["rows"]) {
      if (!has_figures(row)) continue;
      Json& best = found[row["device"].get<std::string>()]["triad_gbytes_per_second"];
      const Json rate = largest(row, "triad_gbytes_per_second");
      if (best.is_null() || (rate.is_number() && rate > best)) best = rate;
    }
  }
  return found;
}

Json us_per_iteration(const Json& row, const char* seconds) {
  std::vector<double> values;
  for (const Json& run : row["repeats"])
    values.push_back(1e6 * run[seconds].get<double>() / row["iterations"].get<double>());
  return spread(std::move(values));
}

std::string number(const Json& value, int digits) {
  return value.is_null() ? "-" : fmt::format("{:.{}f}", value.get<double>(), digits);
}

std::string legend(const Json& study, const char* rows) {
  std::string text;
  std::size_t k = 0;
  for (const Json& backend : study["backends"]) {
    text += fmt::format("[{}] {}", ++k, backend.get<std::string>());
    const std::string device = device_of(study, rows, backend);
    text += device.empty() ? "\n" : ": " + device + "\n";
  }
  return text;
}

bool has_bits_of_first(const Json& row, const Json& rows, const std::function<bool(const Json& other)>& alike) {
  const Json& first =
      *std::ranges::find_if(rows, [&](const Json& other) { return has_figures(other) && alike(other); });
  return std::ranges::all_of(row["repeats"], [&](const Json& run) { return same_bits(run, first["repeats"][0]); });
}

bool has_bits_of_first(const Json& row, const Json& rows) {
  return has_bits_of_first(row, rows, [&](const Json& other) {
    return other["precision"] == row["precision"] && other.value("nodes", Json()) == row.value("nodes", Json());
  });
}

std::string start_of_line(const Json& row, std::ptrdiff_t backend, const char* key, int width) {
  std::string text = fmt::format("{:>4} {:<{}} {:<9} ", fmt::format("[{}]", backend), row[key].get<std::string>(),
                                 width, row.value("precision", ""));
  return has_figures(row) ? text : text + " " + row.value("error", "not run") + "\n";
}

std::string lines_of_rows(const Json& study, std::size_t width, std::string (*title)(const Json& of_case),
                          std::string (*line)(const Json& row, std::ptrdiff_t backend)) {
  std::string text;
  for (const Json& of_case : study["cases"]) {
    std::string name = title(of_case);
    for (const Json& row : of_case["rows"]) {
      const auto backend = std::ranges::find(study["backends"], row["requested"]) - study["backends"].begin();
      text += fmt::format("{:<{}} ", name, width) + line(row, backend + 1);
      name.clear();
    }
  }
  text += "\n" + legend(study, "rows");
  for (const auto& [device, rates] : study["devices"].items())
    text += fmt::format("Triad of {}: {} GB/s\n", device, number(rates["triad_gbytes_per_second"], 1));
  return text;
}

}  // namespace quoin::bench
