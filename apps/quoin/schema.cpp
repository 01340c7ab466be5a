#include "commands.hpp"

namespace quoin {

void add_schema(CLI::App& program, Context& context) {
  CLI::App& command =
      *program.add_subcommand("schema", "Describe every key of the case file, for editors or as a page");
  const auto json = std::make_shared<bool>(false);
  const auto markdown = std::make_shared<bool>(false);
  CLI::Option* first = command.add_flag("--json", *json, "As a JSON Schema, for editors and validators (the default)");
  command.add_flag("--markdown", *markdown, "As a page to read")->excludes(first);
  add_plugin_dir(command, context);
  command.callback([&context, json, markdown] {
    context.action = [&context, markdown] {
      const KeyTable table = key_table(candidates(context));
      std::string text = *markdown ? table.markdown() : table.json_schema();
      if (text.empty() || text.back() != '\n') text += '\n';
      print(text);
      return 0;
    };
  });
}

}  // namespace quoin
