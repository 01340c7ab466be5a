#include "bench/krylov_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/products.hpp"

namespace quoin::bench::krylov {
namespace {

/// One of them does the rows that are one segment.
constexpr const char* short_kernels[] = {"csr_segments", "sell_segments", "sell_product", "ell_segments"};
/// Does what ell_segments has left, or all.
constexpr const char* rest_kernel = "coo_segments";

/// Microseconds of a product with the matrix in every run, with the block sums that its kernel makes.
Json products(const Json& row) {
  std::vector<double> values;
  for (const Json& run : row["repeats"]) {
    double seconds = 0.0;
    double calls = 0.0;
    double calls_of_rest = 0.0;
    for (const Json& kernel : run["kernels"]) {
      const std::string name = kernel["name"].get<std::string>();
      const bool short_rows = std::ranges::find(short_kernels, name) != std::end(short_kernels);
      if (short_rows) calls += kernel["calls"].get<double>();
      if (name == rest_kernel) calls_of_rest = kernel["calls"].get<double>();
      if (short_rows || name == rest_kernel || name == "row_join" || name.ends_with("(long rows)"))
        seconds += kernel["seconds"].get<double>();
    }
    if (calls == 0.0) calls = calls_of_rest;
    values.push_back(calls > 0.0 ? 1e6 * seconds / calls : 0.0);
  }
  return spread(std::move(values));
}

/// What a row is by itself.
void describe(Json& row, const Json& /*of_case*/, const Json& devices) {
  row["us_per_iteration"] = us_per_iteration(row, "loop_seconds");
  row["kernels_us_per_iteration"] = us_per_iteration(row, "seconds");
  row["us_per_product"] = products(row);
  describe_product(row, devices);
}

/// What it is next to the first of the case, or of its precision.
void relate(Json& row, const Json& rows) {
  const Json& base = *std::ranges::find_if(rows, has_figures);
  row["speed_ratio"] =
      base["us_per_iteration"]["median"].get<double>() / row["us_per_iteration"]["median"].get<double>();
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "format", 7);
  if (!has_figures(row)) return text;
  const Json& time = row["us_per_iteration"];
  return text + fmt::format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>9} {:>8} {:>7}  {}\n",
                            row["iterations"].dump(), number(time["median"], 1), number(time["min"], 1),
                            number(time["max"], 1), number(row["us_per_product"]["median"], 1),
                            number(1e-6 * row["matrix"]["bytes"].get<double>(), 1), number(row["product_gflops"], 2),
                            number(row["product_gbytes_per_second"], 1), number(row["percent_of_triad"], 1),
                            number(row["speed_ratio"], 2), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

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
