#include "commands.hpp"
#include "docs.hpp"

namespace quoin {
namespace {

/// The bash words that complete the value of an option or a positional argument.
std::string values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == "DIR") return "-d";
  if (type == "CASE" || type == "PLUGIN" || type == "FILE") return "-f";
  if (type == "KEY=VALUE") return "-S = -W \"$keys\"";
  const std::size_t open = type.find('{');  // the choices of CLI::IsMember: {a,b}
  if (open == std::string::npos) return "-W ''";
  std::string words = type.substr(open + 1, type.find('}') - open - 1);
  for (char& c : words) c = c == ',' ? ' ' : c;
  return "-W '" + words + "'";
}

/// The cases of one command: what follows its options, and what else it takes.
std::string block(const CLI::App& command) {
  std::string flags;
  std::string arms;
  std::string position;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      position = values(*option);
      continue;
    }
    flags += (flags.empty() ? "" : " ") + option->get_name();
    if (option->get_items_expected_max() > 0) {
      arms += "        " + option->get_name() + ") mapfile -t COMPREPLY < <(compgen " + values(*option) +
              " -- \"$current\") ;;\n";
    }
  }
  std::string text = "    " + command.get_name() + ")\n      case $previous in\n" + arms;
  text += "        *)\n          if [[ $current == -* ]]; then\n";
  text += "            mapfile -t COMPREPLY < <(compgen -W '" + flags + "' -- \"$current\")\n";
  if (!position.empty()) {
    text += "          else\n            mapfile -t COMPREPLY < <(compgen " + position + " -- \"$current\")\n";
  }
  text += "          fi ;;\n      esac ;;\n";
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& program, const KeyTable& table) {
  std::string commands;
  std::string blocks;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    commands += command->get_name() + " ";
    blocks += block(*command);
  }
  for (const CLI::Option* option : program.get_options()) commands += option->get_name() + " ";
  commands.pop_back();
  std::string keys;
  // Of a key with names of the user's choice, what stands before the first.
  for (const Key& key : table.keys()) keys += (keys.empty() ? "" : " ") + key.path.substr(0, key.path.find('*'));
  return "# Completion of quoin for bash.\n_quoin() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local keys='" +
         keys +
         "'\n  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n    mapfile -t COMPREPLY < <(compgen -W '" +
         commands +
         "' -- \"$current\")\n    return\n  fi\n"
         "  [[ $previous == --set ]] && compopt -o nospace 2>/dev/null\n"
         "  case ${COMP_WORDS[1]} in\n" +
         blocks + "  esac\n}\ncomplete -o filenames -F _quoin quoin\n";
}

}  // namespace quoin
