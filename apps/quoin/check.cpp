#include <array>
#include <cstdio>

#include "commands.hpp"
#include "quoin/run.hpp"

namespace quoin {
namespace {

/// 1536 is `1.5 KiB`.
std::string in_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < units.size()) {
    bytes /= 1024.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text.data();
}

int check(const Context& context, const CaseArguments& arguments) {
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.file, arguments.overrides(), key_table(plugins));
  const Estimate estimate = check_case(the_case, plugins);
  print(arguments.file + ": no mistakes\n  memory of the device  " + in_bytes(estimate.device) +
        "\n  memory of the host    " + in_bytes(estimate.host) + "\n  disk                  " +
        in_bytes(estimate.disk) + "\n");
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
