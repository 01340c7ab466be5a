#include "commands.hpp"
#include "programs.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"
#include "ranks.hpp"

namespace quoin {
namespace {

struct ResumeArguments {
  std::string folder;
  std::string backend;
  std::vector<std::string> set;
  RunOptions options;
  int ranks = 0;
  bool json_lines = false;
};

Outcome go_on(Context& context, ResumeArguments arguments, RunWatcher* watcher = nullptr) {
  arguments.options.ranks = context.ranks.get();
  if (arguments.options.quiet) log_level(spdlog::level::err);
  const std::vector<Candidate> plugins = candidates(context);
  std::vector<Override> changes;
  if (!arguments.backend.empty()) changes.push_back({"backend", arguments.backend, "--backend"});
  const std::vector<Override> more = overrides_of(arguments.set);
  changes.insert(changes.end(), more.begin(), more.end());
  arguments.options.command_line = context.command_line;
  arguments.options.watcher = watcher;
  return resume_case(arguments.folder, changes, plugins, key_table(plugins), arguments.options);
}

int resume(Context& context, const ResumeArguments& arguments) {
  if (arguments.ranks > 0) return launch_ranks(arguments.ranks, context.words);
  if (follows(context)) return 0;
  if (!arguments.json_lines) return report(go_on(context, arguments), arguments.options.quiet);
  return tell_programs(/*lines=*/true, [&](RunWatcher* watcher) { return go_on(context, arguments, watcher); });
}

}  // namespace

void add_resume(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "resume",
      "Go on with a run from its newest checkpoint, to its end or farther. A checkpoint that is not whole is passed "
      "over.");
  const auto arguments = std::make_shared<ResumeArguments>();
  command.add_option("DIR", arguments->folder, "The result folder of the run")->required();
  command.add_option("--backend", arguments->backend, "Another backend, NAME or NAME:DEVICE; the results are the same")
      ->type_name("NAME");
  add_set(command, arguments->set);
  add_ranks(command, arguments->ranks);
  command.add_flag("--quiet", arguments->options.quiet, "Print errors only");
  command.add_flag("--json-lines", arguments->json_lines, "Print for programs what 'run' prints by this");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return resume(context, *arguments); }; });
}

}  // namespace quoin
