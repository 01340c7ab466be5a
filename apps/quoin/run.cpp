#include "quoin/run.hpp"

#include <iostream>

#include "commands.hpp"
#include "quoin/log.hpp"

namespace quoin {
namespace {

struct Arguments {
  CaseArguments of_case;
  RunOptions options;
};

std::string_view meaning_of(int code) {
  for (const ExitCode& row : exit_codes()) {
    if (row.code == code) return row.meaning;
  }
  return "ended without a result";
}

int run(const Context& context, Arguments arguments) {
  if (arguments.options.quiet) log_level(spdlog::level::err);
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.of_case.file, arguments.of_case.overrides(), key_table(plugins));
  arguments.options.command_line = context.command_line;
  const Outcome outcome = run_case(the_case, plugins, arguments.options);
  const std::string place = "; results in " + outcome.directory.string() + "\n";
  if (!arguments.options.quiet) print(outcome.table);
  if (outcome.exit_code != 0) {
    std::cerr << "quoin: error: " << meaning_of(outcome.exit_code) << place;
  } else if (!arguments.options.quiet) {
    print("\n" + std::string(to_string(outcome.status)) + place);
  }
  return outcome.exit_code;
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
