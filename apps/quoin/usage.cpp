// What is wrong with a command line.

#include <algorithm>

#include "commands.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

/// The names of the options of a command and of the program, `--force`.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> commands_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : subcommands(command)) names.push_back(one->get_name());
  return names;
}

/// `--method.order=2` is a key of the case, for --set.
std::string hint(const std::string& option, const CLI::App& command) {
  const std::string name = option.substr(0, option.find('='));
  const std::vector<std::string> known = options_of(command);
  if (std::ranges::find(known, "--set") != known.end() && name.find('.') != std::string::npos)
    return "; a key of the case is set with --set " + name.substr(name.find_first_not_of('-')) + "=VALUE";
  return did_you_mean(name, known);
}

}  // namespace

std::string usage_fault(const CLI::App& program, const std::string& fallback) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  std::vector<std::string> rest = program.remaining(true);
  if (rest.empty()) return fallback;
  // A value that follows an unknown option is told apart from it by nothing but its look.
  const auto option = std::ranges::find_if(rest, [](const std::string& word) { return word.starts_with('-'); });
  if (option != rest.end()) return "unknown option '" + *option + "'" + hint(*option, *command);
  const std::vector<std::string> commands = commands_of(*command);
  if (!commands.empty()) return "unknown command '" + rest.front() + "'" + did_you_mean(rest.front(), commands);
  return "one argument too many: '" + rest.front() + "'";
}

}  // namespace quoin
