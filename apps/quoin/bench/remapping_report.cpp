#include "bench/remapping_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/figures.hpp"

namespace quoin::bench::remapping {
namespace {

/// What a row is by itself.
void describe(Json& row, const Json& /*of_case*/, const Json& /*devices*/) {
  std::vector<double> kernels;
  std::vector<double> loop;
  for (const Json& run : row["repeats"]) {
    kernels.push_back(1e6 * run["seconds"].get<double>() / row["steps"].get<double>());
    loop.push_back(1e6 * run["loop_seconds"].get<double>() / row["steps"].get<double>());
  }
  row["us_per_step"] = spread(std::move(kernels));
  row["loop_us_per_step"] = spread(std::move(loop));
}

/// The way whose numbering this is, the hash of fields going by the entities' numbers.
std::string numbering_of(const Json& row) {
  return row["entities"].get<std::string>().starts_with("mesh_order") ? "mesh_order" : "boundary_last";
}

/// What the row is next to that of the same backend with launches of their own, and to the first of its numbering.
void relate(Json& row, const Json& rows) {
  const Json* apart = first_row(rows, [&](const Json& other) {
    return other["requested"] == row["requested"] && other["entities"] == "boundary_last";
  });
  for (const auto& [ratio, figure] :
       {std::pair{"time_ratio", "us_per_step"}, std::pair{"loop_time_ratio", "loop_us_per_step"}})
    row[ratio] = apart == nullptr
                     ? Json()
                     : Json(row[figure]["median"].get<double>() / (*apart)[figure]["median"].get<double>());
  row["same_bits"] =
      has_bits_of_first(row, rows, [&](const Json& other) { return numbering_of(other) == numbering_of(row); });
}

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "entities", 22);
  if (!has_figures(row)) return text;
  const Json& time = row["us_per_step"];
  return text + fmt::format("{:>7} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7}  {}\n", row["steps"].dump(),
                            number(time["median"], 1), number(time["min"], 1), number(time["max"], 1),
                            number(row["loop_us_per_step"]["median"], 1), number(row["time_ratio"], 3),
                            number(row["loop_time_ratio"], 3), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

std::string table(const Json& study) {
  const auto title = [](const Json& of_case) {
    std::string name = of_case["case"].get<std::string>();
    const Json& boundary = of_case["boundary"];
    return boundary.is_null() ? name : fmt::format("{}, {:.1f} %", name, 100.0 * boundary.get<double>());
  };
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, title(of_case).size());
  std::string text = fmt::format(
      "Microseconds of a time step, of its kernels by the device, with the shortest and the longest run, and of the\n"
      "loop by the clock: medians of {} runs. The ratios are those of kernels and loop to launches of their own\n"
      "(boundary_last) on the same backend. Beside a case's name: the share of its cells that are on the boundary.\n"
      "'bits' of the fields: next to the first row with the same numbering, by which they are hashed.\n\n",
      study["repeats"].get<int>());
  text +=
      fmt::format("{:<{}} {:>4} {:<22} {:<9} {:>7} {:>10} {:>10} {:>10} {:>10} {:>7} {:>7}  {}\n", "case", width, "",
                  "entities", "precision", "steps", "kernels", "min", "max", "loop", "ratio", "of loop", "bits");
  return text + lines_of_rows(study, width, title, line);
}

}  // namespace quoin::bench::remapping
