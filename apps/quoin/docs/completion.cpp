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

/// What follows the options of a command, and what else it takes.
std::string words_of(const CLI::App& command) {
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
  std::string text = "      case $previous in\n" + arms;
  text += "        *)\n          if [[ $current == -* ]]; then\n";
  text += "            mapfile -t COMPREPLY < <(compgen -W '" + flags + "' -- \"$current\")\n";
  if (!position.empty()) {
    text += "          else\n            mapfile -t COMPREPLY < <(compgen " + position + " -- \"$current\")\n";
  }
  return text + "          fi ;;\n      esac";
}

/// The program, or a command that is made of others: their names as the word in that place, then what each takes.
std::string choice(const CLI::App& app, int place) {
  const std::string at = std::to_string(place);
  std::string names;
  std::string blocks;
  for (const CLI::App* command : subcommands(app)) {
    names += command->get_name() + " ";
    blocks += "    " + command->get_name() + ")\n" +
              (subcommands(*command).empty() ? words_of(*command) : choice(*command, place + 1)) + " ;;\n";
  }
  for (const CLI::Option* option : app.get_options()) names += option->get_name() + " ";
  names.pop_back();
  return "  if ((COMP_CWORD == " + at + ")); then\n    mapfile -t COMPREPLY < <(compgen -W '" + names +
         "' -- \"$current\")\n    return\n  fi\n  case ${COMP_WORDS[" + at + "]} in\n" + blocks + "  esac";
}

}  // namespace

std::string bash_completion(const CLI::App& program, const KeyTable& table) {
  std::string keys;
  // Of a key with names of the user's choice, what stands before the first.
  for (const Key& key : table.keys()) keys += (keys.empty() ? "" : " ") + key.path.substr(0, key.path.find('*'));
  return "# Completion of quoin for bash.\n_quoin() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local keys='" +
         keys +
         "'\n  COMPREPLY=()\n"
         "  [[ $previous == --set ]] && compopt -o nospace 2>/dev/null\n" +
         choice(program, 1) + "\n}\ncomplete -o filenames -F _quoin quoin\n";
}

}  // namespace quoin
