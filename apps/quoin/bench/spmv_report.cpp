#include "bench/spmv_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/products.hpp"

namespace quoin::bench::spmv {
namespace {

/// What a row is by itself.
void describe(Json& row, const Json& /*of_case*/, const Json& devices) {
  std::vector<double> values;
  for (const Json& run : row["repeats"])
    values.push_back(1e6 * run["seconds"].get<double>() / run["products"].get<double>());
  row["us_per_product"] = spread(std::move(values));
  describe_product(row, devices);
  const double own = 1e-3 * own_bytes(row) / row["us_per_product"]["median"].get<double>();
  row["own_gbytes_per_second"] = own;
  const Json& triad = devices[row["device"].get<std::string>()]["triad_gbytes_per_second"];
  row["own_percent_of_triad"] = triad.is_number() ? Json(100.0 * own / triad.get<double>()) : Json();
}

/// What it is next to csr on the same backend, and to the first of its precision.
void relate(Json& row, const Json& rows) {
  const auto csr = std::ranges::find_if(rows, [&](const Json& other) {
    return has_figures(other) && other["format"] == "csr" && other["requested"] == row["requested"] &&
           other["precision"] == row["precision"];
  });
  row["speed_to_csr"] =
      csr == rows.end()
          ? Json()
          : Json((*csr)["us_per_product"]["median"].get<double>() / row["us_per_product"]["median"].get<double>());
  row["same_bits"] = has_bits_of_first(row, rows);
}

std::string line(const Json& row, std::ptrdiff_t backend) {
  std::string text = start_of_line(row, backend, "format", 7);
  if (!has_figures(row)) return text;
  const Json& time = row["us_per_product"];
  return text + fmt::format("{:>10} {:>10} {:>10} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}  {}\n",
                            number(time["median"], 1), number(time["min"], 1), number(time["max"], 1),
                            number(1e-6 * row["matrix"]["bytes"].get<double>(), 1), number(row["product_gflops"], 2),
                            number(row["product_gbytes_per_second"], 1), number(row["percent_of_triad"], 1),
                            number(row["own_gbytes_per_second"], 1), number(row["own_percent_of_triad"], 1),
                            number(row["speed_to_csr"], 2), row["same_bits"].get<bool>() ? "equal" : "differ");
}

}  // namespace

void evaluate(Json& study) { evaluate_rows(study, describe, relate); }

std::string table(const Json& study) {
  std::size_t width = 6;
  for (const Json& of_case : study["cases"]) width = std::max(width, name_of(of_case).size());
  std::string text = fmt::format(
      "Microseconds of a product with the matrix by the device; medians of {} runs, with the shortest and the "
      "longest.\n"
      "'MB' is what the matrix takes on the device. GB/s are of the bytes of csr with vectors, whatever is stored, "
      "then\n"
      "of what is stored, each next to the device's triad in '% roof'. 'csr' is the speed next to that of csr on the\n"
      "same backend. 'bits' of A x: next to the first row of the precision.\n\n",
      study["repeats"].get<int>());
  text += fmt::format("{:<{}} {:>4} {:<7} {:<9} {:>10} {:>10} {:>10} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}  {}\n",
                      "matrix", width, "", "format", "precision", "product", "min", "max", "MB", "GFLOP/s", "GB/s",
                      "% roof", "own GB/s", "% roof", "csr", "bits");
  return text + lines_of_rows(study, width, name_of, line);
}

}  // namespace quoin::bench::spmv
