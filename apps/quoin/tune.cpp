// Tries the values of a backend's tunable keys on a case and keeps the fastest for runs to come.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench/figures.hpp"
#include "quoin/cache.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"
#include "quoin/words.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

struct TuneArguments {
  CaseArguments of_case;
  int repeats = 5;
  double seconds = 0.2;
  bool force = false;
};

/// What is tried, and how a run of it is shortened.
struct Study {
  const Context& context;
  const TuneArguments& arguments;
  std::vector<Candidate> plugins;
  Case plain;
  std::vector<OptionMap> settings;  ///< every combination of values
};

/// Every combination of the values of the plugin's tunable keys, the last key changing fastest.
std::vector<OptionMap> combinations(const Candidate& plugin) {
  std::vector<OptionMap> all(1);
  for (const Key& key : plugin.keys) {
    if (key.tune.empty()) continue;
    std::vector<OptionMap> longer;
    for (const OptionMap& setting : all) {
      for (const std::string& value : key.tune) {
        longer.push_back(setting);
        longer.back()[key.path] = value;
      }
    }
    all = std::move(longer);
  }
  if (all.size() == 1) throw Error(ErrorKind::usage, "the backend '" + plugin.name + "' has nothing to tune");
  return all;
}

Study prepare(const Context& context, const TuneArguments& arguments) {
  std::vector<Candidate> plugins = candidates(context);
  Case plain = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  const ProblemType& type = problem_type(plain.text("problem.type"));
  if (type.tuning_key == nullptr || type.tuning_key(plain).empty())
    throw plain.error_at("problem.type", "the kernels of this case leave nothing to tune");
  if (plain.backends().size() != 1)
    throw Error(ErrorKind::usage, "one backend is tuned at a time: name it with --backend");
  std::vector<OptionMap> settings = combinations(find_backend(plain.backends().front().name, plugins));
  return {context, arguments, std::move(plugins), std::move(plain), std::move(settings)};
}

