// Times problems on several ranks next to one process.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/benchmarks.hpp"
#include "bench/scaling_report.hpp"
#include "bench/started.hpp"
#include "quoin/error.hpp"
#include "quoin/kernel_entry.hpp"

namespace quoin::bench {
namespace {

struct ScalingArguments : IterationArguments {
  std::vector<int> ranks{0, 2};
  std::vector<std::int64_t> nodes;
  bool weak = false;
};

const BenchCase large_grid{"poisson", R"yaml(
problem:
  type: jacobi
  grid: {nodes: [4096, 4096]}
  source: "1"
method: {stop: iterations, max_iterations: 256}
)yaml"};

/// How a case is made larger, and ends after so many iterations or steps.
struct Keys {
  std::string size, limit;
  std::int64_t rows_together;  ///< whole rows of a part are a multiple of these; 0: a part may be any entities
};

Keys keys_of(const Case& plain) {
  const std::string& type = plain.text("problem.type");
  if (type == "jacobi") return {"problem.grid.nodes", "method.max_iterations", block_rows};
  if (type != "dg-cvs")
    throw plain.error_at("problem.type", "this benchmark is of the problems jacobi and dg-cvs, not of " + type);
  if (!plain.has("problem.mesh.cells"))
    throw plain.error_at("problem.mesh", "this benchmark is of meshes with 'cells', which it can make larger");
  return {"problem.mesh.cells", "method.max_steps", 0};
}

/// Whether there are more ranks on a host than it has cores.
bool shares_cores(const Json& summary) {
  std::map<std::string, int> on_host;
  for (const Json& rank : summary.value("ranks", Json::array())) ++on_host[rank["host"].get<std::string>()];
  return std::ranges::any_of(on_host, [&](const auto& host) { return host.second > summary["host"]["cores"]; });
}

Json run_on_ranks(const Context& context, const std::vector<Candidate>& /*plugins*/, const Case& the_case,
                  const Json& row) {
  Json found = run_as_started(context, the_case, row["ranks"].get<int>());
  if (!found.contains("status")) return found;
  if (!found.contains("waiting_seconds")) found["waiting_seconds"] = 0.0;
  found["shares_cores"] = shares_cores(found);
  for (const char* name : {"messages", "bytes", "collectives"}) {
    std::int64_t most = 0;
    for (const Json& rank : found.value("ranks", Json::array())) most = std::max(most, rank[name].get<std::int64_t>());
    found["traffic"][name] = most;
  }
  return found;
}

std::string named(int ranks) {
  return ranks == 0 ? "a process" : ranks == 1 ? "1 rank" : fmt::format("{} ranks", ranks);
}

std::vector<Row> rows_of(const ScalingArguments& arguments, const std::vector<std::string>& backends, const Case& plain,
                         const std::string& size) {
  std::vector<Row> rows;
  for (const std::string& precision : arguments.precisions_of(plain)) {
    for (const std::string& backend : backends) {
      for (const int ranks : arguments.ranks) {
        std::vector<std::int64_t> nodes = plain.integers(size);
        if (arguments.weak) nodes[1] *= std::max(1, ranks);
        rows.push_back({{{"requested", backend},
                         {"ranks", ranks},
                         {"on", named(ranks)},
                         {"nodes", nodes},
                         {"precision", precision}},
                        {{"backend", backend},
                         {"method.precision", precision},
                         {size, fmt::format("[{}, {}]", nodes[0], nodes[1])}}});
      }
    }
  }
  return rows;
}

int bench_scaling(const Context& context, const ScalingArguments& arguments) {
  const Benchmark benchmark{.name = "scaling",
                            .problem = "",
                            .rows = "rows",
                            .row_facts = {"iterations", "residual", "case_sha256", "shares_cores"},
                            .run_facts = {"history_sha256", "waiting_seconds", "traffic", "triad_gbytes_per_second"},
                            .measure = nullptr,
                            .evaluate = scaling::evaluate,
                            .table = scaling::table,
                            .run = run_on_ranks,
                            .cut_short = {Status::max_steps, Status::not_converged}};
  Study study(context, arguments, benchmark);
  study.json["weak"] = arguments.weak;
  study.json["devices"] = Json::object();
  for (const BenchCase& of : study.cases_or({large_grid})) {
    const Keys keys = keys_of(study.load(of, {}));
    std::vector<Override> changes = without_files();
    if (arguments.nodes.size() == 2)
      changes.push_back({keys.size, fmt::format("[{}, {}]", arguments.nodes[0], arguments.nodes[1])});
    if (arguments.iterations) changes.push_back({keys.limit, std::to_string(*arguments.iterations), "--iterations"});
    study.add(of, changes, {{"case", of.name}, {"rows_together", keys.rows_together}},
              rows_of(arguments, study.backends(), study.load(of, changes), keys.size));
  }
  return study.run();
}

}  // namespace

void add_scaling(CLI::App& bench, Context& context) {
  CLI::App& command =
      *bench.add_subcommand("scaling", "Problems of jacobi and dg-cvs on several ranks, next to one process");
  const auto arguments = std::make_shared<ScalingArguments>();
  add_study_options(command, context, *arguments, "256 iterations for Poisson's equation on 4096 x 4096 nodes");
  add_list(command, "--ranks", arguments->ranks,
           "Numbers of ranks, comma between them; 0 is a process without a launcher [0,2]")
      ->check(CLI::Range(0, 1 << 20).description(""));
  add_list(command, "--nodes", arguments->nodes,
           "Nodes, or cells, along x and y, comma between them [those of the case]")
      ->expected(2);
  command.add_flag("--weak", arguments->weak, "So many for each rank: ranks share y");
  add_iteration_options(command, *arguments);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_scaling(context, *arguments); }; });
}

}  // namespace quoin::bench
