// Times what the framework adds: the loop of a run next to the same launches made through the plugin's C table.

#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/direct.hpp"
#include "bench/figures.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"

namespace quoin::bench {
namespace {

struct OverheadArguments {
  std::string backends = "serial";
  std::int64_t nodes = 1024;
  std::int64_t iterations = 1000;
  int repeats = 7;
  std::string output = "results/bench-overhead";
  bool force = false;
};

constexpr const char* poisson_case = R"yaml(problem:
  type: jacobi
  grid: {{nodes: [{0}, {0}]}}
  domain: {{x: [0, 1], y: [0, 1]}}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
  boundary: {{left: "0", right: "0", bottom: "0", top: "0"}}
method: {{variant: fused, stop: iterations, max_iterations: {1}}}
output: {{fields: {{write: false}}}}
)yaml";

DirectProblem direct_problem(const OverheadArguments& arguments, const Case& the_case) {
  DirectProblem result{arguments.nodes, arguments.iterations, {}};
  const Expression source = the_case.expression("problem.source", {});
  const double h = 1.0 / static_cast<double>(arguments.nodes + 1);
  for (std::int64_t j = 1; j <= arguments.nodes; ++j) {
    for (std::int64_t i = 1; i <= arguments.nodes; ++i)
      result.f.push_back(source(static_cast<double>(i) * h, static_cast<double>(j) * h));
  }
  return result;
}

/// One run and one without the framework, in turn; adds their figures to the row. Returns the exit code of the run.
int run_once(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case,
             const DirectProblem& direct, Json& row) {
  const Outcome outcome =
      run_case(the_case, plugins, {.quiet = true, .force = true, .command_line = context.command_line});
  if (outcome.exit_code != 0) return outcome.exit_code;
  const Json summary = Json::parse(outcome.summary);
  for (const char* fact : {"backend", "device", "versions", "residual"}) row[fact] = summary[fact];

  const BackendChoice& choice = the_case.backends().front();
  const auto backend = open_backend(find_backend(choice.name, plugins));
  DirectRun run(backend->candidate().file, find_device(backend->devices(choice.device), choice.device, choice.name),
                choice.options, direct);
  const double seconds = run.iterate();
  if (run.residual() != summary["residual"].get<double>())
    throw Error(ErrorKind::bug, fmt::format("the residual is {} by a run, but {} by the same launches without it",
                                            summary["residual"].dump(), run.residual()));
  row["repeats"].push_back({{"loop_seconds", summary["loop_seconds"]}, {"direct_seconds", seconds}});
  return 0;
}

void evaluate(Json& row, std::int64_t iterations) {
  const auto microseconds = [&](const char* which) {
    std::vector<double> values;
    for (const Json& run : row["repeats"])
      values.push_back(1e6 * run[which].get<double>() / static_cast<double>(iterations));
    return spread(std::move(values));
  };
  row["loop_us_per_iteration"] = microseconds("loop_seconds");
  row["direct_us_per_iteration"] = microseconds("direct_seconds");
  row["loop_over_direct"] =
      row["loop_us_per_iteration"]["median"].get<double>() / row["direct_us_per_iteration"]["median"].get<double>();
}

std::string table(const Json& study) {
  std::string text =
      fmt::format("{} x {} nodes, {} iterations, medians of {} runs in turn with the same launches\n",
                  study["nodes"].dump(), study["nodes"].dump(), study["iterations"].dump(), study["repeats"].dump());
  text += fmt::format("{:<24} {:>14} {:>20} {:>14}\n", "backend", "us/iteration", "without framework", "loop/direct");
  for (const Json& row : study["rows"]) {
    const std::string name = row["requested"].get<std::string>();
    if (row.contains("error")) {
      text += fmt::format("{:<24} {}\n", name, row["error"].get<std::string>());
    } else if (row.contains("loop_over_direct")) {
      text += fmt::format(
          "{:<24} {:>14.2f} {:>20.2f} {:>14.3f}\n", name, row["loop_us_per_iteration"]["median"].get<double>(),
          row["direct_us_per_iteration"]["median"].get<double>(), row["loop_over_direct"].get<double>());
    }
  }
  return text;
}

/// Every backend in turn and all over again. Returns the exit code of the last run that failed, or 0.
int measure(const Context& context, const OverheadArguments& arguments, const std::vector<Candidate>& plugins,
            const std::vector<Case>& cases, Json& rows) {
  const DirectProblem direct = direct_problem(arguments, cases.front());
  int code = 0;
  for (int repeat = 0; repeat < arguments.repeats; ++repeat) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (rows[k].contains("error")) continue;
      try {
        const int ended = run_once(context, plugins, cases[k], direct, rows[k]);
        if (stopped_by_signal(ended)) return ended;
        if (ended != 0) throw Error(static_cast<ErrorKind>(ended), "the run ended with " + std::to_string(ended));
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::case_file) throw;
        rows[k]["error"] = error.what();
        code = error.exit_code();
      }
    }
  }
  return code;
}

int bench_overhead(const Context& context, const OverheadArguments& arguments) {
  const std::vector<Candidate> plugins = candidates(context);
  const KeyTable keys = key_table(plugins);
  Json study{{"version", 1},
             {"benchmark", "overhead"},
             {"command_line", context.command_line},
             {"exit_code", 0},
             {"nodes", arguments.nodes},
             {"iterations", arguments.iterations},
             {"repeats", arguments.repeats},
             {"rows", Json::array()}};
  std::vector<Case> cases;
  for (const std::string& backend : split_backends(arguments.backends)) {
    cases.push_back(Case::parse(fmt::format(poisson_case, arguments.nodes, arguments.iterations), "overhead",
                                {{"backend", backend}, {"output.directory", arguments.output + "/run", "--output"}},
                                keys));
    study["rows"].push_back({{"requested", backend}});
  }
  StudyFolder folder(arguments.output, arguments.force);
  log_level(spdlog::level::err);
  const int code = measure(context, arguments, plugins, cases, study["rows"]);
  study["exit_code"] = code;
  for (Json& row : study["rows"]) {
    if (has_figures(row)) evaluate(row, arguments.iterations);
  }
  folder.write("bench.json", study.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  print_study(table(study), false, arguments.output);
  return code;
}

}  // namespace

void add_overhead(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand(
      "overhead", "The loop of a run next to the same launches made through the plugin's C table");
  const auto arguments = std::make_shared<OverheadArguments>();
  command.add_option("--backends", arguments->backends, "The backends, comma between them, each as in a case [serial]")
      ->type_name("LIST");
  command.add_option("--nodes", arguments->nodes, "Nodes a side [1024]")
      ->type_name("N")
      ->check(CLI::Range(1, 65536).description(""));
  command.add_option("--iterations", arguments->iterations, "Jacobi iterations of a run, one a launch [1000]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  command.add_option("--repeats", arguments->repeats, "How often each backend runs [7]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command.add_option("--output", arguments->output, "The result folder [results/bench-overhead]")->type_name("DIR");
  command.add_flag("--force", arguments->force, "Replace the results of an earlier benchmark");
  add_plugin_dir(command, context);
  command.callback([&context, arguments] {
    context.action = [&context, arguments] { return bench_overhead(context, *arguments); };
  });
}

}  // namespace quoin::bench
