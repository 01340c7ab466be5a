#include "bench/jacobi_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace quoin::bench::jacobi {
namespace {

/// Microseconds of an iteration for reading the iterate, and what else is an array, and writing the next, at that rate.
Json roofline(const Json& of_case, const Json& row, const Json& gbytes_per_second) {
  if (gbytes_per_second.is_null()) return nullptr;
  double points = 1.0;
  for (const Json& nodes : of_case["nodes"]) points *= nodes.get<double>();
  const double bytes = points * of_case["reals_per_point"].get<double>() * (row["precision"] == "float" ? 4.0 : 8.0);
  return 1e-3 * bytes / gbytes_per_second.get<double>();
}

/// What a row is by itself.
void describe(Json& row, const Json& of_case, const Json& devices) {
  row["us_per_iteration"] = us_per_iteration(row, "loop_seconds");
  row["kernels_us_per_iteration"] = us_per_iteration(row, "seconds");
  const Json& rate = devices[row["device"].get<std::string>()]["triad_gbytes_per_second"];
  row["roofline_us_per_iteration"] = roofline(of_case, row, rate);
}

/// What the row is next to others of its case.
void relate(Json& row, const Json& rows) {
  const Json* classic = first_row(
      rows, [&](const Json& other) { return other["requested"] == row["requested"] && other["variant"] == "classic"; });
  const double time = row["us_per_iteration"]["median"].get<double>();
  row["speed_ratio"] =
      classic == nullptr ? Json() : Json((*classic)["us_per_iteration"]["median"].get<double>() / time);
  const Json& best = row["roofline_us_per_iteration"];
  row["percent_of_roofline"] = best.is_null() ? Json() : Json(100.0 * best.get<double>() / time);
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "variant", 8);
  if (!has_figures(row)) return text;
  const Json& time = row["us_per_iteration"];
  return text + fmt::format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7}  {}\n", row["iterations"].dump(),
                            number(time["median"], 2), number(time["min"], 2), number(time["max"], 2),
                            number(row["kernels_us_per_iteration"]["median"], 2), number(row["speed_ratio"], 2),
                            number(row["percent_of_roofline"], 1), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

std::string table(const Json& study) {
  std::size_t width = 4;
  const auto title = [](const Json& of_case) {
    return fmt::format("{} {}", of_case["case"].get<std::string>(),
                       fmt::join(of_case["nodes"].get<std::vector<std::int64_t>>(), " x "));
  };
  for (const Json& of_case : study["cases"]) width = std::max(width, title(of_case).size());
  std::string text = fmt::format(
      "Microseconds an iteration: of the loop by the clock, with the shortest and the longest run, and of its\n"
      "kernels by the device; medians of {} runs. The speed is the loop's next to classic of the same backend, in\n"
      "double where that is timed. '% roof' is its share of one pass through memory an iteration at the rate of the\n"
      "device's triad: 24 bytes a point, 16 where the source is a number, 48 with coefficients and 56 with those in\n"
      "space, half of that in float; what stays in caches and several sweeps a pass exceed it. 'bits' of fields and\n"
      "histories: next to the first row of the precision.\n"
      "\n",
      study["repeats"].get<int>());
  text +=
      fmt::format("{:<{}} {:>4} {:<8} {:<9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7}  {}\n", "case", width, "",
                  "variant", "precision", "iterations", "loop", "min", "max", "kernels", "speed", "% roof", "bits");
  return text + lines_of_rows(study, width, title, line);
}

}  // namespace quoin::bench::jacobi
