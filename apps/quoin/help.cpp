// `quoin help`, `quoin version`, and how help is laid out, so that each command's fits a screen.

#include <algorithm>

#include "commands.hpp"
#include "quoin/error.hpp"

namespace quoin {
namespace {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(28);
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), screen_columns) + "\n";
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), screen_columns - column_width_);
  }
  /// A list with the first sentence of what each command does.
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode) const override {
    constexpr std::size_t width = 14;
    std::stringstream lines;
    for (const CLI::App* command : subcommands(*app))
      CLI::detail::format_help(lines, command->get_name(),
                               wrapped(first_sentence(command->get_description()), screen_columns - width), width);
    return lines.str().empty() ? "" : "\nCommands:\n" + lines.str();
  }
};

/// The command of that name below `app`.
const CLI::App& find_command(const CLI::App& app, const std::string& name) {
  std::string known;
  for (const CLI::App* command : subcommands(app)) {
    if (command->get_name() == name) return *command;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw Error(ErrorKind::usage, "there is no command '" + name + "'" +
                                    (known.empty() ? " below '" + app.get_name() + "'" : "; there are: " + known));
}

}  // namespace

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      result += " ";
      ++column;
    }
    result += word;
  }
  return result;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::string version_text() { return "quoin " QUOIN_VERSION; }

void add_help(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("help", "Print the help of the program or of a command");
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("command", *words, "The command; two words for one of 'bench'")->type_name("COMMAND");
  command.callback([&program, &context, words] {
    context.action = [&program, words] {
      const CLI::App* chosen = &program;
      std::string name = program.get_name();
      for (const std::string& word : *words) {
        chosen = &find_command(*chosen, word);
        if (word != words->back()) name += " " + word;
      }
      // Asked itself, the program would print the help of the command on the line: this one.
      print(chosen == &program ? program.get_formatter()->make_help(&program, name, CLI::AppFormatMode::Normal)
                               : chosen->help(name));
      return 0;
    };
  });
}

void add_version(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand("version", "Print the version, as --version does");
  command.callback([&context] {
    context.action = [] {
      print(version_text() + "\n");
      return 0;
    };
  });
}

}  // namespace quoin
