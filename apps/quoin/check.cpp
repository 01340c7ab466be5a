#include <filesystem>

#include "commands.hpp"
#include "quoin/bytes.hpp"
#include "quoin/error.hpp"
#include "quoin/run.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

struct CheckArguments {
  CaseArguments of_case;
  int ranks = 1;
  bool json = false;
};

/// What a case that can be run will need, and what else its user should know.
struct Findings {
  std::string name;  ///< of the case
  Estimate estimate;
  int ranks;
  std::vector<std::string> notes;
};

/// Throws what `run --force` would throw.
Findings find(const Context& context, const CaseArguments& arguments, int ranks) {
  const std::vector<Candidate> plugins = candidates(context);
  const Case the_case = Case::load(arguments.file, arguments.overrides(), key_table(plugins));
  Findings findings{the_case.name(), check_case(the_case, plugins, /*force=*/true, ranks), ranks, {}};
  const std::string& folder = the_case.text("output.directory");
  std::error_code none;
  if (std::filesystem::is_directory(folder, none) && !std::filesystem::is_empty(folder, none))
    findings.notes.push_back(folder + " is not empty: 'run' needs --force to replace the results in it");
  return findings;
}

std::string lines_of(const Findings& findings) {
  const Estimate& needs = findings.estimate;
  const std::string each = findings.ranks > 1 ? " a rank at most" : "";
  std::string text = findings.name + ": no mistakes\n";
  if (needs.device > 0.0) text += "  memory of the device  " + in_bytes(needs.device) + each + "\n";
  if (findings.ranks > 1) {
    text += "  memory of the host    " + in_bytes(needs.host) + each + ", and " + in_bytes(needs.temporary) +
            " more on the first\n";
  } else {
    text += "  memory of the host    " + in_bytes(needs.host + needs.temporary) + "\n";
  }
  text += "  disk                  " + in_bytes(needs.disk) + "\n";
  for (const std::string& note : findings.notes) text += "note: " + note + "\n";
  return text;
}

Json to_json(const Findings& findings) {
  return {{"version", 1},
          {"valid", true},
          {"exit_code", 0},
          {"errors", Json::array()},
          {"notes", findings.notes},
          {"estimate",
           {{"ranks", findings.ranks},
            {"device_bytes", findings.estimate.device},
            {"host_bytes", findings.estimate.host + findings.estimate.temporary},
            {"disk_bytes", findings.estimate.disk}}}};
}

int check(const Context& context, const CheckArguments& arguments) {
  Findings findings;
  try {
    findings = find(context, arguments.of_case, arguments.ranks);
  } catch (const Error& error) {
    if (arguments.json)
      print(to_text({{"version", 1},
                     {"valid", false},
                     {"exit_code", error.exit_code()},
                     {"errors", mistakes(error)},
                     {"notes", Json::array()},
                     {"estimate", nullptr}}));
    throw;
  }
  print(arguments.json ? to_text(to_json(findings)) : lines_of(findings));
  return 0;
}

}  // namespace

void add_check(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "check", "Report all that 'run' would refuse, and what the run would need. Nothing is run or written.");
  const auto arguments = std::make_shared<CheckArguments>();
  add_case_arguments(command, arguments->of_case);
  command.add_option("--ranks", arguments->ranks, "Of a run on so many processes: what the one with the most needs")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
  command.add_flag("--json", arguments->json, "For programs");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return check(context, *arguments); }; });
}

}  // namespace quoin
