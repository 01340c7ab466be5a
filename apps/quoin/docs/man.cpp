#include "commands.hpp"
#include "docs.hpp"

namespace quoin {
namespace {

/// Text as roff takes it: backslashes and hyphens escaped, no line that starts with a control character.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

bool positional(const CLI::Option& option) { return option.get_positional(); }

/// `DIR`; without the choices that CLI11 adds after a colon.
std::string type_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(":{"));
}

/// `--set KEY=VALUE`, `[WHAT]`
std::string usage(const CLI::Option& option) {
  if (positional(option)) {
    const std::string name = italic(type_name(option));
    return option.get_required() ? name : "[" + name + "]";
  }
  std::string text = bold(option.get_name());
  if (option.get_items_expected_max() > 0) text += " " + italic(type_name(option));
  return text;
}

std::string entry(const CLI::Option& option) {
  return ".TP\n" + usage(option) + "\n" + escaped(option.get_description()) + "\n";
}

std::string entries(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (positional(*option)) text += entry(*option);
  }
  for (const CLI::Option* option : app.get_options()) {
    if (!positional(*option)) text += entry(*option);
  }
  return text;
}

/// `bench dgcvs`: the name of a command with those of the commands that it belongs to, but for the program's.
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent->get_parent() == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

/// The commands below, each followed by its own.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> all;
  for (const CLI::App* command : subcommands(app)) {
    all.push_back(command);
    const std::vector<const CLI::App*> below = commands_of(*command);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

}  // namespace

std::string man_page(const CLI::App& program) {
  const std::vector<const CLI::App*> commands = commands_of(program);
  std::string text = ".TH QUOIN 1 \"\" \"Quoin " QUOIN_VERSION "\" \"User Commands\"\n";
  text += ".SH NAME\nquoin \\- solves partial differential equations on backends that are plugins\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands) {
    if (!subcommands(*command).empty()) continue;
    text += ".B quoin " + escaped(full_name(*command)) + "\n";
    for (const CLI::Option* option : command->get_options()) text += positional(*option) ? usage(*option) + "\n" : "";
    text += "[\\fIoptions\\fR]\n.br\n";
  }
  text += ".SH DESCRIPTION\n" + escaped(program.get_description()) + "\n.SH OPTIONS\n" + entries(program);
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : commands) {
    text += ".SS quoin " + escaped(full_name(*command)) + "\n" + escaped(command->get_description()) + "\n";
    text += entries(*command);
  }
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& row : exit_codes()) {
    text += ".TP\n" + bold(std::to_string(row.code)) + "\n" + escaped(std::string(row.meaning)) + "\n";
  }
  text +=
      ".SH ENVIRONMENT\n.TP\n.B QUOIN_PLUGIN_PATH\nFolders with plugins, separated by colons; searched after "
      "\\fB\\-\\-plugin\\-dir\\fR and before the installed ones. Ignored in a set\\-uid process.\n"
      ".SH SEE ALSO\nThe keys of the case file: \\fBquoin schema \\-\\-markdown\\fR.\n";
  return text;
}

}  // namespace quoin
