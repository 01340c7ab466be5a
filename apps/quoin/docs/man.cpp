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

std::string entry(const std::string& term, const std::string& meaning) {
  return ".TP\n" + bold(term) + "\n" + escaped(meaning) + "\n";
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

std::string environment() {
  return ".SH ENVIRONMENT\n" +
         entry("QUOIN_PLUGIN_PATH",
               "Folders with plugins, separated by colons; searched after --plugin-dir and before the installed ones. "
               "Ignored in a set-uid process.") +
         entry("XDG_CACHE_HOME", "Where the folder quoin of measurements lies, if not in ~/.cache.") +
         entry("NO_COLOR", "Where it is set and not empty, messages on a terminal have no colours.");
}

std::string files() {
  return ".SH FILES\nIn the result folder of a run:\n" +
         entry("summary.json", "How the run ended: status, errors, times, versions.") +
         entry("history.csv, timing.csv", "Residuals or conserved quantities, and when an iteration was reached.") +
         entry("case.yaml, run.log", "The case with every default written out, and the log.") +
         entry("u.vti; cells.pvd, cells-STEP.vtu, cells-STEP.h5", "The fields, for ParaView and for programs.") +
         entry("checkpoint-ITERATION.h5", "What 'quoin resume' goes on from, with its checksum in a .json beside it.") +
         entry("converge.json, compare.json, sweep.json, tune.json, bench.json",
               "What those commands found, beside their runs.") +
         entry("report.html", "What 'quoin report' writes.") + "Elsewhere:\n" +
         entry("~/.cache/quoin", "The settings that 'quoin tune' keeps, and the rates of memory measured here.") +
         entry("PREFIX/share/quoin/configs", "Cases to start from.") +
         entry("PREFIX/share/doc/quoin", "The keys of the case file, as a page and as a JSON Schema.") +
         entry("PREFIX/lib/quoin/plugins", "The backends.");
}

std::string examples() {
  return ".SH EXAMPLES\n" + entry("quoin new jacobi case.yaml", "Writes a case to start from, with comments.") +
         entry("quoin check case.yaml", "Shows every mistake of the case with its place.") +
         entry("quoin run case.yaml --set problem.grid.nodes=[511,511] --output results/finer",
               "Runs it on a finer grid, into another folder.") +
         entry("quoin run case.yaml --quiet --json | jq .errors", "Hands its errors to a program.") +
         entry("quoin run case.yaml --json-lines | jq .progress", "Tells a program how far it is.") +
         entry("sed 's/0.01/0.02/' case.yaml | quoin run -", "Runs a case that another program has written.") +
         entry("quoin resume results/long --backend openmp:host", "Goes on with a run that was ended, on all cores.") +
         entry("quoin converge case.yaml --levels 3 --expect-order 1.9",
               "Ends with 4 where the order of L2 is lower.") +
         entry("quoin compare case.yaml --backends serial,openmp:host --output results/both",
               "Sets two backends side by side.") +
         entry("quoin sweep case.yaml --vary method.order=1,2,3 --vary problem.mesh.cells=[10,10],[20,20]",
               "Runs all six, several at a time, and makes a table of them.") +
         entry("quoin diff results/coarser results/finer", "Tells what differs: keys, figures, times, fields.") +
         entry("quoin table results --csv > runs.csv", "Lists all runs in that folder for a spreadsheet.") +
         entry("quoin report results/finer", "Writes a page with charts.") +
         entry("quoin explain method.tolerance", "Says what that key means.");
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
  for (const ExitCode& row : exit_codes()) text += entry(std::to_string(row.code), std::string(row.meaning));
  return text + environment() + files() + examples() +
         ".SH SEE ALSO\nThe keys of the case file: \\fBquoin explain\\fR, or as a page \\fBquoin schema "
         "\\-\\-markdown\\fR.\n";
}

}  // namespace quoin
