#include "bench/krylov_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quoin::bench::krylov {
namespace {

/// Microseconds of a product with the matrix in every run: of all kernels that take part, for each call of the one
/// that all rows need.
Json products(const Json& row) {
  std::vector<double> values;
  for (const Json& run : row["repeats"]) {
    double seconds = 0.0;
    double calls = 0.0;
    for (const Json& kernel : run["kernels"]) {
      const std::string name = kernel["name"].get<std::string>();
      const bool short_rows = name == "csr_segments" || name == "sell_segments";
      if (short_rows) calls = kernel["calls"].get<double>();
      if (short_rows || name == "row_join" || name.ends_with("(long rows)")) seconds += kernel["seconds"].get<double>();
    }
    values.push_back(calls > 0.0 ? 1e6 * seconds / calls : 0.0);
  }
  return spread(std::move(values));
}

/// What a product moves of a matrix stored row by row, whatever it is stored like: values, columns of 32 bits, offsets
/// of 64 bits, and both vectors once.
double csr_bytes(const Json& row) {
  const double size = row["precision"] == "float" ? 4.0 : 8.0;
  const double rows = row["matrix"]["rows"].get<double>();
  return row["matrix"]["entries"].get<double>() * (size + 4.0) + (rows + 1.0) * 8.0 + 2.0 * rows * size;
}

/// What a row is by itself.
void describe(Json& row, const Json& devices) {
  row["us_per_iteration"] = us_per_iteration(row, "loop_seconds");
  row["kernels_us_per_iteration"] = us_per_iteration(row, "seconds");
  row["us_per_product"] = products(row);
  const double time = row["us_per_product"]["median"].get<double>();
  row["product_gflops"] = Json();
  row["product_gbytes_per_second"] = row["percent_of_triad"] = Json();
  if (!(time > 0.0)) return;
  row["product_gflops"] = 2e-3 * row["matrix"]["entries"].get<double>() / time;
  row["product_gbytes_per_second"] = 1e-3 * csr_bytes(row) / time;
  const Json& triad = devices[row["device"].get<std::string>()]["triad_gbytes_per_second"];
  if (triad.is_number())
    row["percent_of_triad"] = 100.0 * row["product_gbytes_per_second"].get<double>() / triad.get<double>();
}

/// What it is next to the first of the case, or of its precision.
void relate(Json& row, const Json& rows) {
  const Json& base = *std::ranges::find_if(rows, has_figures);
  row["speed_ratio"] =
      base["us_per_iteration"]["median"].get<double>() / row["us_per_iteration"]["median"].get<double>();
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string name_of(const Json& of_case) { return of_case["case"].get<std::string>(); }

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = fmt::format("{:>4} {:<7} {:<9} ", fmt::format("[{}]", backend), row["format"].get<std::string>(),
                                 row["precision"].get<std::string>());
  if (!has_figures(row)) return text + " " + row.value("error", "not run") + "\n";
  const Json& time = row["us_per_iteration"];
  return text + fmt::format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>8} {:>7}  {}\n",
                            row["iterations"].dump(), number(time["median"], 1), number(time["min"], 1),
                            number(time["max"], 1), number(row["us_per_product"]["median"], 1),
                            number(1e-6 * row["matrix"]["bytes"].get<double>(), 1), number(row["product_gflops"], 2),
                            number(row["product_gbytes_per_second"], 1), number(row["percent_of_triad"], 1),
                            number(row["speed_ratio"], 2), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) {
  study["devices"] = triad_rates(study);
  for (Json& of_case : study["cases"]) {
    Json& rows = of_case["rows"];
    for (Json& row : rows) {
      if (has_figures(row)) describe(row, study["devices"]);
    }
    for (Json& row : rows) {
      if (has_figures(row)) relate(row, rows);
    }
  }
}

std::string table(const Json& study) {
  std::size_t width = 4;
  for (const Json& of_case : study["cases"]) width = std::max(width, name_of(of_case).size());
  std::string text = fmt::format(
      "Microseconds of an iteration, of the loop by the clock, with the shortest and the longest run, and of one\n"
      "product with the matrix by the device; medians of {} runs. 'MB' is what the matrix takes on the device: csr is\n"
      "row by row, sell 32 rows side by side, shared the same with slices that are alike stored once. GB/s and '% "
      "roof',\n"
      "next to the device's triad, are of the bytes of csr with vectors, whatever is stored. The speed is that of an\n"
      "iteration next to the first row. 'bits' of x and of the history: next to the first row of the precision.\n\n",
      study["repeats"].get<int>());
  text += fmt::format("{:<{}} {:>4} {:<7} {:<9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>8} {:>7}  {}\n",
                      "case", width, "", "format", "precision", "iterations", "iteration", "min", "max", "product",
                      "MB", "GFLOP/s", "GB/s", "% roof", "speed", "bits");
  return text + lines_of_rows(study, width, name_of, line);
}

}  // namespace quoin::bench::krylov
