// Times DG-CVS: cases on several backends, run after run in turn, beside what the machine's cores can do.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <thread>

#include "bench/ladder.hpp"
#include "bench/multiply_add.hpp"
#include "bench/report.hpp"
#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

using bench::BenchCase;
using bench::Json;

struct Arguments {
  std::string benchmark;
  std::vector<std::string> files;
  std::string backends = "serial";
  int repeats = 5;
  std::optional<std::int64_t> steps;
  std::vector<std::string> set;
  std::string output = "results/bench-dgcvs";
  std::string json;
  bool force = false;
};

Case load(const BenchCase& of, const std::vector<Override>& overrides, const KeyTable& table) {
  return of.text.empty() ? Case::load(of.name, overrides, table) : Case::parse(of.text, of.name, overrides, table);
}

/// A case as each backend will run it: fields are hashed and not written, and sums for the history taken only at both
/// ends, so that the time is that of the half steps.
std::vector<Case> prepare(const Arguments& arguments, const std::vector<std::string>& backends, const KeyTable& table,
                          const BenchCase& of, std::size_t number) {
  const std::vector<Override> set = overrides_of(arguments.set);
  const Case plain = load(of, set, table);
  if (plain.text("problem.type") != "dg-cvs")
    throw plain.error_at("problem.type",
                         "this benchmark is of the problem dg-cvs, not of " + plain.text("problem.type"));
  std::vector<Case> cases;
  for (const std::string& backend : backends) {
    std::vector<Override> overrides{{"output.fields.write", "false"}, {"output.history_every", "1000000000"}};
    if (arguments.steps) overrides.push_back({"method.max_steps", std::to_string(*arguments.steps), "--steps"});
    overrides.insert(overrides.end(), set.begin(), set.end());
    overrides.push_back({"backend", backend});
    const std::string stem = std::filesystem::path(of.name).stem().string();
    overrides.push_back({"output.directory",
                         fmt::format("{}/{:02}-{}/{}", arguments.output, number, stem, cases.size() + 1), "--output"});
    cases.push_back(load(of, overrides, table));
  }
  return cases;
}

/// What the study says of a case before it runs.
Json describe(const BenchCase& of, const Case& the_case, const std::vector<std::string>& backends) {
  Json result{{"case", of.name},
              {"equation", the_case.text("problem.equation.type")},
              {"order", the_case.integer("method.order")},
              {"case_sha256", the_case.sha256()},
              {"backends", Json::array()}};
  for (const std::string& backend : backends) result["backends"].push_back({{"requested", backend}});
  return result;
}

/// Runs a case once more and adds the figures to the backend's row, or says there why there are none. Returns the exit
/// code of the run.
int run_again(const Context& context, const std::vector<Candidate>& plugins, const Case& the_case, Json& row) {
  try {
    const Outcome outcome =
        run_case(the_case, plugins, {.quiet = true, .force = true, .command_line = context.command_line});
    const Json summary = Json::parse(outcome.summary);
    if (outcome.exit_code != 0) {
      row["error"] = fmt::format("ended as {}; see {}", to_string(outcome.status), outcome.directory.string());
      return outcome.exit_code;
    }
    for (const char* fact : {"backend", "device", "precision", "versions", "steps", "time_step", "entities"})
      row[fact] = summary[fact];
    double seconds = 0.0;
    for (const Json& kernel : summary["kernels"]) seconds += kernel["seconds"].get<double>();
    if (!(seconds > 0.0)) throw Error(ErrorKind::device, "the device measured no time of its kernels");
    Json run{{"seconds", seconds}};
    for (const char* fact : {"wall_seconds", "setup_seconds", "loop_seconds", "field_sha256", "kernels"})
      run[fact] = summary[fact];
    row["repeats"].push_back(std::move(run));
    return 0;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::case_file || error.kind() == ErrorKind::usage) throw;
    row["error"] = error.what();
    return error.exit_code();
  }
}

bool stopped_by_signal(int code) { return code > 128; }

