#pragma once

// Running a checked case: set-up, the loop, progress, stop rules, signals, and the result folder.

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "quoin/backends.hpp"
#include "quoin/case.hpp"
#include "quoin/communicator.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// The seam to the clock.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual double seconds() const = 0;  ///< monotonic
};
const Clock& system_clock();

/// Is told how a run goes.
struct RunWatcher {
  virtual ~RunWatcher() = default;
  virtual void started(const std::filesystem::path& folder) = 0;  ///< whose files are the run's from now on
  /// Each time the run has looked at its device. False: it is to end, as by SIGINT.
  virtual bool progressed(const Progress& progress) = 0;
};

struct RunOptions {
  bool quiet = false;
  bool force = false;        ///< replace the results of an earlier run
  std::string command_line;  ///< for summary.json
  /// The first of several ranks, on the others of which follow_case() runs. Null: a run in this process alone.
  Communicator* ranks = nullptr;
  RunWatcher* watcher = nullptr;  ///< null: nobody
};

struct Outcome {
  Status status = Status::failed;
  int exit_code = 1;
  std::filesystem::path directory;
  std::string table;    ///< the closing table of kernels, ready to print
  std::string summary;  ///< summary.json
};

/// Runs the case on the chosen backend and leaves summary.json, history.csv, timing.csv, case.yaml, run.log and the
/// fields and tables in its result folder. Throws before the folder is touched where the run cannot start, but for a
/// device that fails while it is set up: a folder without results then gets summary.json. Once a run has started,
/// summary.json tells the end even when an error is thrown.
Outcome run_case(const Case& the_case, const std::vector<Candidate>& plugins, const RunOptions& options,
                 const Clock& clock = system_clock());

/// Goes on with the run in `folder` that a signal, an error or a power cut has ended, from the newest checkpoint that
/// is whole; `changes` may name another backend, and let the run go farther by keys that are Key::changeable. Fields,
/// tables and history are in the end those of the run without a break. Where nothing is left to do nothing is done.
/// Throws ErrorKind::checkpoint where there is nothing to go on with, or the folder has become another case's, and
/// ErrorKind::case_file for changes on which what is done depends.
Outcome resume_case(const std::filesystem::path& folder, const std::vector<Override>& changes,
                    const std::vector<Candidate>& plugins, const KeyTable& keys, const RunOptions& options,
                    const Clock& clock = system_clock());

/// On every rank but the first of a run: learns the case from that one and does its part, until the run ends there.
/// Throws ErrorKind::plugin where the ranks are not all of one build of Quoin.
void follow_case(const std::vector<Candidate>& plugins, const KeyTable& keys, Communicator& ranks);

/// Everything that run_case would refuse, without running or writing: throws as it would. Returns the estimate, whose
/// `host` has the program and its libraries in it and, where the arrays are in the host's memory, what `device` would.
/// Of a run on several `ranks` it is that of the one with the most, as Problem::estimate_part.
Estimate check_case(const Case& the_case, const std::vector<Candidate>& plugins, bool force = false, int ranks = 1);

/// The backend that a run of the case would take. Throws for what that would refuse.
Chosen chosen_backend(const Case& the_case, const std::vector<Candidate>& plugins);
/// Of all that has a part in what a backend computes, by name: the program and its commit, the compilers, the kernels,
/// the plugin, the device and its drivers.
std::map<std::string, std::string> versions_of(const Candidate& backend, const DeviceInfo& device);

/// Keeps values of a backend's keys for cases of that shape on the device that the case chooses, whose problem has a
/// `tuning_key`: runs take them where the case leaves a key open. Lies in ${XDG_CACHE_HOME:-~/.cache}/quoin/tuned;
/// false where that cannot be written. Throws where the case's backend cannot be used.
bool keep_tuned(const Case& the_case, const std::vector<Candidate>& plugins, const OptionMap& values);

/// Throws ErrorKind::usage where files that a run or a study writes into `folder` would replace the case file.
void require_other_place(const Case& the_case, const std::filesystem::path& folder);

class ResultFolder;

/// The folder of several runs, each in a sub-folder of its own, and of files about them together. Like the folder of
/// a run it must be empty unless `force` is on, and is nobody else's while it is open.
class StudyFolder {
 public:
  StudyFolder(const std::filesystem::path& path, bool force);
  /// The folder of a study that goes on: what it holds stays until it is written anew.
  static StudyFolder of_earlier_study(const std::filesystem::path& path);
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;
  ~StudyFolder();
  /// The file becomes visible only whole.
  void write(const std::string& name, std::string_view text);

 private:
  explicit StudyFolder(std::unique_ptr<ResultFolder> folder);
  std::unique_ptr<ResultFolder> folder_;
};

/// Rates of a device: of its memory in bytes a second, bytes read plus bytes written, and of its arithmetic.
struct StreamRates {
  double copy = 0.0;   ///< of stream_copy
  double triad = 0.0;  ///< of stream_triad
  /// Of dense multiply-adds in flop/s, in double and in float, by stream_multiply_add, or by code of the host's own on
  /// its cores; 0 where the device lacks that.
  double multiply_add = 0.0;
  double multiply_add_float = 0.0;
};

/// Measured on arrays well beyond the caches, the best of some launches of each kernel; multiply-adds of a CPU on so
/// many cores. Once a day for a device of a backend whose plugin is that file and which was given those options, for
/// what was found is kept in ${XDG_CACHE_HOME:-~/.cache}/quoin/rates.
StreamRates stream_rates(const std::shared_ptr<Executor>& executor, const std::filesystem::path& plugin,
                         const std::string& options, unsigned cores);

/// The rates that a run of the case would be held against.
StreamRates stream_rates(const Case& the_case, const std::shared_ptr<Executor>& executor, const Candidate& plugin);

}  // namespace quoin
