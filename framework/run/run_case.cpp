#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <thread>

#include "base/limits.hpp"
#include "base/thread.hpp"
#include "base/trace.hpp"
#include "output/checkpoint_files.hpp"
#include "output/hdf5.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/interface_hash.h"
#include "quoin/kernel_timer.hpp"
#include "quoin/kernels_hash.h"
#include "quoin/log.hpp"
#include "quoin/problems.hpp"
#include "quoin/ranks.hpp"
#include "quoin/run.hpp"
#include "quoin/toolchain.h"
#include "quoin_commit.h"
#include "ranks/attentive.hpp"
#include "ranks/facts.hpp"
#include "run/checkpoint_schedule.hpp"
#include "run/going_on.hpp"
#include "run/rates_memory.hpp"
#include "run/record.hpp"
#include "run/runner.hpp"
#include "run/tuned.hpp"

namespace quoin {
namespace {

/// A problem whose needs can be met on an executor that can be used.
struct Ready {
  std::optional<Start> start;
  std::unique_ptr<Problem> problem;
  Chosen chosen;
  Estimate needs;     ///< with those of checkpoints
  double read = 0.0;  ///< when the problem was there
};

/// Ranks of a host share its cores, unless a launcher has given each its own: how many a rank has; 0: all that it sees.
int share_of_cores(const Communicator& ranks) {
  const int allowed = static_cast<int>(std::thread::hardware_concurrency());
  if (ranks.host().size == 1 || allowed < sysconf(_SC_NPROCESSORS_ONLN)) return 0;
  return std::max(1, allowed / ranks.host().size);
}

/// Tells set-up, errors and files, and the backends of ranks that share cores, how many threads they have, unless the
/// user says it. Not as an option of backends: one that has it refuses it for devices that have no threads.
void give_threads(const Case& the_case, const Communicator* ranks) {
  const int share = ranks == nullptr ? 0 : share_of_cores(*ranks);
  const std::int64_t wanted = the_case.integer("run.threads");
  limit_threads(wanted > 0 ? wanted : share);
  if (share == 0) return;
  static std::once_flag once;  // ranks may be threads of a process
  std::call_once(once, [&] {
    const std::string threads = std::to_string(share);
    setenv("OMP_NUM_THREADS", threads.c_str(), /*overwrite=*/0);  // NOLINT(concurrency-mt-unsafe): before backends run
  });
}

/// The case's backends; run.threads, where it is given, is the option `threads` of each. Ranks of a host take its
/// devices in turn.
std::vector<BackendChoice> wanted_backends(const Case& the_case, const Communicator* ranks = nullptr) {
  std::vector<BackendChoice> wanted = the_case.backends();
  for (BackendChoice& choice : wanted) choice.turn = ranks == nullptr ? 0 : ranks->host().rank;
  give_threads(the_case, ranks);
  const std::int64_t threads = the_case.integer("run.threads");
  if (threads == 0) return wanted;
  for (BackendChoice& choice : wanted) choice.options["threads"] = std::to_string(threads);
  return wanted;
}

BackendChoosing choosing_for(const Case& the_case, const std::vector<Candidate>& plugins, const Communicator* ranks) {
  return {wanted_backends(the_case, ranks), candidates_for(the_case.text("problem.type"), plugins), system_opener(),
          tuned_for(the_case)};
}

/// Whether a path is that key, or lies in that section.
bool lies_in(const std::string& path, const std::string& section) {
  return path.starts_with(section) && (path.size() == section.size() || path[section.size()] == '.');
}

/// What the case starts from, where that is not a formula; it fits as far as the keys of both cases tell.
std::optional<Start> start_of(const Case& the_case) {
  constexpr const char* key = "problem.initial.from";
  if (!the_case.has(key)) return std::nullopt;
  const std::filesystem::path folder = the_case.text(key);
  const auto refuse = [&](const std::string& what) { throw the_case.error_at(key, what); };
  if (the_case.names("problem.initial").size() > 1) refuse("give either 'from', or a formula");
  if (!std::filesystem::is_directory(folder)) refuse("there is no folder " + folder.string());
  if (std::error_code code; std::filesystem::equivalent(folder, the_case.text("output.directory"), code))
    refuse("the run would replace what it starts from; choose another --output, or go on with `quoin resume`");
  FoundCheckpoint found;
  try {
    found = newest_checkpoint(folder);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::checkpoint)
      refuse("nothing to start from in " + folder.string() + ": " + error.what());
    throw;
  }
  const std::string& text = found.checkpoint.text("case");
  Case theirs =
      Case::parse(text.substr(0, text.find("\nbackend:") + 1), (folder / case_name).string(), {}, KeyTable::standard());
  const std::vector<std::string>& keys = problem_type(the_case.text("problem.type")).start_keys;
  if (keys.empty()) refuse(the_case.text("problem.type") + " starts from no other run");
  std::string differences;
  for (const std::string& path : the_case.differing(theirs)) {
    if (std::ranges::none_of(keys, [&](const std::string& shared) { return lies_in(path, shared); })) continue;
    const auto shown = [&](const Case& one) { return one.has(path) ? one.written(path) : "not given"; };
    differences += "\n  " + path + " is " + shown(theirs) + " there, and " + shown(the_case) + " here";
  }
  if (!differences.empty()) refuse("the run in " + folder.string() + " does not fit:" + differences);
  return Start{std::move(found), std::move(theirs), folder.string()};
}

/// Whether a run or a study may write a file of that name.
bool is_of_results(const std::string& name) {
  return std::ranges::find(result_names, name) != result_names.end() ||
         std::ranges::find(study_names, name) != study_names.end() || is_field_name(name) || is_checkpoint_name(name);
}

/// What a run of the case will write, as far as it is known: fields and tables without step and ending.
std::vector<std::string> files_of(const Case& the_case) {
  std::vector<std::string> names = run_files(the_case);
  const ProblemType& type = problem_type(the_case.text("problem.type"));
  if (type.files != nullptr) std::ranges::copy(type.files(the_case), std::back_inserter(names));
  return names;
}

/// Whether the host's memory holds the arrays of a problem.
bool arrays_on_host(const Chosen& chosen) {
  return chosen.executor->device().kind == DeviceKind::cpu || chosen.memory == MemoryKind::pinned ||
         chosen.memory == MemoryKind::zero_copy;
}

/// Throws where there is no room for the problems of so many ranks of a host, or the device lacks a kernel.
void require_suitable(const Chosen& chosen, const Problem& problem, const Estimate& needs, double here,
                      const std::string& case_name) {
  const bool on_host = arrays_on_host(chosen);
  require_host_memory(here * (needs.host + (on_host ? needs.device : 0.0)) + needs.temporary, case_name);
  if (!on_host) require_device_memory(needs.device, chosen.executor->device());
  for (const KernelSpec& spec : problem.kernels_on(*chosen.executor)) require_kernel(*chosen.executor, spec);
}

/// Refuses what cannot run, cheapest first. Nothing is allocated or written. A run that goes on may find files there.
Ready make_ready(const Case& the_case, const std::vector<Candidate>& plugins, bool force, bool goes_on,
                 const Clock& clock = system_clock(), const Communicator* ranks = nullptr, int count = 1) {
  for (const std::string& warning : the_case.warnings()) log().warn("{}", warning);
  const CheckpointSchedule schedule(the_case);
  BackendChoosing choosing = choosing_for(the_case, plugins, ranks);
  const double program = resident_memory();
  Ready ready{goes_on ? std::nullopt : start_of(the_case),
              problem_type(the_case.text("problem.type")).make(the_case),
              {},
              {},
              clock.seconds()};
  Estimate& needs = ready.needs;
  needs = ready.problem->estimate_part(ranks == nullptr ? count : ranks->size());
  const double with_problem = resident_memory();
  const double here = ranks == nullptr ? 1.0 : ranks->host().size;
  // Its arrays, their file, and that file on its way to the disk.
  if (schedule.most() > 0 || ready.start)
    needs.temporary = std::max(needs.temporary, 3.0 * (needs.checkpoint - needs.pieces));
  needs.disk += static_cast<double>(schedule.most()) * needs.checkpoint;
  constexpr double libraries = 11e6;  // HDF5, and parts of others that only a run reads
  needs.host += program + libraries;
  require_host_memory(here * needs.host + needs.temporary, the_case.name());
  const std::filesystem::path folder = the_case.text("output.directory");
  ResultFolder::check(folder, force || goes_on, goes_on ? std::vector<std::string>() : files_of(the_case));
  require_disk(needs.disk, folder);
  const auto suits = [&](const Chosen& chosen) {
    require_suitable(chosen, *ready.problem, needs, here, the_case.name());
  };
  ready.chosen = choosing.choose(suits);
  const DeviceInfo& device = ready.chosen.executor->device();
  needs.host += resident_memory() - with_problem;  // the plugin and its own libraries
  const bool on_host = arrays_on_host(ready.chosen);
  if (on_host) needs.host += needs.device;
  require_host_memory(here * needs.host + needs.temporary, the_case.name());
  if (!on_host) return ready;
  if (device.kind == DeviceKind::cpu) require_device_memory(here * needs.device, device);
  needs.device = 0.0;
  // A run that has no room for this does without.
  const Candidate& plugin = ready.chosen.backend->candidate();
  needs.temporary = std::max(needs.temporary, rates_memory(device, plugin.file, rates_options(the_case, plugin)));
  return ready;
}

/// What others are to know of this rank, which has chosen so and needs so many bytes of a device.
RankFacts facts_of(const Chosen& chosen, double bytes) {
  const DeviceInfo& device = chosen.executor->device();
  RankFacts facts{.backend = chosen.backend->candidate().name, .device = device.name};
  if (device.kind == DeviceKind::cpu) return facts;
  // Launchers may show each rank a device of its own under one number.
  std::string place = std::to_string(chosen.device);
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
    if (const char* shown = std::getenv(name)) place += fmt::format(" of {}={}", name, shown);
  facts.share = {facts.backend + " " + place, bytes, static_cast<double>(device.memory_bytes)};
  return facts;
}

/// What all ranks must have in common.
std::string build_of_this() {
  return std::string(QUOIN_COMMIT) + " " + QUOIN_TOOLCHAIN + " " + QUOIN_INTERFACE_HASH + " " + QUOIN_KERNELS;
}

/// The first rank tells the others that there is nothing to do.
void tell_nothing(Communicator& ranks) { (void)share(ranks, ""); }

/// The first rank tells the others what is solved.
void tell_case(Communicator& ranks, const Case& the_case) {
  (void)share(ranks, build_of_this());
  (void)share(ranks, the_case.name());
  (void)share(ranks, the_case.resolved());
}

Outcome run_ready(const Case& the_case, const std::vector<Candidate>& plugins, const RunOptions& options,
                  const Clock& clock, const FoundCheckpoint* from) {
  // A reader that goes away must not take the run with it; the closing table is printed after this returns,
  // so it stays that way.
  std::signal(SIGPIPE, SIG_IGN);
  const double started = clock.seconds();
  const bool goes_on = from != nullptr;
  std::optional<AttentiveRanks> ranks;  // before the problem, which it outlives
  Ready ready = make_ready(the_case, plugins, options.force || goes_on, goes_on, clock, options.ranks);
  prepare_hdf5();  // while the problem is set up: checkpoints are such files
  if (options.ranks != nullptr) {
    tell_case(*options.ranks, the_case);
    ranks.emplace(*options.ranks);
  }
  Runner runner(the_case, *ready.problem, ready.chosen.executor, ready.chosen.backend->candidate(), options, clock,
                {started, ready.read}, ready.chosen.tuned, ranks ? &*ranks : nullptr,
                facts_of(ready.chosen, ready.needs.device));
  return runner.run(from, ready.start ? &*ready.start : nullptr);
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
  const Case the_case = case_to_go_on(found, folder, changes, keys);
  // Another backend alone has nothing to do for a run that has ended.
  if (std::ranges::all_of(changes, [](const Override& change) { return change.path == "backend"; })) {
    if (std::optional<Outcome> ended = ended_before(found, folder)) {
      if (options.ranks != nullptr) tell_nothing(*options.ranks);
      return *std::move(ended);
    }
  }
  return run_ready(the_case, plugins, options, clock, &found);
}

void follow_case(const std::vector<Candidate>& plugins, const KeyTable& keys, Communicator& ranks) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);  // the first rank ends the run
  const std::string build = share(ranks, "");
  if (build.empty()) return;  // nothing is to be done
  if (build != build_of_this())
    throw Error(ErrorKind::plugin, "this rank runs another build of Quoin than the first; start the same on all hosts");
  const std::string name = share(ranks, "");
  const Case the_case = Case::parse(share(ranks, ""), name, {}, keys);
  const std::string& type = the_case.text("problem.type");
  std::optional<Trace> trace;
  if (the_case.boolean("run.trace")) trace.emplace();
  AttentiveRanks attentive(ranks, [&trace] { return trace ? trace->packed() : std::string(); });
  BackendChoosing choosing = choosing_for(the_case, plugins, &ranks);
  const std::unique_ptr<Problem> problem = problem_type(type).make(the_case);
  Estimate needs = problem->estimate_part(ranks.size());
  needs.temporary = 0.0;  // it is the first rank's
  const auto suits = [&](const Chosen& chosen) { require_suitable(chosen, *problem, needs, ranks.host().size, name); };
  const Chosen chosen = choosing.choose(suits);
  (void)gather_facts(attentive, facts_of(chosen, arrays_on_host(chosen) ? 0.0 : needs.device));
  problem->set_up_part(trace ? trace->watch(chosen.executor) : chosen.executor, attentive);
  problem->follow();
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

Estimate check_case(const Case& the_case, const std::vector<Candidate>& plugins, bool force, int ranks) {
  require_other_place(the_case, the_case.text("output.directory"));
  Ready ready = make_ready(the_case, plugins, force, false, system_clock(), nullptr, ranks);
  if (ready.start) ready.problem->check_start(ready.start->found.checkpoint, ready.start->theirs);
  ready.problem->check();
  return ready.needs;
}

Chosen chosen_backend(const Case& the_case, const std::vector<Candidate>& plugins) {
  return make_ready(the_case, plugins, true, false).chosen;
}

}  // namespace quoin