/// All runs of a case, backend after backend and all over again, so that a machine that slows down does so for all.
/// Returns the exit code of the last run that failed, or 0.
int time_case(const Context& context, const std::vector<Candidate>& plugins, const std::vector<Case>& cases,
              Json& study, Json& rows) {
  Json& machine = study["machine"];
  int code = 0;
  for (int repeat = 0; repeat < study["repeats"].get<int>(); ++repeat) {
    machine["one_core"]["samples"].push_back(bench::multiply_add_rate(1) / 1e9);
    machine["all_cores"]["samples"].push_back(bench::multiply_add_rate(machine["cores"].get<unsigned>()) / 1e9);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (rows[k].contains("error")) continue;
      const int ended = run_again(context, plugins, cases[k], rows[k]);
      if (ended != 0) code = ended;
      if (stopped_by_signal(ended)) return ended;
    }
  }
  return code;
}

int run_bench(const Context& context, const Arguments& arguments) {
  if (!arguments.json.empty() && !arguments.force && std::filesystem::exists(arguments.json))
    throw Error(ErrorKind::usage, "the file exists; --force replaces it", arguments.json);
  const std::vector<Candidate> plugins = candidates(context);
  const KeyTable keys = key_table(plugins);
  const std::vector<std::string> backends = split_backends(arguments.backends);
  std::vector<BenchCase> wanted;
  for (const std::string& file : arguments.files) wanted.push_back({file});
  if (wanted.empty()) wanted = bench::ladder();

  Json study{{"version", 1},
             {"benchmark", arguments.benchmark},
             {"command_line", context.command_line},
             {"exit_code", 0},
             {"repeats", arguments.repeats},
             {"backends", backends},
             {"machine", {{"cores", std::max(1U, std::thread::hardware_concurrency())}}},
             {"cases", Json::array()}};
  std::vector<std::vector<Case>> prepared;  // all before the first runs: a mistake in the last shows at once
  for (const BenchCase& of : wanted) {
    prepared.push_back(prepare(arguments, backends, keys, of, prepared.size() + 1));
    study["cases"].push_back(describe(of, prepared.back().front(), backends));
  }
  StudyFolder folder(arguments.output, arguments.force);
  log_level(spdlog::level::err);
  int code = 0;
  for (std::size_t k = 0; k < prepared.size() && !stopped_by_signal(code); ++k) {
    const int ended = time_case(context, plugins, prepared[k], study, study["cases"][k]["backends"]);
    if (ended != 0) code = ended;
  }
  study["exit_code"] = code;
  bench::evaluate(study);
  const std::string text = study.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  folder.write("bench.json", text);
  if (!arguments.json.empty()) write_file(arguments.json, text);
  print(bench::table(study));
  return code;
}

}  // namespace

void add_bench(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "bench", "Time cases on several backends, in turn and repeatedly, beside what the cores of this machine can do");
  const auto arguments = std::make_shared<Arguments>();
  command.add_option("benchmark", arguments->benchmark, "What is timed: dgcvs, the time loop of DG-CVS")
      ->check(CLI::IsMember({"dgcvs"}))
      ->type_name("BENCHMARK")
      ->required();
  command
      .add_option(
          "cases", arguments->files,
          "Case files; without any, orders 1 to 3 of Burgers' equation and of the linear law on 40 x 40 squares")
      ->type_name("CASE");
  command
      .add_option("--backends", arguments->backends,
                  "The backends, comma between them, each as in a case file; the first is what the others are compared "
                  "with [serial]")
      ->type_name("LIST");
  command.add_option("--repeats", arguments->repeats, "How often each case runs on each backend [5]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command.add_option("--steps", arguments->steps, "Time steps of each run at most (method.max_steps)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  add_set(command, arguments->set);
  command.add_option("--output", arguments->output, "The result folder [results/bench-dgcvs]")->type_name("DIR");
  command.add_option("--json", arguments->json, "Write what the folder's bench.json holds to this file, too")
      ->type_name("FILE");
  command.add_flag("--force", arguments->force, "Replace the results of an earlier benchmark");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return run_bench(context, *arguments); }; });
}

}  // namespace quoin