std::string text_of(const OptionMap& setting) {
  std::string text;
  for (const auto& [name, value] : setting) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

/// summary.json of a run of so many iterations with a setting.
Json run_once(const Study& study, const std::string& folder, const OptionMap& setting, std::int64_t iterations) {
  std::vector<Override> overrides = study.arguments.of_case.overrides();
  const BackendChoice& backend = study.plain.backends().front();
  if (backend.place.line == 0) overrides.push_back({"backend", backend.name});  // the case names none
  for (const auto& [name, value] : setting) overrides.push_back({"backend." + name, value});
  for (const Override& change : problem_type(study.plain.text("problem.type")).limit_iterations(iterations))
    overrides.push_back(change);
  overrides.insert(overrides.end(), {{"output.fields.write", "false"},
                                     {"output.history", "false"},
                                     {"run.checkpoint.end", "false"},
                                     {"output.directory", folder + "/run", "--output"}});
  const Case the_case = Case::load(study.arguments.of_case.file, overrides, key_table(study.plugins));
  const Outcome outcome =
      run_case(the_case, study.plugins, {.quiet = true, .force = true, .command_line = study.context.command_line});
  Json summary = Json::parse(outcome.summary);
  summary["us_per_iteration"] = 1e6 * kernel_seconds(summary) / static_cast<double>(iterations);
  return summary;
}

/// Adds a run to the row of its setting. Throws where its bits are not those of the others.
void add_run(Json& rows, Json& row, const Json& summary, const OptionMap& setting) {
  for (const char* hash : {"field_sha256", "history_sha256"}) row[hash] = summary[hash];
  if (!same_bits(row, rows.front()))
    throw Error(ErrorKind::bug, fmt::format("the result with {} is not that of other settings: the backend '{}' "
                                            "breaks its promise of the same bits, and nothing is kept",
                                            text_of(setting), summary["backend"].get<std::string>()));
  row["samples"].push_back(summary["us_per_iteration"]);
  row["us_per_iteration"] = bench::spread(row["samples"])["median"];
}

void show_progress(std::size_t done, std::size_t all, const std::string& what) {
  if (isatty(STDERR_FILENO) != 1) return;
  std::cerr << fmt::format("\r{:<78}",
                           done == all ? "" : fmt::format("run {} of {}: {}", done + 1, all, printable(what, true)))
            << (done == all ? "\r" : "") << std::flush;
}

std::string table(const Json& report) {
  std::string text =
      fmt::format("{} on {}, medians of {} runs of {} iterations\n", report["backend"].get<std::string>(),
                  report["device"].get<std::string>(), report["repeats"].dump(), report["iterations"].dump());
  text += fmt::format("{:>14} {:>10}  setting\n", "us/iteration", "of fastest");
  const double best = report["rows"][report["best"].get<std::size_t>()]["us_per_iteration"].get<double>();
  for (const Json& row : report["rows"]) {
    const double us = row["us_per_iteration"].get<double>();
    text += fmt::format("{:>14.2f} {:>10.2f}  {}{}\n", us, us / best, text_of(row["setting"].get<OptionMap>()),
                        us == best ? "  <- kept" : "");
  }
  return text;
}

/// Runs every setting in turn and all over again. Returns the exit code of a run that did not end well, or 0.
int measure(const Study& study, const std::string& folder, Json& report) {
  Json rows = Json::array();
  for (const OptionMap& setting : study.settings) rows.push_back({{"setting", setting}, {"samples", Json::array()}});
  constexpr std::int64_t few = 64;
  constexpr std::int64_t group = 16;  // whole passes of any depth
  const Json first = run_once(study, folder, study.settings.front(), few);
  if (const int code = first["exit_code"].get<int>(); code != 0) return code;
  for (const char* fact : {"backend", "device", "precision", "versions"}) report[fact] = first[fact];
  const double wanted = 1e6 * study.arguments.seconds / std::max(first["us_per_iteration"].get<double>(), 1e-3);
  const std::int64_t iterations = group * static_cast<std::int64_t>(std::ceil(std::min(wanted, 1e7) / group));
  report["iterations"] = iterations;
  const std::size_t all = rows.size() * static_cast<std::size_t>(study.arguments.repeats);
  for (std::size_t k = 0; k < all; ++k) {
    const OptionMap& setting = study.settings[k % rows.size()];
    show_progress(k, all, text_of(setting));
    const Json summary = run_once(study, folder, setting, iterations);
    if (const int code = summary["exit_code"].get<int>(); code != 0) return code;
    add_run(rows, rows[k % rows.size()], summary, setting);
  }
  show_progress(all, all, "");
  const auto faster = [](const Json& a, const Json& b) {
    return a["us_per_iteration"].get<double>() < b["us_per_iteration"].get<double>();
  };
  report["best"] = std::ranges::min_element(rows, faster) - rows.begin();
  report["rows"] = std::move(rows);
  return 0;
}

int tune(const Context& context, const TuneArguments& arguments) {
  log_level(spdlog::level::err);
  const Study study = prepare(context, arguments);
  const std::string directory = arguments.of_case.study_folder(study.plain, "-tune");
  require_other_place(study.plain, directory);
  StudyFolder folder(directory, arguments.force);
  Json report = new_study(context, arguments.of_case);
  report["repeats"] = arguments.repeats;
  const int code = measure(study, directory, report);
  if (code != 0) return fail(fmt::format("a run ended with {}; nothing is kept", code), code);
  folder.write("tune.json", to_text(report));
  print_study(table(report), false, directory);
  if (!keep_tuned(study.plain, study.plugins, study.settings[report["best"].get<std::size_t>()]))
    throw Error(ErrorKind::io, "the fastest setting cannot be kept: the cache folder ~/.cache/quoin cannot be written");
  print("the fastest setting is kept in " + cache_folder("tuned").string() + "\n");
  return 0;
}

}  // namespace

void add_tune(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "tune", "Find a backend's fastest settings for a case. Runs of its grid on this machine take them from then on.");
  const auto arguments = std::make_shared<TuneArguments>();
  add_case_arguments(command, arguments->of_case);
  command.add_option("--repeats", arguments->repeats, "How often each setting runs, in turn with the others [5]")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  command.add_option("--seconds", arguments->seconds, "Kernel time of a run [0.2]")
      ->type_name("T")
      ->check(CLI::Range(0.0, 3600.0).description(""));
  command.add_flag("--force", arguments->force, "Replace the results of an earlier tuning");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return tune(context, *arguments); }; });
}

}  // namespace quoin
