#include "commands.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/problems.hpp"
#include "quoin/words.hpp"

namespace quoin {
namespace {

std::string exit_code_text() {
  constexpr std::size_t columns = 80;
  std::string text = "Exit codes:";
  std::size_t start = 0;  // of the last line
  for (const ExitCode& row : exit_codes()) {
    const std::string item = std::to_string(row.code) + " " + std::string(row.name) + ",";
    const bool fits = text.size() - start + 1 + item.size() <= columns;
    if (!fits) start = text.size() + 1;
    text += (fits ? " " : "\n") + item;
  }
  text.back() = '.';
  return text + "\n'man quoin' says more and has examples.";
}

/// Where the key of KEY=VALUE ends: names in double quotes may have any character. npos: nowhere.
std::size_t equals_of(const std::string& text) {
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '=' && !quoted) return k;
    if (text[k] == '\\' && quoted)
      ++k;
    else if (text[k] == '"')
      quoted = !quoted;
  }
  return std::string::npos;
}

/// How a run ended that has no result, or not the one it was to have.
std::string_view ending(const Outcome& outcome) {
  if (outcome.status == Status::stagnated) return "stagnated: this precision cannot reach the tolerance";
  if (outcome.status == Status::max_steps) return "the limit of time steps came before the final time";
  const auto row = std::ranges::find(exit_codes(), outcome.exit_code, &ExitCode::code);
  return row == exit_codes().end() ? "ended without a result" : row->meaning;
}

/// A reader that went away is no error. False and errno where the bytes cannot be written.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EPIPE) {
      return true;
    } else if (written == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// An empty value, as of a shell's variable that is not set, is never meant.
void refuse_empty_values(CLI::App& command) {
  const CLI::Validator given([](const std::string& text) { return text.empty() ? "the value is empty" : ""; }, "");
  for (CLI::Option* option : command.get_options())
    if (option->get_type_size() > 0) option->check(given);
  for (CLI::App* one : command.get_subcommands({})) refuse_empty_values(*one);
}

}  // namespace

const std::vector<ExitCode>& exit_codes() {
  static const std::vector<ExitCode> codes{
      {0, "done", "done"},
      {1, "bug", "a bug in Quoin"},
      {2, "usage", "wrong usage of the command line"},
      {3, "case file", "a mistake in the case file"},
      {4, "not converged", "not converged: the iteration limit came first"},
      {5, "diverged", "diverged, or a value that is not a number"},
      {6, "files", "reading or writing a file failed"},
      {7, "device", "a device, its driver or its memory failed"},
      {8, "plugin", "a backend plugin cannot be used"},
      {9, "checkpoint", "a checkpoint cannot be used"},
      {130, "interrupted", "interrupted (SIGINT)"},
      {143, "terminated", "terminated (SIGTERM)"},
  };
  return codes;
}

int fail(const std::string& message, int code) {
  const std::string_view error = coloured_errors() ? "\x1b[1;31merror:\x1b[0m" : "error:";
  std::cerr << "quoin: " << error << " " << printable(message) << "\n";
  return code;
}

std::string closing_lines(const Outcome& outcome, bool timing) {
  constexpr double long_seconds = 10.0;
  const auto summary = nlohmann::json::parse(outcome.summary);
  std::string text;
  if (const auto errors = summary.find("errors"); errors != summary.end()) {
    const auto error = [&](const char* norm) {  // null where it is not finite
      const auto value = errors->find(norm);
      return value != errors->end() && value->is_number() ? fmt::format("{:.4e}", value->get<double>()) : "nan";
    };
    text = fmt::format("errors against the exact solution: L1 {}, L2 {}, Linf {}\n", error("l1"), error("l2"),
                       error("linf"));
  }
  if (timing || summary.value("wall_seconds", 0.0) > long_seconds) text += outcome.table;
  return text;
}

int report(const Outcome& outcome, bool quiet, bool timing) {
  const std::string place = "; results in " + printable(outcome.directory.string(), true);
  if (outcome.exit_code == 0) {
    if (!quiet) print(closing_lines(outcome, timing) + std::string(to_string(outcome.status)) + place + "\n");
    return 0;
  }
  try {
    if (!quiet) print(closing_lines(outcome, timing));
  } catch (const Error&) {  // how the run ended matters more
  }
  return fail(std::string(ending(outcome)) + place, outcome.exit_code);
}

void add_commands(CLI::App& program, Context& context) {
  program.name("quoin");
  program.description("Solves partial differential equations from case files on backends, its plugins.");
  program.formatter(help_formatter());
  program.set_version_flag("--version,-V", version_text(), "Print the version and exit");
  program.set_help_flag("--help,-h", "Print this help and exit");
  program.require_subcommand(1);
  program.footer([] { return exit_code_text(); });
  add_run(program, context);
  add_resume(program, context);
  add_check(program, context);
  add_list(program, context);
  add_compare(program, context);
  add_converge(program, context);
  add_sweep(program, context);
  add_report(program, context);
  add_diff(program, context);
  add_table(program, context);
  add_bench(program, context);
  add_tune(program, context);
  add_matrix(program, context);
  add_new(program, context);
  add_explain(program, context);
  add_schema(program, context);
  add_conformance(program, context);
  add_help(program, context);
  add_version(program, context);
  refuse_empty_values(program);
  add_complete(program, context);  // of a word that is yet empty
}

