#include "bench/scaling_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/figures.hpp"
#include "bench/scaling_model.hpp"

namespace quoin::bench::scaling {
namespace {

/// What a row is by itself.
void describe(Json& row, const Json& /*of_case*/, const Json& /*devices*/) {
  row["us_per_iteration"] = us_per_iteration(row, "loop_seconds");
  std::vector<double> shares;
  for (const Json& run : row["repeats"])
    shares.push_back(100.0 * run["waiting_seconds"].get<double>() / run["loop_seconds"].get<double>());
  row["percent_waiting"] = spread(std::move(shares));
}

double rate(const Json& row) {
  return row["nodes"][0].get<double>() * row["nodes"][1].get<double>() /
         row["us_per_iteration"]["median"].get<double>();
}

/// What it is next to the first of the case, in nodes a second.
void relate(Json& row, const Json& rows) {
  row["speed_ratio"] = rate(row) / rate(*std::ranges::find_if(rows, has_figures));
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string title(const Json& of_case) { return of_case["case"].get<std::string>(); }

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "on", 10);
  if (!has_figures(row)) return text;
  const Json& time = row["us_per_iteration"];
  return text + fmt::format("{:>13} {:>11} {:>11} {:>11} {:>9} {:>8}  {}\n",
                            fmt::format("{}x{}", row["nodes"][0].dump(), row["nodes"][1].dump()),
                            number(time["median"], 1), number(time["min"], 1), number(time["max"], 1),
                            number(row["percent_waiting"]["median"], 1), number(row["speed_ratio"], 3),
                            row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) {
  evaluate_rows(study, describe, relate);
  for (Json& of_case : study["cases"]) add_models(of_case);
}

std::string table(const Json& study) {
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, title(of_case).size());
  std::string text = fmt::format(
      "Microseconds of an iteration, of the loop by the clock, with the shortest and the longest run; medians of {}\n"
      "runs. '% wait' is the part of the loop in which the first rank waits for others. The speed, in nodes or cells\n"
      "a second, is that next to the first row. 'bits' of the fields and the history: next to the first row of that\n"
      "size and precision.\n\n",
      study["repeats"].get<int>());
  text += fmt::format("{:<{}} {:>4} {:<10} {:<9} {:>13} {:>11} {:>11} {:>11} {:>9} {:>8}  {}\n", "case", width, "",
                      "on", "precision", "nodes", "iteration", "min", "max", "% wait", "speed", "bits");
  return text + lines_of_rows(study, width, title, line) + models_text(study);
}

}  // namespace quoin::bench::scaling
