#include "commands.hpp"
#include "quoin/bytes.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

int check(const Context& context, const CaseArguments& arguments) {
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.file, arguments.overrides(), key_table(plugins));
  const Estimate estimate = check_case(the_case, plugins);
  std::string text = arguments.file + ": no mistakes\n";
  if (estimate.device > 0.0) text += "  memory of the device  " + in_bytes(estimate.device) + "\n";
  text += "  memory of the host    " + in_bytes(estimate.host + estimate.temporary) + "\n  disk                  " +
          in_bytes(estimate.disk) + "\n";
  print(text);
  return 0;
}

}  // namespace

void add_check(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "check", "Report everything that 'run' would refuse, and what the run would need; nothing is run or written");
  const auto arguments = std::make_shared<CaseArguments>();
  add_case_arguments(command, *arguments);
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return check(context, *arguments); }; });
}

}  // namespace quoin
