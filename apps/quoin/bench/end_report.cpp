#include "bench/end_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bench/figures.hpp"

namespace quoin::bench::end {
namespace {

/// The parts of a run, in the order of the table: `start` is what its process takes before and behind the run.
constexpr std::array parts{"start", "setup", "loop", "fields", "checkpoint", "errors", "rates"};

double seconds_of(const Json& run, const std::string& part) {
  if (part == "start") return run["process_seconds"].get<double>() - run["wall_seconds"].get<double>();
  if (part == "setup" || part == "loop") return run[part + "_seconds"].get<double>();
  return run["end_seconds"].value(part, 0.0);
}

template <class Figure>
Json spread_of(const Json& row, const Figure& figure) {
  std::vector<double> values;
  for (const Json& run : row["repeats"]) values.push_back(figure(run));
  return spread(std::move(values));
}

/// What a row is by itself.
void describe(Json& row, const Json& of_case, const Json& /*devices*/) {
  for (const char* part : parts)
    row["seconds"][part] = spread_of(row, [part](const Json& run) { return seconds_of(run, part); });
  const auto all = [](const Json& run) { return run["process_seconds"].get<double>(); };
  const auto loop = [](const Json& run) { return run["loop_seconds"].get<double>(); };
  row["seconds"]["all"] = spread_of(row, all);
  row["beside_loop"] = spread_of(row, [&](const Json& run) { return all(run) - loop(run); });
  row["over_loop"] = spread_of(row, [&](const Json& run) { return all(run) / loop(run); });
  const Json& goal = of_case["goal"];
  if (!goal.is_null()) row["reached"] = row[goal["figure"].get<std::string>()]["median"] <= goal["must"];
}

void relate(Json& row, const Json& rows) { row["same_bits"] = has_bits_of_first(row, rows); }

std::string title(const Json& of_case) { return of_case["case"].get<std::string>(); }

std::string goal_of(const Json& of_case) {
  const Json& goal = of_case["goal"];
  if (goal.is_null()) return "-";
  const bool ratio = goal["figure"] == "over_loop";
  return fmt::format("{} {}{}", ratio ? "/loop" : "beside", goal["must"].dump(), ratio ? "" : " s");
}

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = fmt::format("{:>4} ", fmt::format("[{}]", backend));
  if (!has_figures(row)) return text + " " + row.value("error", "not run") + "\n";
  for (const char* part : parts) text += fmt::format("{:>10} ", number(row["seconds"][part]["median"], 3));
  return text + fmt::format("{:>10} {:>10} {:>8}  {:<7} {}\n", number(row["seconds"]["all"]["median"], 3),
                            number(row["beside_loop"]["median"], 3), number(row["over_loop"]["median"], 2),
                            !row.contains("reached")     ? "-"
                            : row["reached"].get<bool>() ? "reached"
                                                         : "missed",
                            row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

std::string table(const Json& study) {
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, title(of_case).size());
  std::string text = fmt::format(
      "Seconds by the clock, of a process each, from its start to its end; medians of {} runs. 'start' is what the\n"
      "process takes around the run, 'beside' all but the loop, '/loop' all over the loop. 'bits': next to the first\n"
      "row of the case. Files are written as the cases say.\n\n",
      study["repeats"].get<int>());
  text += fmt::format("{:<{}} {:>4} ", "case", width, "");
  for (const char* part : parts) text += fmt::format("{:>10} ", part);
  text += fmt::format("{:>10} {:>10} {:>8}  {:<7} {}\n", "all", "beside", "/loop", "goal", "bits");
  text += lines_of_rows(study, width, title, line);
  for (const Json& of_case : study["cases"])
    if (!of_case["goal"].is_null()) text += fmt::format("Goal of {}: {}\n", title(of_case), goal_of(of_case));
  return text;
}

}  // namespace quoin::bench::end
