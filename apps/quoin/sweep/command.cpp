// Runs a case with every combination of values of some keys and sets what came out side by side.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "quoin/error.hpp"
#include "quoin/report.hpp"
#include "quoin/words.hpp"
#include "sweep/members.hpp"
#include "sweep/processes.hpp"
#include "sweep/shift.hpp"

namespace fs = std::filesystem;

namespace quoin {
namespace {

/// Whether the sweep goes on with one that is there.
bool goes_on(const Sweep& sweep) {
  std::error_code none;
  return sweep.arguments.resume && fs::is_directory(sweep.folder, none) && !fs::is_empty(sweep.folder, none);
}

StudyFolder open_folder(const Sweep& sweep) {
  if (goes_on(sweep)) return StudyFolder::of_earlier_study(sweep.folder);
  try {
    return {sweep.folder, sweep.arguments.force};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage || !fs::exists(sweep.folder / sweep_table)) throw;
    throw Error(ErrorKind::usage,
                "holds a sweep: --resume goes on with it, --force replaces it, --output chooses another folder",
                sweep.folder.string());
  }
}

/// What a sweep that did not end well has to say.
int verdict(const Json& study, int code) {
  if (code == 0) return 0;
  const Json& rows = study["members"];
  const auto good = std::ranges::count_if(rows, [](const Json& row) { return row["exit_code"] == 0; });
  std::string text = fmt::format("{} of {} members ended well", good, rows.size());
  if (!study["complete"].get<bool>()) text += "; --resume goes on with the others";
  return fail(text, code);
}

int run_all(const Sweep& sweep) {
  Json study = study_of(sweep);
  Json& rows = study["members"];
  if (goes_on(sweep)) require_same_sweep(sweep, study);
  const std::vector<Job> jobs = jobs_of(sweep, rows);
  int code = 0;
  {
    StudyFolder folder = open_folder(sweep);
    const int signal = run_jobs(sweep, jobs, study, folder);
    code = signal != 0 ? 128 + signal : first_exit_code(rows);
    study["complete"] = all_ended(rows);
    study["exit_code"] = code;
    folder.write(sweep_table, to_text(study));
    folder.write("sweep.csv", members_csv(rows));
  }
  write_report(sweep.folder, {});
  print_study(sweep.arguments.json ? to_text(study) : members_table(rows, short_names(sweep.variations)),
              sweep.arguments.json, sweep.folder.string());
  return verdict(study, code);
}

/// In this process, which the run takes over.
int run_one(const Sweep& sweep) {
  const auto number = static_cast<std::size_t>(sweep.arguments.member);
  if (number >= sweep.members.size())
    throw Error(ErrorKind::usage,
                fmt::format("--member {}: the members are 0 to {}", number, sweep.members.size() - 1));
  const SweepMember& member = sweep.members[number];
  if (!sweep.arguments.force) require_same_case(sweep, member);
  std::vector<std::string> words = command_of(sweep, member);
  if (words.empty()) {
    print(fmt::format("nothing is left to do: the run in {} has ended\n", printable(member.folder.string(), true)));
    return 0;
  }
  words.insert(words.begin(), this_program());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
  throw Error(ErrorKind::device, "the program cannot be started", words.front());
}

std::string list_of(const Sweep& sweep) {
  std::vector<std::vector<std::string>> lines{{"member"}};
  for (const std::string& name : short_names(sweep.variations)) lines.front().push_back(printable(name, true));
  lines.front().emplace_back("folder");
  for (const SweepMember& member : sweep.members) {
    std::vector<std::string> line{std::to_string(lines.size() - 1)};
    for (const Override& change : member.changes) line.push_back(printable(change.value, true));
    line.push_back(printable(member.folder.string(), true));
    lines.push_back(std::move(line));
  }
  return in_columns(lines, "r" + std::string(lines.front().size() - 1, 'l'));
}

/// A script for sbatch: an array with a task a member.
std::string slurm_script(const Sweep& sweep) {
  std::vector<std::string> words = sweep.context.words;
  words.front() = this_program();
  std::erase(words, "--slurm");
  const std::int64_t threads = sweep.members.front().the_case.integer("run.threads");
  return fmt::format("#!/bin/sh\n#SBATCH --job-name=quoin-sweep\n#SBATCH --array=0-{}\n", sweep.members.size() - 1) +
         (threads > 0 ? fmt::format("#SBATCH --cpus-per-task={}\n", threads) : "") + "exec " + shell_line(words) +
         " --member \"$SLURM_ARRAY_TASK_ID\"\n";
}

int sweep(const Context& context, const SweepArguments& arguments) {
  if (static_cast<int>(arguments.list) + static_cast<int>(arguments.slurm) + static_cast<int>(arguments.member >= 0) >
      1)
    throw Error(ErrorKind::usage, "--list, --slurm and --member exclude each other");
  if (arguments.of_case.file == "-" && (arguments.slurm || arguments.member >= 0))
    throw Error(ErrorKind::usage, "a member by itself reads the case from a file: give one");
  if (arguments.resume && arguments.force) throw Error(ErrorKind::usage, "--resume excludes --force");
  const Sweep all = sweep_of(context, arguments);
  if (arguments.member >= 0) return run_one(all);
  if (!arguments.list && !arguments.slurm) return run_all(all);
  print(arguments.list ? list_of(all) : slurm_script(all));
  return 0;
}

}  // namespace

void add_sweep(CLI::App& program, Context& context) {
  CLI::App& command = *program.add_subcommand(
      "sweep",
      "Run a case with every combination of values of some keys. Members run at the same time where there is room; one "
      "that fails does not end the others.");
  const auto arguments = std::make_shared<SweepArguments>();
  add_case_arguments(command, arguments->of_case);
  command.add_option("--vary", arguments->vary, "A key and its values; may be repeated")
      ->type_name("KEY=V1,V2,...")
      ->allow_extra_args(false)
      ->check(key_and_value("KEY=V1,V2,..."))
      ->required();
  command.add_flag("--zip", arguments->zip, "Pair the values: the first of each key, then the second");
  command.add_option("--jobs", arguments->jobs, "Members at a time [free cores; one a GPU]")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command.add_flag("--list", arguments->list, "Print the members; nothing is run");
  command.add_option("--member", arguments->member, "Run this one alone, from 0")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 20).description(""));
  command.add_flag("--slurm", arguments->slurm, "Print a script for sbatch, a task a member");
  command.add_flag("--resume", arguments->resume, "Run what an earlier sweep has not ended");
  command.add_flag("--force", arguments->force, "Replace the results of an earlier sweep");
  command.add_flag("--json", arguments->json, "For programs");
  add_plugin_dir(command, context);
  command.callback(
      [&context, arguments] { context.action = [&context, arguments] { return sweep(context, *arguments); }; });
}

}  // namespace quoin
