#include "quoin/run.hpp"

#include "commands.hpp"
#include "quoin/log.hpp"

namespace quoin {
namespace {

struct Arguments {
  CaseArguments of_case;
  RunOptions options;
};

int run(const Context& context, Arguments arguments) {
  if (arguments.options.quiet) log_level(spdlog::level::err);
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  arguments.options.command_line = context.command_line;
  return report(run_case(the_case, plugins, arguments.options), arguments.options.quiet);
}

}  // namespace

void add_run(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("run", "Run a case and write its results into a folder");
  const auto arguments = std::make_shared<Arguments>();
  add_case_arguments(command, arguments->of_case);
  command.add_flag("--quiet", arguments->options.quiet, "Print errors only");
  command.add_flag("--force", arguments->options.force, "Replace the results of an earlier run");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return run(context, *arguments); }; });
}

}  // namespace quoin
