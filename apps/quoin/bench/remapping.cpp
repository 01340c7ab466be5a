// Times the ways in which DG-CVS keeps entities of the boundary apart from the others.

#include <fmt/format.h>

#include <array>
#include <optional>

#include "bench/benchmarks.hpp"
#include "bench/remapping_report.hpp"

namespace quoin::bench {
namespace {

constexpr std::array ways{"boundary_last", "boundary_last_together", "mesh_order", "mesh_order_indexed"};

struct RemappingArguments : StudyArguments {
  std::optional<std::int64_t> steps;
};

struct Domain {
  int across, down;  ///< cells
  bool closed;       ///< with sides all around, not left and right alone
};
// 1600 and some 400,000 cells: squares, and such that 2.5 % and 50 % of the cells are at one of two sides.
constexpr Domain domains[] = {{40, 40, true},   {80, 20, false},   {4, 400, false},
                              {640, 640, true}, {80, 5120, false}, {4, 65'536, false}};

/// Of the cells, those on the boundary.
double boundary_of(const Domain& domain) {
  const int inside = (domain.across - 2) * (domain.down - (domain.closed ? 2 : 0));
  return 1.0 - static_cast<double>(inside) / (domain.across * domain.down);
}

/// Cells differ, so that no way shares shapes. Steps are short, for a shock would be the end of them; what one costs
/// does not depend on that.
BenchCase burgers(const Domain& domain, int order) {
  const bool large = domain.across * domain.down > 100'000;
  return {fmt::format("burgers-p{}-{}x{}", order, domain.across, domain.down),
          fmt::format(
              R"yaml(problem:
  type: dg-cvs
  equation: burgers
  mesh: {{cells: [{0}, {1}], perturb: 0.2}}
  domain: {{x: [0, {0}], y: [0, {1}]}}
  boundary: {{left: {{type: dirichlet, value: 0.5}}, right: open, {2}}}
  initial: "0.5+0.1*sin(2*pi*x/{0})"
method: {{final_time: 100, cfl: 0.02, max_steps: {3}, order: {4}}}
)yaml",
              domain.across, domain.down,
              domain.closed ? "bottom: {type: dirichlet, value: 0.5}, top: open" : "bottom: periodic, top: periodic",
              large ? 20 : 200, order)};
}

int bench_remapping(const Context& context, const RemappingArguments& arguments) {
  const Benchmark benchmark{.name = "remapping",
                            .problem = "dg-cvs",
                            .rows = "rows",
                            .row_facts = {"steps"},
                            .run_facts = {"triad_gbytes_per_second"},
                            .measure = nullptr,
                            .evaluate = remapping::evaluate,
                            .table = remapping::table,
                            .must_agree = true};
  Study study(context, arguments, benchmark);
  std::vector<Override> changes{{"output.fields.write", "false"},
                                {"output.history_every", "1000000000"},
                                {"run.checkpoint.end", "false"},
                                {"method.solver", "sweeps"}};
  if (arguments.steps) changes.push_back({"method.max_steps", std::to_string(*arguments.steps), "--steps"});
  std::vector<Row> rows;
  for (const std::string& backend : study.backends())
    for (const char* way : ways)
      rows.push_back({{{"requested", backend}, {"entities", way}}, {{"backend", backend}, {"method.entities", way}}});
  const auto add = [&](const BenchCase& of, const Json& boundary) {
    study.add(of, changes, {{"case", of.name}, {"boundary", boundary}}, rows);
  };
  for (const BenchCase& of : study.cases_or({})) add(of, nullptr);
  if (arguments.files.empty())
    for (const Domain& domain : domains)
      for (const int order : {1, 3}) add(burgers(domain, order), boundary_of(domain));
  return study.run();
}

}  // namespace

void add_remapping(CLI::App& bench, Context& context) {
  CLI::App& command = *bench.add_subcommand(
      "remapping", "Half steps of DG-CVS with the entities of the boundary apart from the others, or among them");
  const auto arguments = std::make_shared<RemappingArguments>();
  add_study_options(
      command, context, *arguments,
      "orders 1 and 3 of Burgers' equation on 1600 and some 400,000 cells, of which few or half are on the "
      "boundary");
  command.add_option("--steps", arguments->steps, "Time steps of each run at most (method.max_steps)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  command.callback([&context, arguments] {
    context.action = [&context, arguments] { return bench_remapping(context, *arguments); };
  });
}

}  // namespace quoin::bench
