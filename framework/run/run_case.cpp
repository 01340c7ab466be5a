#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <sstream>

#include "output/checkpoint_files.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/run.hpp"
#include "run/checkpoint_schedule.hpp"
#include "run/limits.hpp"
#include "run/rates_memory.hpp"
#include "run/record.hpp"
#include "run/runner.hpp"
#include "run/tuned.hpp"

namespace quoin {
namespace {

/// A problem whose needs can be met on an executor that can be used.
struct Ready {
  std::unique_ptr<Problem> problem;
  Chosen chosen;
  Estimate needs;
};

/// The case's backends; run.threads, where it is given, is the option `threads` of each.
std::vector<BackendChoice> wanted_backends(const Case& the_case) {
  std::vector<BackendChoice> wanted = the_case.backends();
  const std::int64_t threads = the_case.integer("run.threads");
  if (threads == 0) return wanted;
  for (BackendChoice& choice : wanted) choice.options["threads"] = std::to_string(threads);
  return wanted;
}

/// Lines of what the cases solve and how, which come before where: "-" is before those of the first alone, "+" before
/// those of the second.
std::vector<std::string> differences(const Case& first, const Case& second) {
  const auto lines = [](const Case& the_case) {
    std::vector<std::string> all;
    std::istringstream text(the_case.resolved());
    for (std::string line; std::getline(text, line) && line != "backend:";) all.push_back(line);
    return all;
  };
  const std::vector<std::string> ours = lines(first);
  const std::vector<std::string> theirs = lines(second);
  std::vector<std::string> result;
  for (const std::string& line : ours)
    if (std::ranges::find(theirs, line) == theirs.end()) result.push_back("-" + line);
  for (const std::string& line : theirs)
    if (std::ranges::find(ours, line) == ours.end()) result.push_back("+" + line);
  return result;
}

/// What an earlier run left of its case in the folder: another one's checkpoints are no use to it.
void require_same_case(const Case& the_case, const std::filesystem::path& folder, const KeyTable& keys) {
  const std::filesystem::path file = folder / case_name;
  if (!std::filesystem::exists(file)) return;
  const Case beside = Case::load(file, {}, keys);
  if (beside.sha256() == the_case.sha256()) return;
  std::string what = "the checkpoint is of another case than case.yaml beside it:";
  for (const std::string& difference : differences(the_case, beside)) what += "\n  " + difference;
  throw Error(ErrorKind::checkpoint, what, folder.string());
}

/// Whether a run or a study may write a file of that name.
bool is_of_results(const std::string& name) {
  constexpr std::array studies{converge_name, compare_name, "tune.json", "bench.json"};
  return std::ranges::find(result_names, name) != result_names.end() ||
         std::ranges::find(studies, name) != studies.end() || is_field_name(name) || is_checkpoint_name(name);
}

/// What a run of the case will write, as far as it is known: fields and tables without step and ending.
std::vector<std::string> files_of(const Case& the_case) {
  std::vector<std::string> names = run_files(the_case);
  const ProblemType& type = problem_type(the_case.text("problem.type"));
  if (type.files != nullptr) std::ranges::copy(type.files(the_case), std::back_inserter(names));
  return names;
}

/// Refuses what cannot run, cheapest first. Nothing is allocated or written. A run that goes on may find files there.
Ready make_ready(const Case& the_case, const std::vector<Candidate>& plugins, bool force, bool goes_on = false) {
  for (const std::string& warning : the_case.warnings()) log().warn("{}", warning);
  const CheckpointSchedule schedule(the_case);
  const double program = resident_memory();
  Ready ready{problem_type(the_case.text("problem.type")).make(the_case), {}, {}};
  const double with_problem = resident_memory();
  Estimate& needs = ready.needs;
  needs = ready.problem->estimate();
  // Its arrays, their file, and that file on its way to the disk.
  if (schedule.wanted()) needs.temporary = std::max(needs.temporary, 3.0 * needs.checkpoint);
  constexpr double libraries = 4e6;  // parts of them that only a run reads
  needs.host += program + libraries;
  require_host_memory(needs.host + needs.temporary, the_case.name());
  const std::filesystem::path folder = the_case.text("output.directory");
  ResultFolder::check(folder, force || goes_on, goes_on ? std::vector<std::string>() : files_of(the_case));
  // One more than are kept, for the newest is whole before the oldest goes.
  require_disk(needs.disk + (schedule.wanted() ? static_cast<double>(schedule.keep() + 1) * needs.checkpoint : 0.0),
               folder);
  ready.chosen = choose_backend(wanted_backends(the_case), plugins, system_opener(), tuned_for(the_case));
  const DeviceInfo& device = ready.chosen.executor->device();
  needs.host += resident_memory() - with_problem;  // the plugin and its own libraries
  const bool on_host = device.kind == DeviceKind::cpu;
  if (on_host) needs.host += needs.device;
  require_host_memory(needs.host + needs.temporary, the_case.name());
  require_device_memory(needs.device, device);
  if (!on_host) return ready;
  needs.device = 0.0;
  // A run that has no room for this does without.
  const Candidate& plugin = ready.chosen.backend->candidate();
  needs.temporary = std::max(needs.temporary, rates_memory(device, plugin.file, rates_options(the_case, plugin)));
  return ready;
}

Outcome run_ready(const Case& the_case, const std::vector<Candidate>& plugins, const RunOptions& options,
                  const Clock& clock, const FoundCheckpoint* from) {
  // A reader that goes away must not take the run with it; the closing table is printed after this returns,
  // so it stays that way.
  std::signal(SIGPIPE, SIG_IGN);
  const double started = clock.seconds();
  Ready ready = make_ready(the_case, plugins, options.force, from != nullptr);
  Runner runner(the_case, *ready.problem, ready.chosen.executor, ready.chosen.backend->candidate(), options, clock,
                started, ready.chosen.tuned);
  return runner.run(from);
}

}  // namespace

Outcome run_case(const Case& the_case, const std::vector<Candidate>& plugins, const RunOptions& options,
                 const Clock& clock) {
  require_other_place(the_case, the_case.text("output.directory"));
  return run_ready(the_case, plugins, options, clock, nullptr);
}

Outcome resume_case(const std::filesystem::path& folder, const std::vector<Override>& changes,
                    const std::vector<Candidate>& plugins, const KeyTable& keys, const RunOptions& options,
                    const Clock& clock) {
  ResultFolder::check(folder, true);  // a run that goes on may change what is read here
  const FoundCheckpoint found = newest_checkpoint(folder);
  for (const std::string& reason : found.passed_over) log().warn("passed over {}", reason);
  require_record(found.checkpoint, keys);
  std::vector<Override> overrides = changes;
  overrides.push_back({"output.directory", folder.string()});
  const Case the_case = Case::parse(found.checkpoint.text("case"), found.checkpoint.text("case file"), overrides, keys);
  require_same_case(the_case, folder, keys);
  return run_ready(the_case, plugins, options, clock, &found);
}

void require_other_place(const Case& the_case, const std::filesystem::path& folder) {
  std::error_code none;  // a case without a file is nowhere
  const std::filesystem::path file = std::filesystem::canonical(the_case.name(), none);
  if (!std::filesystem::equivalent(file.parent_path(), folder, none) || !is_of_results(file.filename())) return;
  throw Error(ErrorKind::usage,
              "the results would replace the case file, which lies in the result folder; choose another folder with "
              "--output, or give the file another name",
              the_case.name());
}

bool keep_tuned(const Case& the_case, const std::vector<Candidate>& plugins, const OptionMap& values) {
  bool kept = false;
  const auto keep = [&](const BackendChoice& choice, const Candidate& plugin, const DeviceInfo& device) {
    kept = write_tuned(the_case, choice, plugin, device, values);
    return OptionMap{};
  };
  choose_backend(wanted_backends(the_case), plugins, system_opener(), keep);
  return kept;
}

Estimate check_case(const Case& the_case, const std::vector<Candidate>& plugins, bool force) {
  require_other_place(the_case, the_case.text("output.directory"));
  const Ready ready = make_ready(the_case, plugins, force);
  ready.problem->check();
  return ready.needs;
}

}  // namespace quoin
