// Runs a case on several backends in turn and sets what they did side by side.

#include <fmt/format.h>

#include <cmath>

#include "commands.hpp"
#include "differences.hpp"
#include "quoin/fields.hpp"
#include "quoin/plugin_exit.hpp"
#include "quoin/run.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

struct CompareArguments {
  CaseArguments of_case;
  std::string backends;
  bool json = false;
  bool force = false;
};

/// The largest difference between the fields of two runs, over all fields that both wrote.
double largest_difference(const Json& one, const Json& other) {
  double largest = 0.0;
  for (const std::string name : one["fields"]) {
    if (!name.ends_with(".vti") && !name.ends_with(".h5")) continue;  // the same values again, or a table
    const auto read = [&](const Json& run) {
      return read_values(std::filesystem::path(run["directory"].get<std::string>()) / name);
    };
    const std::vector<double> a = read(one);
    const std::vector<double> b = read(other);
    if (a.size() != b.size()) return INFINITY;
    const double here = difference(a, b).largest;
    if (!(here <= largest)) largest = here;
  }
  return largest;
}

/// One run, or why there was none: the facts of summary.json with `requested`, `directory` and what compares.
Json run_one(const Context& context, const CompareArguments& arguments, const std::vector<Candidate>& plugins,
             const std::string& backend, const std::filesystem::path& folder) {
  std::vector<Override> overrides = arguments.of_case.overrides();
  overrides.push_back({"backend", backend});
  overrides.push_back({"output.directory", folder.string(), "--output"});
  const Case the_case = Case::load(arguments.of_case.file, overrides, key_table(plugins));
  Json run = try_run(context, plugins, the_case, arguments.force);
  run["requested"] = backend;
  if (run.contains("error")) return run;
  const double iterations = std::max(run["iterations"].get<double>(), 1.0);
  for (Json& kernel : run["kernels"]) kernel["us_per_iteration"] = 1e6 * kernel["seconds"].get<double>() / iterations;
  run["us_per_iteration"] = 1e6 * kernel_seconds(run) / iterations;
  return run;
}

/// Adds to each run what it is next to the first one that ran.
void relate(Json& runs) {
  const Json* first = nullptr;
  for (Json& run : runs) {
    if (run.contains("error")) continue;
    if (first == nullptr) first = &run;
    run["speed_ratio"] = (*first)["us_per_iteration"].get<double>() / run["us_per_iteration"].get<double>();
    run["same_bits"] = same_bits(run, *first);
    run["largest_difference"] = run["same_bits"].get<bool>() ? 0.0 : largest_difference(*first, run);
  }
}

/// A line of the table: the figure of every run under its column.
template <class Figure>
std::string line(const std::string& label, const Json& runs, const Figure& figure) {
  std::string text = fmt::format("{:<20}", label);
  for (const Json& run : runs) text += fmt::format(" {:>16}", run.contains("error") ? "-" : figure(run));
  return text + "\n";
}

std::string runs_table(const Json& runs) {
  std::vector<std::string> names;
  for (const Json& run : runs) {
    if (run.contains("error")) continue;
    for (const Json& kernel : run["kernels"]) {
      const auto name = kernel["name"].get<std::string>();
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  const auto block = [&](const char* title, const char* key, int digits) {
    std::string text = std::string(title) + "\n";
    for (const std::string& name : names) {
      text += line("  " + name, runs, [&](const Json& run) -> std::string {
        for (const Json& kernel : run["kernels"]) {
          if (kernel["name"] == name && kernel[key].is_number())
            return fmt::format("{:.{}f}", kernel[key].template get<double>(), digits);
        }
        return "-";
      });
    }
    return text;
  };
  std::string text = fmt::format("{:<20}", "");
  for (std::size_t k = 0; k < runs.size(); ++k) text += fmt::format(" {:>16}", fmt::format("[{}]", k + 1));
  text += "\n" + block("us an iteration", "us_per_iteration", 2);
  text += line("  all kernels", runs,
               [](const Json& run) { return fmt::format("{:.2f}", run["us_per_iteration"].get<double>()); });
  text += block("GB/s", "gbytes_per_second", 1) + block("% of copy", "percent_of_copy", 1) +
          block("% of roof", "percent_of_roofline", 1);
  text += line("speed, [1] is 1", runs,
               [](const Json& run) { return fmt::format("{:.2f}", run["speed_ratio"].get<double>()); });
  text += line("launches", runs, [](const Json& run) { return run["launches"].dump(); });
  text += line("bits", runs, [](const Json& run) -> std::string {
    if (run["same_bits"].get<bool>()) return "equal";
    return fmt::format("off by {:.1e}", run["largest_difference"].get<double>());
  });
  text += "\n";
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Json& run = runs[k];
    text +=
        fmt::format("[{}] {}: {}\n", k + 1, run["requested"].get<std::string>(),
                    run.contains("error") ? run["error"].get<std::string>()
                                          : fmt::format("{}, {} after {} iterations", run["device"].get<std::string>(),
                                                        run["status"].get<std::string>(), run["iterations"].dump()));
  }
  return text;
}

int compare(const Context& context, const CompareArguments& arguments) {
  const std::vector<Candidate> plugins = candidates(context);
  const std::vector<std::string> backends = split_backends(arguments.backends);
  const Case base = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  const std::filesystem::path directory = arguments.of_case.study_folder(base, "-compare");
  require_other_place(base, directory);
  StudyFolder folder(directory, arguments.force);
  Json study = new_study(context, arguments.of_case);
  study.update({{"complete", false}, {"exit_code", nullptr}, {"runs", Json::array()}});
  Json& runs = study["runs"];
  std::string text;
  int code = 0;
  const auto add = [&](Json run) {
    runs.push_back(std::move(run));
    const int ended = runs.back()["exit_code"].get<int>();
    const bool stopped = stopped_by_signal(ended);
    if (runs.back().contains("error") || stopped) code = ended;
    relate(runs);
    study["complete"] = runs.size() == backends.size() && !stopped;
    if (runs.size() == backends.size() || stopped) study["exit_code"] = code;
    text = to_text(study);
    folder.write("compare.json", text);  // after each backend: the next one may take hours, or be killed
    return !stopped;
  };
  const auto show = [&] { print_study(arguments.json ? text : runs_table(runs), arguments.json, directory.string()); };
  const WhenPluginExits tell([&](const Error& error) {
    if (runs.size() == backends.size()) return;
    add({{"error", error.what()}, {"exit_code", error.exit_code()}, {"requested", backends[runs.size()]}});
    show();
  });
  for (const std::string& backend : backends)
    if (!add(run_one(context, arguments, plugins, backend, directory / std::to_string(runs.size() + 1)))) break;
  show();
  return code;
}

}  // namespace

void add_compare(CLI::App& program, Context& context) {
  CLI::App& command =
      *program.add_subcommand("compare", "Run a case on several backends and compare times, rates and bits");
  const auto arguments = std::make_shared<CompareArguments>();
  add_case_arguments(command, arguments->of_case);
  command
      .add_option("--backends", arguments->backends,
                  "The backends, comma between them, each as in a case file: hip,openmp:host,{name: openmp, data: "
                  "per_kernel}; the first is what the others are compared with")
      ->type_name("LIST")
      ->required();
  command.add_flag("--json", arguments->json, "For programs");
  command.add_flag("--force", arguments->force, "Replace the results of an earlier comparison");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return compare(context, *arguments); }; });
}

}  // namespace quoin
