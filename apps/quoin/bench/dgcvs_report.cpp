#include "bench/dgcvs_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace quoin::bench::dgcvs {
namespace {

/// Operations of one entity and half step as the design counts them (dg-cvs, section 13), whatever the code does: order
/// + 2 sweeps of a law with one variable, and the four sub-quads that an entity has on average, of triangles as of
/// quadrilaterals.
std::optional<double> nominal_flops(const Json& of_case) {
  if (of_case["equation"] == "shallow_water") return std::nullopt;
  switch (of_case["order"].get<int>()) {
    case 1:
      return 3.3e3;
    case 2:
      return 20e3;
    case 3:
      return 81e3;
    default:
      return std::nullopt;
  }
}

/// Figures of all runs of one backend.
void summarize(Json& row, std::optional<double> flops, double core_rate) {
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
  const double median = row["ns_per_entity_update"]["median"].get<double>();
  row["entity_updates_per_second"] = 1e9 / median;
  row["nominal_gflops"] = flops ? Json(*flops / median) : Json();
  const bool on_one_core = row["backend"] == "serial" && row["precision"] == "double";
  row["percent_of_core"] = flops && on_one_core ? Json(100.0 * *flops / median / core_rate) : Json();
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
  text += fmt::format(" {:>8} {:>6} {:>6}  {}\n", number(row["nominal_gflops"], 2), number(row["percent_of_core"], 1),
                      number(row["loop_speed_ratio"], 2), row["same_fields"].get<bool>() ? "equal" : "differ");
  return text;
}

}  // namespace

void evaluate(Json& study) {
  for (const char* which : {"one_core", "all_cores"}) {
    Json& rates = study["machine"][which];
    rates["gflops"] = *std::ranges::max_element(rates["samples"]);
  }
  for (Json& of_case : study["cases"]) {
    const std::optional<double> flops = nominal_flops(of_case);
    of_case["nominal_flops_per_update"] = flops ? Json(*flops) : Json();
    const Json* first = nullptr;
    for (Json& row : of_case["backends"]) {
      if (!has_figures(row)) continue;
      summarize(row, flops, study["machine"]["one_core"]["gflops"].get<double>());
      if (first == nullptr) first = &row;
      relate(row, *first);
    }
  }
}

std::string table(const Json& study) {
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, of_case["case"].get<std::string>().size());
  const Json& machine = study["machine"];
  std::string text = fmt::format(
      "Milliseconds a step of the time loop by the clock, transfers in it, and of its kernels by the device: medians "
      "of {}\n"
      "runs. Nanoseconds an update are the kernels', with the shortest and the longest run; the speed is the loop's.\n"
      "GFLOP/s by the nominal count, whatever the code does: 3.3, 20, 81 kflop an entity update for order 1, 2, 3.\n"
      "Dense multiply-adds in double reach {:.1f} GFLOP/s on one core here, {:.1f} on {} at once (the best of {});\n"
      "'% core' is a serial run's share of the first.\n\n",
      study["repeats"].get<int>(), machine["one_core"]["gflops"].get<double>(),
      machine["all_cores"]["gflops"].get<double>(), machine["cores"].get<unsigned>(),
      machine["one_core"]["samples"].size());
  text += fmt::format("{:<{}} {:>4} {:>7} {:>10} {:>10} {:>9} {:>9} {:>9} {:>11} {:>8} {:>6} {:>6}  {}\n", "case",
                      width, "", "steps", "loop", "kernels", "ns/update", "min", "max", "Mupdates/s", "GFLOP/s",
                      "% core", "speed", "fields");
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
