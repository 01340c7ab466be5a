// quoin conformance PLUGIN[:DEVICE]: does this backend keep its promises?

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "conformance/apart.hpp"
#include "quoin/backends.hpp"
#include "quoin/communicators.hpp"
#include "quoin/error.hpp"
#include "quoin/problems.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

struct ConformanceArguments {
  std::string plugin;  ///< PLUGIN[:DEVICE]
  std::vector<std::string> set;
  std::string junit;
  std::vector<std::string> checks;
  double timeout = 120.0;
  bool json = false;
};

/// PLUGIN and DEVICE; the colon of an existing file's name belongs to the file.
std::pair<std::string, std::string> split(const std::string& plugin) {
  const std::size_t colon = plugin.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(plugin)) return {plugin, "0"};
  return {plugin.substr(0, colon), plugin.substr(colon + 1)};
}

/// One that is no backend has nothing of what is tested.
Candidate backend(Candidate plugin) {
  const char* const does = plugin.kind == PluginKind::communicator ? "connects ranks" : "brings problems";
  if (plugin.kind != PluginKind::backend)
    throw Error(ErrorKind::plugin, std::string("the plugin ") + does + "; conformance is that of backends",
                plugin.file.string());
  return plugin;
}

Candidate find_candidate(const std::string& plugin, const Context& context) {
  const bool is_file = plugin.find('/') != std::string::npos || std::filesystem::path(plugin).extension() == ".so";
  std::vector<Candidate> all = candidates(context);  // opens problems, with whose kernels a file may be built
  if (is_file) return backend(inspect_plugin(plugin));
  std::string known;
  for (Candidate& candidate : all) {
    if (candidate.name == plugin || candidate.file.stem() == plugin) return std::move(candidate);
    known += (known.empty() ? "" : ", ") + candidate.name;
  }
  for (const Candidate& other : find_communicators(folders_of(context)))
    if (other.name == plugin) return backend(other);
  throw Error(ErrorKind::plugin, "no plugin named '" + plugin +
                                     "' was found; there are: " + (known.empty() ? "none" : known) +
                                     ". Give the file, or its folder with --plugin-dir");
}

std::map<std::string, std::string, std::less<>> options_of(const std::vector<std::string>& set) {
  std::map<std::string, std::string, std::less<>> options;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorKind::usage, "--set expects KEY=VALUE, not '" + text + "'");
    options[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return options;
}

void refuse_unknown(const std::vector<std::string>& checks) {
  const std::vector<std::string> known = conformance::check_names(problem_kernels());
  for (const std::string& check : checks) {
    if (std::ranges::find(known, check) != known.end()) continue;
    throw Error(ErrorKind::usage, "there is no check '" + printable(check, true) + "'" + did_you_mean(check, known) +
                                      "; without --check all are run, a line each");
  }
}

int run_conformance(const Context& context, const ConformanceArguments& arguments) {
  const auto [plugin, device] = split(arguments.plugin);
  const Candidate candidate = find_candidate(plugin, context);
  if (!candidate.refusal.empty()) throw Error(ErrorKind::plugin, candidate.refusal, candidate.file.string());
  if (const auto folder = std::filesystem::path(arguments.junit).parent_path(); !folder.empty() && !exists(folder))
    throw Error(ErrorKind::io, "the folder does not exist", folder.string());  // before minutes of work
  refuse_unknown(arguments.checks);
  const conformance::Subject subject{candidate, device, options_of(arguments.set), arguments.timeout, arguments.checks};
  const conformance::Report report = conformance::run_apart(subject, [&](const conformance::Result& result) {
    if (!arguments.json) print(conformance::line(result) + "\n");
  });
  print(arguments.json ? conformance::json(report) : conformance::verdict(report) + "\n");
  if (!arguments.junit.empty()) write_file(arguments.junit, conformance::junit(report));
  return report.count(conformance::Outcome::failed) == 0 ? 0 : static_cast<int>(ErrorKind::plugin);
}

}  // namespace

void add_conformance(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "conformance", "Check every kernel and every promise of a backend plugin. The exit code is 8 if one fails.");
  const auto arguments = std::make_shared<ConformanceArguments>();
  command
      .add_option("plugin", arguments->plugin,
                  "The name of a backend or the file of a plugin; the device by number "
                  "or part of its name [0]")
      ->type_name("PLUGIN[:DEVICE]")
      ->required();
  command.add_option("--set", arguments->set, "One of the backend's own keys of the case file; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--check", arguments->checks,
                  "Only the check of that name, as a kernel's, in each of its precisions; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_flag("--json", arguments->json, "For programs");
  command.add_option("--junit", arguments->junit, "Write the results as JUnit XML, too")->type_name("FILE");
  command
      .add_option("--timeout", arguments->timeout,
                  "End a case that takes longer, as one that has failed; 0 for no limit [120]")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  add_plugin_dir(command, context);
  command.callback([&context, arguments] {
    context.action = [&context, arguments] { return run_conformance(context, *arguments); };
  });
}

}  // namespace quoin
