// Times the time loop of DG-CVS beside what the device can do.

#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/dgcvs_ladder.hpp"
#include "bench/dgcvs_report.hpp"

namespace quoin::bench {
namespace {

struct DgcvsArguments : StudyArguments {
  std::optional<std::int64_t> steps;
};

int bench_dgcvs(const Context& context, const DgcvsArguments& arguments) {
  const Benchmark benchmark{.name = "dgcvs",
                            .problem = "dg-cvs",
                            .rows = "backends",
                            .row_facts = {"steps", "time_step", "entities"},
                            .run_facts = {"multiply_add_gflops_per_second"},
                            .measure = nullptr,
                            .evaluate = dgcvs::evaluate,
                            .table = dgcvs::table};
  Study study(context, arguments, benchmark);
  // Fields are hashed and not written, and sums for the history taken only at both ends: the time is that of the half
  // steps.
  std::vector<Override> changes{
      {"output.fields.write", "false"}, {"output.history_every", "1000000000"}, {"run.checkpoint.end", "false"}};
  if (arguments.steps) changes.push_back({"method.max_steps", std::to_string(*arguments.steps), "--steps"});
  std::vector<Row> rows;
  for (const std::string& backend : study.backends())
    rows.push_back({{{"requested", backend}}, {{"backend", backend}}});
  for (const BenchCase& of : study.cases_or(dgcvs::ladder())) {
    const Case plain = study.load(of, changes);
    study.add(of, changes,
              {{"case", of.name},
               {"equation", plain.text("problem.equation.type")},
               {"order", plain.integer("method.order")},
               {"case_sha256", plain.sha256()}},
              rows);
  }
  return study.run();
}

}  // namespace

void add_dgcvs(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand(
      "dgcvs", "The time loop of DG-CVS, next to that of the first backend and to what the device can do");
  const auto arguments = std::make_shared<DgcvsArguments>();
  add_study_options(command, context, *arguments,
                    "orders 1 to 3 of Burgers' equation and of the linear law on 40 x 40 squares");
  command.add_option("--steps", arguments->steps, "Time steps of each run at most (method.max_steps)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return bench_dgcvs(context, *arguments); }; });
}

}  // namespace quoin::bench
