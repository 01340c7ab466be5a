// Times the variants of the Jacobi iteration next to each other and to one pass through memory an iteration.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/jacobi_report.hpp"
#include "quoin/catalogue.hpp"

namespace quoin::bench {
namespace {

struct JacobiArguments : IterationArguments {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> variants{"classic", "fused", "blocked"};
};

/// The norm of every iteration is taken, and the source varies: its array is read, too.
const BenchCase poisson{"poisson", R"yaml(
problem:
  type: jacobi
  grid: {nodes: [1024, 1024]}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
method: {stop: iterations}
)yaml"};

/// A second or so of work for one core, less for others; whole passes of every depth.
std::int64_t enough_iterations(std::int64_t points) {
  constexpr std::int64_t visits = 1 << 28;
  return std::clamp<std::int64_t>(visits / points / deepest_pass * deepest_pass, 64, 1024);
}

bool in_space(const Case& the_case) { return the_case.integers("problem.grid.nodes").size() == 3; }

std::int64_t points_of(const Case& the_case) {
  std::int64_t points = 1;
  for (const std::int64_t nodes : the_case.integers("problem.grid.nodes")) points *= nodes;
  return points;
}

/// Whether each node has coefficients of its own, as where they vary and where values are not given on all sides.
bool has_coefficients(const Case& the_case) {
  for (const char* key : {"problem.diffusivity", "problem.reaction"})
    for (const char* from : {".formula", ".file"})
      if (the_case.has(std::string(key) + from)) return true;
  return std::ranges::any_of(std::array{"left", "right", "bottom", "top", "back", "front"}, [&](const char* side) {
    const std::string type = fmt::format("problem.boundary.{}.type", side);
    return the_case.has(type) && the_case.text(type) != "dirichlet";
  });
}

/// Whether the source is read as an array: one formula alone is a number, in the plane.
bool reads_source(const Case& the_case) {
  if (in_space(the_case) || has_coefficients(the_case)) return true;
  return !the_case.expression("problem.source", {{"nx", 1}, {"ny", 1}, {"lx", 1}, {"ly", 1}}).constant();
}

/// Elements that a sweep has to move for a node: the iterate, the next, the source and the coefficients.
int reals_per_point(const Case& the_case) {
  const int coefficients = !has_coefficients(the_case) ? 0 : in_space(the_case) ? 4 : 3;
  return 2 + (reads_source(the_case) ? 1 : 0) + coefficients;
}

std::vector<Row> rows_of(const JacobiArguments& arguments, const std::vector<std::string>& backends,
                         const Case& plain) {
  // Double first: the first classic row of a backend is what its others are held against.
  const std::vector<std::string> precisions = arguments.precisions_of(plain);
  std::vector<Row> rows;
  for (const std::string& backend : backends) {
    for (const std::string& precision : precisions) {
      for (const std::string& variant : arguments.variants)
        rows.push_back({{{"requested", backend}, {"variant", variant}, {"precision", precision}},
                        {{"method.variant", variant}, {"method.precision", precision}, {"backend", backend}}});
    }
  }
  return rows;
}

void add(Study& study, const JacobiArguments& arguments, const BenchCase& of, std::optional<std::int64_t> size) {
  std::vector<Override> changes = without_files();
  if (size) {
    const std::vector<std::int64_t> nodes(in_space(study.load(of, changes)) ? 3 : 2, *size);
    changes.push_back({"problem.grid.nodes", fmt::format("[{}]", fmt::join(nodes, ", "))});
  }
  if (arguments.iterations) changes.push_back({"method.stop", "iterations"});
  std::optional<std::int64_t> iterations = arguments.iterations;
  if (!iterations && !of.text.empty()) iterations = enough_iterations(points_of(study.load(of, changes)));
  if (iterations) changes.push_back({"method.max_iterations", std::to_string(*iterations), "--iterations"});
  const Case plain = study.load(of, changes);
  study.add(of, changes,
            {{"case", of.name},
             {"nodes", plain.integers("problem.grid.nodes")},
             {"source", reads_source(plain) ? "array" : "number"},
             {"reals_per_point", reals_per_point(plain)}},
            rows_of(arguments, study.backends(), plain));
}

int bench_jacobi(const Context& context, const JacobiArguments& arguments) {
  const Benchmark benchmark{.name = "jacobi",
                            .problem = "jacobi",
                            .rows = "rows",
                            .row_facts = {"iterations", "residual", "case_sha256"},
                            .run_facts = {"history_sha256", "copy_gbytes_per_second", "triad_gbytes_per_second"},
                            .measure = nullptr,
                            .evaluate = jacobi::evaluate,
                            .table = jacobi::table};
  Study study(context, arguments, benchmark);
  study.json["devices"] = Json::object();
  std::vector<std::optional<std::int64_t>> sizes(arguments.sizes.begin(), arguments.sizes.end());
  if (sizes.empty()) sizes.emplace_back();
  for (const BenchCase& of : study.cases_or({poisson})) {
    for (const std::optional<std::int64_t> size : sizes) add(study, arguments, of, size);
  }
  return study.run();
}

}  // namespace

void add_jacobi(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand(
      "jacobi",
      "The variants of the Jacobi iteration, next to the classic one and to one pass through memory an iteration");
  const auto arguments = std::make_shared<JacobiArguments>();
  add_study_options(command, context, *arguments,
                    "Poisson's equation with a source that varies on 1024 x 1024 nodes, so many iterations that a run "
                    "takes a second or so");
  add_list(command, "--sizes", arguments->sizes, "Nodes a side, comma between them: each case runs in each size")
      ->check(CLI::Range(1, 65536).description(""));
  add_list(command, "--variants", arguments->variants, "Those to time, comma between them [classic,fused,blocked]")
      ->check(CLI::IsMember({"classic", "fused", "blocked"}));
  add_iteration_options(command, *arguments);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_jacobi(context, *arguments); }; });
}

}  // namespace quoin::bench
