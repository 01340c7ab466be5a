// Times iterations of Krylov methods, and the products with the matrix in them, in the formats that there are.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/krylov_report.hpp"
#include "bench/products.hpp"

namespace quoin::bench {
namespace {

/// Model problems whose matrices are larger than caches.
std::vector<BenchCase> model_problems() {
  const auto laplacian = [](const char* matrix) {
    return fmt::format(
        "problem: {{type: linear-system, matrix: {{generator: poisson, {}}}, rhs: ones}}\n"
        "method: {{solver: cg, preconditioner: jacobi}}\n",
        matrix);
  };
  return {{"poisson5-2048", laplacian("nodes: [2048, 2048]")},
          {"poisson27-128", laplacian("nodes: [128, 128, 128], points: 27")}};
}

int bench_krylov(const Context& context, const ProductArguments& arguments) {
  const std::optional<std::int64_t> iterations =
      arguments.iterations || !arguments.files.empty() ? arguments.iterations : std::optional<std::int64_t>(40);
  Benchmark benchmark{.name = "krylov",
                      .problem = "linear-system",
                      .rows = "rows",
                      .row_facts = {"iterations", "residual", "matrix", "case_sha256"},
                      .run_facts = {"history_sha256", "copy_gbytes_per_second", "triad_gbytes_per_second"},
                      .measure = nullptr,
                      .evaluate = krylov::evaluate,
                      .table = krylov::table};
  std::vector<Override> changes = without_files();
  if (iterations) {
    benchmark.cut_short = {Status::not_converged};
    changes.push_back({"method.max_iterations", std::to_string(*iterations), "--iterations"});
    changes.push_back({"method.relative_tolerance", "1e-300", "--iterations"});
  }
  Study study(context, arguments, benchmark);
  study.json["devices"] = Json::object();
  for (const BenchCase& of : study.cases_or(model_problems())) {
    const Case plain = study.load(of, changes);
    const Json facts{{"case", of.name},
                     {"solver", plain.text("method.solver")},
                     {"preconditioner", plain.text("method.preconditioner.type")}};
    study.add(of, changes, facts, rows_of_formats(arguments, study.backends(), plain));
  }
  return study.run();
}

}  // namespace

void add_krylov(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand(
      "krylov", "Iterations of Krylov methods and their products with the matrix, in every format of it");
  const auto arguments = std::make_shared<ProductArguments>();
  add_study_options(command, context, *arguments,
                    "40 iterations of conjugate gradients for Poisson's equation: 5 points on 2048 x 2048 nodes and "
                    "27 points on 128 x 128 x 128");
  add_formats(command, *arguments, "csr,sell,shared");
  add_iteration_options(command, *arguments);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_krylov(context, *arguments); }; });
}

}  // namespace quoin::bench
