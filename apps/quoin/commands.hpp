#pragma once

// The command line: one file a command. A command adds its options to the program's tree and sets the
// action that main runs once the whole line has been parsed; nothing is done while parsing, so that
// the man page and the completion are made from the same tree.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/backends.hpp"
#include "quoin/case.hpp"
#include "quoin/communicator.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/run.hpp"

namespace quoin {

struct Context {
  std::vector<std::string> words;       ///< as typed
  std::string command_line;             ///< the same, quoted for a shell
  std::vector<std::string> folders;     ///< --plugin-dir
  std::function<int()> action;          ///< what the chosen command does; returns the exit code
  std::unique_ptr<Communicator> ranks;  ///< of a run with several; else null
};

void add_run(CLI::App& program, Context& context);
void add_resume(CLI::App& program, Context& context);
void add_check(CLI::App& program, Context& context);
void add_list(CLI::App& program, Context& context);
void add_compare(CLI::App& program, Context& context);
void add_converge(CLI::App& program, Context& context);
void add_sweep(CLI::App& program, Context& context);
void add_report(CLI::App& program, Context& context);
void add_diff(CLI::App& program, Context& context);
void add_table(CLI::App& program, Context& context);
void add_bench(CLI::App& program, Context& context);
void add_tune(CLI::App& program, Context& context);
void add_matrix(CLI::App& program, Context& context);
void add_new(CLI::App& program, Context& context);
void add_explain(CLI::App& program, Context& context);
void add_schema(CLI::App& program, Context& context);
void add_conformance(CLI::App& program, Context& context);
void add_help(CLI::App& program, Context& context);
void add_version(CLI::App& program, Context& context);
void add_complete(CLI::App& program, Context& context);

/// The whole program: every command and the general options.
void add_commands(CLI::App& program, Context& context);

/// The commands of the program, or those that a command is made of; without those that are hidden.
std::vector<const CLI::App*> subcommands(const CLI::App& app);

/// How deep a key lies.
inline std::ptrdiff_t dots_in(const std::string& path) { return std::ranges::count(path, '.'); }

/// `quoin 0.1.0`
std::string version_text();
/// Of the screen that texts are laid out for.
inline constexpr std::size_t screen_columns = 80;
/// Lays out the help of commands.
std::shared_ptr<CLI::FormatterBase> help_formatter();
/// Without the point at its end.
std::string first_sentence(const std::string& text);
/// The words of `text` in lines of `width` at most, those after the first indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent = 0);
/// What is wrong with a command line that could not be parsed, told from its first word that the command does not know;
/// `fallback` where it knows all of them.
std::string usage_fault(const CLI::App& program, const std::string& fallback);

/// Adds `--plugin-dir DIR`, which may be repeated.
void add_plugin_dir(CLI::App& command, Context& context);

/// Refuses what is not KEY=VALUE, or of another `form`.
CLI::Validator key_and_value(const std::string& form);
/// Adds `--set KEY=VALUE`, which may be repeated.
void add_set(CLI::App& command, std::vector<std::string>& set);
/// What `--set` changes.
std::vector<Override> overrides_of(const std::vector<std::string>& set);

/// CASE and the options that change it.
struct CaseArguments {
  std::string file;
  std::vector<std::string> set;
  std::string output;
  std::string backend;
  std::string threads;

  /// The changes: those of the named options first, then those of --set.
  [[nodiscard]] std::vector<Override> overrides() const;
  /// The folder of a study of the case: what --output names, else that of the case's own run with `ending`.
  [[nodiscard]] std::string study_folder(const Case& the_case, const std::string& ending) const;
};
void add_case_arguments(CLI::App& command, CaseArguments& arguments);

/// The words as a shell would take them again.
std::string shell_line(const std::vector<std::string>& words);

/// Split at the commas that lie outside of brackets, braces, parentheses and quotes, without the blanks around.
std::vector<std::string> split_list(std::string_view text);
/// The entries of `--backends`: `hip,{name: openmp, data: per_kernel}`. Throws ErrorKind::usage for an empty one.
std::vector<std::string> split_backends(const std::string& text);

/// The installation's folder `share`.
std::filesystem::path share_folder();

/// The folders of the command line, the environment and the installation, where plugins are sought.
std::vector<std::filesystem::path> folders_of(const Context& context);

/// Opens the problems that the folders of the command line, the environment and the installation hold: before a case is
/// read. Gives these folders.
std::vector<std::filesystem::path> open_problems(const Context& context);

/// Opens problems, and finds every backend that the folders of the command line, the environment and the installation
/// hold.
std::vector<Candidate> candidates(const Context& context);

/// As declarations of kernels write it.
std::string_view pattern_name(Pattern pattern);

/// The framework's keys with those of the plugins' manifests.
KeyTable key_table(const std::vector<Candidate>& plugins);

/// Writes to standard output. A reader that went away is no error, and neither is `| head`;
/// anything else throws ErrorKind::io.
void print(std::string_view text);
/// Prints the results of a study, as JSON or as a table, and says where they are; beside JSON on standard error.
void print_study(const std::string& text, bool json, const std::string& folder);
/// Writes a file that an option names; throws ErrorKind::io.
void write_file(const std::string& file, std::string_view text);

/// Prints `quoin: error: MESSAGE` on standard error and returns the code.
int fail(const std::string& message, int code);

struct ExitCode {
  int code;
  std::string_view name;
  std::string_view meaning;
};
const std::vector<ExitCode>& exit_codes();

/// What a run leaves to say: its errors against the exact solution and, with `timing` or after more than 10 s, what its
/// kernels took.
std::string closing_lines(const Outcome& outcome, bool timing);
/// Prints those and how the run has ended, and returns its exit code.
int report(const Outcome& outcome, bool quiet, bool timing = false);

}  // namespace quoin
