#include "bench/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/problem.hpp"

namespace quoin::bench {

void add_study_options(CLI::App& command, Context& context, StudyArguments& arguments,
                       const std::string& without_cases) {
  command.add_option("cases", arguments.files, "Case files; without any, " + without_cases)->type_name("CASE");
  command
      .add_option("--backends", arguments.backends, "The backends, comma between them, each as in a case file [serial]")
      ->type_name("LIST");
  command.add_option("--repeats", arguments.repeats, "How often each case runs on each backend [5]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  add_set(command, arguments.set);
  arguments.output = "results/bench-" + command.get_name();
  command.add_option("--output", arguments.output, "The result folder [" + arguments.output + "]")->type_name("DIR");
  command.add_option("--json", arguments.json, "Write what the folder's bench.json holds to this file, too")
      ->type_name("FILE");
  command.add_flag("--force", arguments.force, "Replace the results of an earlier benchmark");
  add_plugin_dir(command, context);
}

std::vector<std::string> IterationArguments::precisions_of(const Case& the_case) const {
  if (precisions.empty()) return {the_case.text("method.precision")};
  std::vector<std::string> sorted = precisions;
  std::ranges::sort(sorted);
  return sorted;
}

void add_precisions(CLI::App& command, IterationArguments& arguments) {
  add_list(command, "--precisions", arguments.precisions,
           "double, float or both, comma between them [that of the case]")
      ->check(CLI::IsMember({"double", "float"}));
}

void add_iteration_options(CLI::App& command, IterationArguments& arguments) {
  add_precisions(command, arguments);
  command.add_option("--iterations", arguments.iterations, "Iterations of each run, whatever the tolerance")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
}

std::vector<Override> without_files() {
  return {{"output.fields.write", "false"}, {"output.history", "false"}, {"run.checkpoint.end", "false"}};
}

Study::Study(const Context& context, const StudyArguments& arguments, const Benchmark& benchmark)
    : context_(context),
      arguments_(arguments),
      benchmark_(benchmark),
      plugins_(candidates(context)),
      keys_(key_table(plugins_)),
      backends_(split_backends(arguments.backends)) {
  if (!arguments.json.empty() && !arguments.force && std::filesystem::exists(arguments.json))
    throw Error(ErrorKind::usage, "the file exists; --force replaces it", arguments.json);
  json = {{"version", 1},         {"benchmark", benchmark.name}, {"command_line", context.command_line},
          {"complete", false},    {"exit_code", nullptr},        {"repeats", arguments.repeats},
          {"backends", backends_}};
}

std::vector<BenchCase> Study::cases_or(const std::vector<BenchCase>& built_in) const {
  if (arguments_.files.empty()) return built_in;
  std::vector<BenchCase> cases;
  for (const std::string& file : arguments_.files) cases.push_back({file});
  return cases;
}

Case Study::load(const BenchCase& of, const std::vector<Override>& changes, const std::vector<Override>& last) const {
  const auto with = [&](const std::vector<Override>& overrides) {
    return of.text.empty() ? Case::load(of.name, overrides, keys_) : Case::parse(of.text, of.name, overrides, keys_);
  };
  const std::vector<Override> set = overrides_of(arguments_.set);
  const Case plain = with(set);  // another problem would not know the keys that change
  require_other_place(plain, arguments_.output);
  if (const std::string& problem = plain.text("problem.type");
      !benchmark_.problem.empty() && problem != benchmark_.problem)
    throw plain.error_at("problem.type",
                         "this benchmark is of the problem " + benchmark_.problem + ", not of " + problem);
  std::vector<Override> overrides = changes;
  for (const auto* more : {&set, &last}) overrides.insert(overrides.end(), more->begin(), more->end());
  return with(overrides);
}

void Study::add(const BenchCase& of, const std::vector<Override>& changes, Json facts, const std::vector<Row>& rows) {
  const std::string folder =
      fmt::format("{}/{:02}-{}", arguments_.output, cases_.size() + 1, std::filesystem::path(of.name).stem().string());
  std::vector<Case> cases;
  facts[benchmark_.rows] = Json::array();
  for (const Row& row : rows) {
    std::vector<Override> last = row.changes;
    last.push_back({"output.directory", fmt::format("{}/{}", folder, cases.size() + 1), "--output"});
    cases.push_back(load(of, changes, last));
    facts[benchmark_.rows].push_back(row.facts);
  }
  json["cases"].push_back(std::move(facts));
  cases_.push_back(std::move(cases));
}

/// Runs a case once more and adds the figures to its row, or says there why there are none. Returns the exit code of
/// the run.
int Study::run_again(const Case& the_case, Json& row) const {
  const Json summary = benchmark_.run == nullptr ? try_run(context_, plugins_, the_case, true)
                                                 : benchmark_.run(context_, plugins_, the_case, row);
  if (summary.contains("refused")) {
    row["error"] = summary["refused"];
    return 0;
  }
  const int code = summary["exit_code"].get<int>();
  const bool cut_short = std::ranges::any_of(
      benchmark_.cut_short, [&](Status status) { return summary.value("status", "") == to_string(status); });
  if (code != 0 && !cut_short) {
    row["error"] = summary.contains("error") ? summary["error"].get<std::string>()
                                             : fmt::format("ended as {}; see {}", summary["status"].get<std::string>(),
                                                           summary["directory"].get<std::string>());
    return code;
  }
  const double seconds = kernel_seconds(summary);
  if (!(seconds > 0.0) && !summary.contains("ranks")) {  // of which the first may have no part of a small case
    row["error"] = "the device measured no time of its kernels";
    return static_cast<int>(ErrorKind::device);
  }
  for (const char* fact : {"backend", "device", "precision", "versions"}) row[fact] = summary[fact];
  for (const std::string& fact : benchmark_.row_facts) row[fact] = summary[fact];
  Json run{{"seconds", seconds}};
  for (const char* fact : {"wall_seconds", "setup_seconds", "loop_seconds", "field_sha256"})
    if (summary.contains(fact)) run[fact] = summary[fact];
  for (const std::string& fact : benchmark_.run_facts) run[fact] = summary[fact];
  run["kernels"] = summary["kernels"];
  row["repeats"].push_back(std::move(run));
  return 0;
}

/// All runs of a case, row after row and all over again, so that a machine that slows down does so for all.
/// Returns the exit code of the last run that failed, or 0.
int Study::time_case(const std::vector<Case>& cases, Json& rows) {
  int code = 0;
  for (int repeat = 0; repeat < arguments_.repeats; ++repeat) {
    if (benchmark_.measure != nullptr) benchmark_.measure(json);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (rows[k].contains("error")) continue;
      const int ended = run_again(cases[k], rows[k]);
      if (ended != 0) code = ended;
      if (stopped_by_signal(ended)) return ended;
    }
  }
  return code;
}

bool Study::rows_agree() const {
  return std::ranges::all_of(json["cases"], [&](const Json& of_case) {
    return std::ranges::all_of(of_case[benchmark_.rows], [](const Json& row) { return row.value("same_bits", true); });
  });
}

int Study::run(const std::function<int(StudyFolder&)>& first) {
  StudyFolder folder(arguments_.output, arguments_.force);
  const auto write = [&] {
    benchmark_.evaluate(json);
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    folder.write("bench.json", text);
    if (!arguments_.json.empty()) write_file(arguments_.json, text);
  };
  log_level(spdlog::level::err);
  int code = first ? first(folder) : 0;
  if (first) write();
  for (std::size_t k = 0; k < cases_.size() && !stopped_by_signal(code); ++k) {
    const int ended = time_case(cases_[k], json["cases"][k][benchmark_.rows]);
    if (ended != 0) code = ended;
    if (k + 1 < cases_.size()) write();  // what a run that hangs or is killed shall not take along
  }
  json["complete"] = !stopped_by_signal(code);
  if (code == 0 && benchmark_.must_agree) {
    benchmark_.evaluate(json);
    if (!rows_agree()) code = static_cast<int>(ErrorKind::bug);
  }
  json["exit_code"] = code;
  write();
  print_study(benchmark_.table(json), false, arguments_.output);
  return code;
}

}  // namespace quoin::bench