void add_plugin_dir(CLI::App& command, Context& context) {
  command.add_option("--plugin-dir", context.folders, "Look for plugins here first; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
}

CLI::Validator key_and_value(const std::string& form) {
  return {[form](const std::string& text) {
            const std::size_t equals = equals_of(text);
            if (text.starts_with('-')) return "expected " + form + ", not the option '" + text + "'";
            return equals == 0 || equals == std::string::npos ? "expected " + form + ", not '" + text + "'" : "";
          },
          ""};
}

void add_set(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "Change one key of the case; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->check(key_and_value("KEY=VALUE"));
  command.footer("'quoin explain' lists the keys of the case file and says what each means.");
}

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> list;
  for (const std::string& text : set) {
    const std::size_t equals = equals_of(text);
    list.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return list;
}

void add_case_arguments(CLI::App& command, CaseArguments& arguments) {
  command.add_option("case", arguments.file, "The case file (YAML), or - for standard input")
      ->type_name("CASE")
      ->required();
  add_set(command, arguments.set);
  command.add_option("--output", arguments.output, "The result folder (output.directory)")->type_name("DIR");
  command.add_option("--backend", arguments.backend, "The backend, and its device by number or part of its name")
      ->type_name("NAME[:DEVICE]");
  command.add_option("--threads", arguments.threads, "Threads of a backend on the CPU, 0 for all (run.threads)")
      ->type_name("N");
}

std::vector<Override> CaseArguments::overrides() const {
  std::vector<Override> list;
  if (!output.empty()) list.push_back({"output.directory", output, "--output"});
  if (!backend.empty()) list.push_back({"backend", backend, "--backend"});
  if (!threads.empty()) list.push_back({"run.threads", threads, "--threads"});
  // Last, so that `--backend NAME --set backend.KEY=VALUE` changes the backend named here.
  const std::vector<Override> more = overrides_of(set);
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::string CaseArguments::study_folder(const Case& the_case, const std::string& ending) const {
  return the_case.text("output.directory") + (output.empty() ? ending : "");
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                "-_=./:,+@%") == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  char before = ',';  // the last character that is no blank
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote == '"' && c == '\\' && k + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++k];
      continue;
    }
    if (quote != 0) {
      if (c == quote) quote = 0;  // and opens again where it is doubled
    } else if ((c == '"' || c == '\'') && std::string_view(",[{(:'").find(before) != std::string_view::npos) {
      quote = c;
    } else {
      depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    }
    if (c == ',' && quote == 0 && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
    if (c != ' ') before = c;
  }
  for (std::string& part : parts) part.erase(part.find_last_not_of(' ') + 1);
  return parts;
}

std::vector<std::string> split_backends(const std::string& text) {
  std::vector<std::string> parts = split_list(text);
  for (const std::string& part : parts) {
    if (part.empty()) throw Error(ErrorKind::usage, "--backends has an empty entry: '" + text + "'");
  }
  return parts;
}

std::filesystem::path share_folder() {
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  return (program.parent_path() / QUOIN_SHARE).lexically_normal();
}

std::vector<std::filesystem::path> folders_of(const Context& context) {
  return plugin_folders({context.folders.begin(), context.folders.end()});
}

std::vector<std::filesystem::path> open_problems(const Context& context) {
  std::vector<std::filesystem::path> folders = folders_of(context);
  open_problems(folders);
  return folders;
}

std::vector<Candidate> candidates(const Context& context) { return find_plugins(open_problems(context)); }

KeyTable key_table(const std::vector<Candidate>& plugins) {
  KeyTable table = KeyTable::standard();
  std::set<std::string> seen;  // the first plugin of a name wins
  for (const Candidate& plugin : plugins) {
    if (seen.insert(plugin.name).second) table.add_backend(plugin.name, plugin.keys);
  }
  for (const Candidate& problem : problem_plugins()) {
    if (!problem.refusal.empty())
      table.add_hint("problem.type", {problem.name, "its plugin " + problem.file.string() + " " + problem.refusal});
  }
  return table;
}

void print(std::string_view text) {
  if (!write_all(STDOUT_FILENO, printable(text)))
    throw Error(ErrorKind::io, std::string("cannot write to standard output: ") + std::strerror(errno));
}

void print_study(const std::string& text, bool json, const std::string& folder) {
  const std::string place = "results in " + printable(folder, true) + "\n";
  print(json ? text : text + place);
  if (json) std::cerr << place;
}

void write_file(const std::string& file, std::string_view text) {
  const auto fail = [&] {
    throw Error(ErrorKind::io, std::string("cannot write the file: ") + std::strerror(errno), file);
  };
  // It may be a pipe, from a shell's `>(...)`, but nobody waits for one that nobody reads.
  const int open_file = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
  if (open_file < 0) fail();
  fcntl(open_file, F_SETFL, fcntl(open_file, F_GETFL) & ~O_NONBLOCK);
  const bool written = write_all(open_file, text);
  if (::close(open_file) != 0 || !written) fail();
}

}  // namespace quoin
