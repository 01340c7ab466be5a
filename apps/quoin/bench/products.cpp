#include "bench/products.hpp"

namespace quoin::bench {
namespace {

double element_bytes(const Json& row) { return row["precision"] == "float" ? 4.0 : 8.0; }
double vectors_bytes(const Json& row) { return 2.0 * row["matrix"]["rows"].get<double>() * element_bytes(row); }

}  // namespace

void add_formats(CLI::App& command, ProductArguments& arguments, const std::string& formats) {
  arguments.formats = CLI::detail::split(formats, ',');
  add_list(command, "--formats", arguments.formats,
           "How the matrix is stored, comma between them: shared is sell with slices that are alike stored once [" +
               formats + "]")
      ->check(CLI::IsMember({"auto", "csr", "sell", "shared", "ell", "coo", "hybrid"}));
}

std::vector<Row> rows_of_formats(const ProductArguments& arguments, const std::vector<std::string>& backends,
                                 const Case& plain) {
  const std::vector<std::string> precisions = arguments.precisions_of(plain);
  std::vector<Row> rows;
  for (const std::string& backend : backends) {
    for (const std::string& precision : precisions) {
      for (const std::string& format : arguments.formats) {
        Row row{{{"requested", backend}, {"format", format}, {"precision", precision}},
                {{"method.format", format == "shared" ? "sell" : format},
                 {"method.precision", precision},
                 {"backend", backend}}};
        if (format == "sell") row.changes.push_back({"method.share", "off"});
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

std::string name_of(const Json& of_case) { return of_case["case"].get<std::string>(); }

double csr_bytes(const Json& row) {
  return row["matrix"]["entries"].get<double>() * (element_bytes(row) + 4.0) +
         (row["matrix"]["rows"].get<double>() + 1.0) * 8.0 + vectors_bytes(row);
}

double own_bytes(const Json& row) { return row["matrix"]["bytes"].get<double>() + vectors_bytes(row); }

void describe_product(Json& row, const Json& devices) {
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

}  // namespace quoin::bench
