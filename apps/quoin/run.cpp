#include "quoin/run.hpp"

#include "commands.hpp"
#include "programs.hpp"
#include "quoin/log.hpp"
#include "ranks.hpp"

namespace quoin {
namespace {

struct RunArguments {
  CaseArguments of_case;
  RunOptions options;
  int ranks = 0;
  bool timing = false;
  bool json = false;
  bool json_lines = false;
};

Outcome run_once(Context& context, RunArguments arguments, RunWatcher* watcher = nullptr) {
  if (arguments.options.quiet) log_level(spdlog::level::err);
  arguments.options.ranks = context.ranks.get();
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  arguments.options.command_line = context.command_line;
  arguments.options.watcher = watcher;
  return run_case(the_case, plugins, arguments.options);
}

int run(Context& context, const RunArguments& arguments) {
  if (arguments.ranks > 0) return launch_ranks(arguments.ranks, context.words);
  if (follows(context)) return 0;
  if (!arguments.json && !arguments.json_lines)
    return report(run_once(context, arguments), arguments.options.quiet, arguments.timing);
  return tell_programs(arguments.json_lines,
                       [&](RunWatcher* watcher) { return run_once(context, arguments, watcher); });
}

}  // namespace

void add_run(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("run", "Run a case and write its results into a folder");
  const auto arguments = std::make_shared<RunArguments>();
  add_case_arguments(command, arguments->of_case);
  add_ranks(command, arguments->ranks);
  command.add_flag("--quiet", arguments->options.quiet, "Print errors only");
  command.add_flag("--timing", arguments->timing, "Print what the kernels took, as a run of over 10 s does");
  CLI::Option* json = command.add_flag("--json", arguments->json, "Print what summary.json holds, for programs");
  command.add_flag("--json-lines", arguments->json_lines, "The same in a line, and others before: how far it is")
      ->excludes(json);
  command.add_flag("--force", arguments->options.force, "Replace the results of an earlier run");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return run(context, *arguments); }; });
}

}  // namespace quoin
