#include "bench/dgcvs_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quoin::bench::dgcvs {
namespace {

/// Figures of all runs of one backend.
void summarize(Json& row) {
  const double steps = row["steps"].get<double>();
  const double updates = steps * (row["entities"]["cells"].get<double>() + row["entities"]["vertices"].get<double>());
  std::vector<double> step;
  std::vector<double> loop;
  std::vector<double> update;
  for (const Json& run : row["repeats"]) {
    step.push_back(run["seconds"].get<double>() / steps);
    loop.push_back(run["loop_seconds"].get<double>() / steps);
    update.push_back(1e9 * run["seconds"].get<double>() / updates);
  }
  row["seconds_per_step"] = spread(step);
  row["loop_seconds_per_step"] = spread(loop);
  row["ns_per_entity_update"] = spread(update);
  double flops = 0.0;  // which the kernels of all runs execute alike
  for (const Json& kernel : row["repeats"][0]["kernels"]) flops += kernel["flops"].get<double>();
  const Json ceiling = largest(row, "multiply_add_gflops_per_second");
  const double median = row["ns_per_entity_update"]["median"].get<double>();
  row["entity_updates_per_second"] = 1e9 / median;
  row["flops_per_update"] = flops / updates;
  row["gflops"] = flops / updates / median;
  row["multiply_add_gflops_per_second"] = ceiling;
  row["percent_of_multiply_adds"] =
      ceiling.is_null() ? Json() : Json(100.0 * row["gflops"].get<double>() / ceiling.get<double>());
}

/// What the row is next to the first one of its case.
void relate(Json& row, const Json& first) {
  const auto times_faster = [&](const char* figure) {
    return first[figure]["median"].get<double>() / row[figure]["median"].get<double>();
  };
  row["speed_ratio"] = times_faster("seconds_per_step");
  row["loop_speed_ratio"] = times_faster("loop_seconds_per_step");
  row["same_fields"] = std::ranges::all_of(
      row["repeats"], [&](const Json& run) { return run["field_sha256"] == first["repeats"][0]["field_sha256"]; });
}

std::string line(const Json& row, std::size_t backend) {
  std::string text = fmt::format("{:>4} ", fmt::format("[{}]", backend));
  if (!has_figures(row)) return text + " " + row.value("error", "not run") + "\n";
  const Json& update = row["ns_per_entity_update"];
  text += fmt::format("{:>7} {:>10} {:>10} {:>9} {:>9} {:>9} {:>11}", row["steps"].get<std::int64_t>(),
                      fmt::format("{:.4f}", 1e3 * row["loop_seconds_per_step"]["median"].get<double>()),
                      fmt::format("{:.4f}", 1e3 * row["seconds_per_step"]["median"].get<double>()),
                      number(update["median"], 1), number(update["min"], 1), number(update["max"], 1),
                      fmt::format("{:.3f}", row["entity_updates_per_second"].get<double>() / 1e6));
  text += fmt::format(" {:>8} {:>6} {:>6}  {}\n", number(row["gflops"], 2), number(row["percent_of_multiply_adds"], 1),
                      number(row["loop_speed_ratio"], 2), row["same_fields"].get<bool>() ? "equal" : "differ");
  return text;
}

}  // namespace

void evaluate(Json& study) {
  for (Json& of_case : study["cases"]) {
    const Json* first = nullptr;
    for (Json& row : of_case["backends"]) {
      if (!has_figures(row)) continue;
      summarize(row);
      if (first == nullptr) first = &row;
      relate(row, *first);
    }
  }
}

std::string table(const Json& study) {
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, of_case["case"].get<std::string>().size());
  std::string text = fmt::format(
      "Milliseconds a step of the time loop by the clock, transfers in it, and of its kernels by the device: medians "
      "of {}\n"
      "runs. Nanoseconds an update are the kernels', with the shortest and the longest run; the speed is the loop's.\n"
      "GFLOP/s: the operations that the kernels execute, an fma counted twice; '% fma': of what dense multiply-adds\n"
      "reach on the device.\n\n",
      study["repeats"].get<int>());
  text += fmt::format("{:<{}} {:>4} {:>7} {:>10} {:>10} {:>9} {:>9} {:>9} {:>11} {:>8} {:>6} {:>6}  {}\n", "case",
                      width, "", "steps", "loop", "kernels", "ns/update", "min", "max", "Mupdates/s", "GFLOP/s",
                      "% fma", "speed", "fields");
  for (const Json& of_case : study["cases"]) {
    std::string name = of_case["case"].get<std::string>();
    std::size_t backend = 0;
    for (const Json& row : of_case["backends"]) {
      text += fmt::format("{:<{}} ", name, width) + line(row, ++backend);
      name.clear();
    }
  }
  return text + "\n" + legend(study, "backends");
}

}  // namespace quoin::bench::dgcvs
