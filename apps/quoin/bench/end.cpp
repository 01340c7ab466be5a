// Times runs from the command to the result, beside their loops.

#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/dgcvs_ladder.hpp"
#include "bench/end_report.hpp"
#include "bench/started.hpp"

namespace quoin::bench {
namespace {

/// A case, and the figure of it that is to be `must` at most, better `aim`.
struct EndCase {
  BenchCase of;
  Json goal;
};

const std::vector<EndCase>& built_in() {
  static const std::vector<EndCase> cases{
      {{"multigrid-4096", R"yaml(
problem:
  type: jacobi
  grid: {nodes: [4096, 4096]}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*x)*sin(pi*y)"
method: {solver: multigrid, relative_tolerance: 1e-8, max_iterations: 50}
)yaml"},
       {{"figure", "over_loop"}, {"must", 3.0}, {"aim", 1.8}}},
      {{"burgers-p3-512", dgcvs::squares(512) + R"yaml(
  equation: burgers
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 3, final_time: 0.15, max_steps: 20}
)yaml"},
       {{"figure", "over_loop"}, {"must", 1.5}, {"aim", 1.2}}},
      {{"adv-sin-p3-quad-40", dgcvs::squares(40) + R"yaml(
  equation: {type: advection, velocity: [1, 0.5]}
  initial: "sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*(x-t))*sin(pi*(y-0.5*t))"
method: {order: 3, cfl: 0.25, final_time: 1}
)yaml"},
       {{"figure", "beside_loop"}, {"must", 0.08}, {"aim", 0.03}}},
      {{"poisson-256", R"yaml(
problem:
  type: jacobi
  grid: {nodes: [255, 255]}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*x)*sin(pi*y)"
method: {tolerance: 1e-8, residual_norm: seed, max_iterations: 200000}
)yaml"},
       {{"figure", "over_loop"}, {"must", 1.05}, {"aim", 1.02}}},
  };
  return cases;
}

Json run_to_the_end(const Context& context, const std::vector<Candidate>& /*plugins*/, const Case& the_case,
                    const Json& /*row*/) {
  Json found = run_as_started(context, the_case, 0);
  if (found.contains("status") && !found.contains("end_seconds")) found["end_seconds"] = Json::object();
  return found;
}

int bench_end(const Context& context, const StudyArguments& arguments) {
  const Benchmark benchmark{.name = "end",
                            .problem = "",
                            .rows = "rows",
                            .row_facts = {"residual", "case_sha256"},
                            .run_facts = {"process_seconds", "end_seconds", "triad_gbytes_per_second"},
                            .measure = nullptr,
                            .evaluate = end::evaluate,
                            .table = end::table,
                            .run = run_to_the_end};
  Study study(context, arguments, benchmark);
  study.json["devices"] = Json::object();
  std::vector<Row> rows;
  for (const std::string& backend : study.backends())
    rows.push_back({{{"requested", backend}}, {{"backend", backend}}});
  const auto add = [&](const BenchCase& of, const Json& goal) {
    study.add(of, {}, {{"case", of.name}, {"goal", goal}}, rows);
  };
  if (arguments.files.empty()) {
    for (const EndCase& each : built_in()) add(each.of, each.goal);
  } else {
    for (const BenchCase& of : study.cases_or({})) add(of, nullptr);
  }
  return study.run();
}

}  // namespace

void add_end(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand("end", "Cases from the command to the result: set-up, loop, files, errors");
  const auto arguments = std::make_shared<StudyArguments>();
  add_study_options(command, context, *arguments, "four cases with a goal each");
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_end(context, *arguments); }; });
}

}  // namespace quoin::bench
