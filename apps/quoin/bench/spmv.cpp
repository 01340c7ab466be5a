// Times products with a sparse matrix alone, in every format of it.

#include <fmt/format.h>

#include <filesystem>

#include "bench/benchmarks.hpp"
#include "bench/products.hpp"
#include "bench/spmv_report.hpp"
#include "quoin/matrix_products.hpp"
#include "quoin/run.hpp"

namespace quoin::bench {
namespace {

struct SpmvArguments : ProductArguments {
  std::vector<std::string> matrices;
};

/// As problem.matrix of a case says it.
BenchCase with_matrix(const std::string& name, const std::string& matrix) {
  return {name, "problem: {type: linear-system, matrix: " + matrix + "}\n"};
}

/// Matrices of constant coefficients that are larger than caches, and one with a row that is as long as all others.
std::vector<BenchCase> model_matrices() {
  return {with_matrix("poisson5-2048", "{generator: poisson, nodes: [2048, 2048]}"),
          with_matrix("poisson27-128", "{generator: poisson, nodes: [128, 128, 128], points: 27}"),
          with_matrix("arrow-1000000", "{generator: arrow, rows: 1000000}")};
}

bool is_matrix_file(const std::string& name) { return name.ends_with(".mtx") || name.ends_with(".mtx.gz"); }

std::vector<BenchCase> cases_of(const Study& study, const SpmvArguments& arguments) {
  std::vector<BenchCase> cases;
  if (!arguments.files.empty() || arguments.matrices.empty()) cases = study.cases_or(model_matrices());
  for (BenchCase& of : cases)
    if (of.text.empty() && is_matrix_file(of.name))
      of = with_matrix(of.name, fmt::format("{{file: {}}}", Json(std::filesystem::absolute(of.name).string()).dump()));
  for (const std::string& matrix : arguments.matrices) cases.push_back(with_matrix(matrix, matrix));
  return cases;
}

/// Null where it is not known.
Json gbytes_per_second(double rate) { return rate > 0.0 ? Json(rate / 1e9) : Json(); }

Json measured(const Case& the_case, const Chosen& chosen) {
  const MatrixProducts found = time_products(the_case, chosen.executor);
  if (!found.refusal.empty()) return {{"refused", found.refusal}};
  const StreamRates rates = stream_rates(the_case, chosen.executor, chosen.backend->candidate());
  return {{"exit_code", 0},
          {"backend", chosen.backend->candidate().name},
          {"device", chosen.executor->device().name},
          {"precision", the_case.text("method.precision")},
          {"versions", versions_of(chosen.backend->candidate(), chosen.executor->device())},
          {"matrix",
           {{"rows", found.rows},
            {"entries", found.entries},
            {"format", found.format},
            {"bytes", found.bytes},
            {"shared", found.shared}}},
          {"case_sha256", the_case.sha256()},
          {"products", found.products},
          {"kernels", {{{"name", "product"}, {"calls", found.products}, {"seconds", found.seconds}}}},
          {"field_sha256", found.sha256},
          {"copy_gbytes_per_second", gbytes_per_second(rates.copy)},
          {"triad_gbytes_per_second", gbytes_per_second(rates.triad)}};
}

Json try_products(const Context&, const std::vector<Candidate>& plugins, const Case& the_case, const Json& /*row*/) {
  try {
    return measured(the_case, chosen_backend(the_case, plugins));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::case_file || error.kind() == ErrorKind::usage) throw;
    return {{"error", error.what()}, {"exit_code", error.exit_code()}};
  }
}

int bench_spmv(const Context& context, const SpmvArguments& arguments) {
  const Benchmark benchmark{.name = "spmv",
                            .problem = "linear-system",
                            .rows = "rows",
                            .row_facts = {"matrix", "case_sha256"},
                            .run_facts = {"products", "copy_gbytes_per_second", "triad_gbytes_per_second"},
                            .measure = nullptr,
                            .evaluate = spmv::evaluate,
                            .table = spmv::table,
                            .run = try_products};
  Study study(context, arguments, benchmark);
  study.json["devices"] = Json::object();
  for (const BenchCase& of : cases_of(study, arguments))
    study.add(of, {}, {{"case", of.name}}, rows_of_formats(arguments, study.backends(), study.load(of, {})));
  return study.run();
}

}  // namespace

void add_spmv(CLI::App& bench, Context& context) {
  CLI::App& command =
      *bench.add_subcommand("spmv", "Products with a sparse matrix alone, in every format of it, without a solver");
  const auto arguments = std::make_shared<SpmvArguments>();
  add_study_options(
      command, context, *arguments,
      "Poisson's equation, 5 points on 2048 x 2048 nodes and 27 points on 128 x 128 x 128, and a matrix "
      "with a row of a million entries. Besides case files of linear systems, matrices themselves (.mtx)");
  command
      .add_option(
          "--matrix", arguments->matrices,
          "A matrix as problem.matrix of a case says it, such as {generator: arrow, rows: 1000}; may be repeated")
      ->type_name("YAML")
      ->allow_extra_args(false);
  add_formats(command, *arguments, "csr,sell,shared,coo,ell,hybrid,auto");
  add_precisions(command, *arguments);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_spmv(context, *arguments); }; });
}

}  // namespace quoin::bench
