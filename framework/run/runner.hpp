#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/trace.hpp"
#include "output/checkpoint_files.hpp"
#include "output/field_files.hpp"
#include "output/history.hpp"
#include "output/result_folder.hpp"
#include "output/summary.hpp"
#include "quoin/run.hpp"
#include "ranks/attentive.hpp"
#include "run/checkpoint_schedule.hpp"
#include "run/signals.hpp"

namespace quoin {

/// Exit code of a run that ended with `status`; `signal` is the one that interrupted it.
int exit_code(Status status, int signal);

/// The files that a run of the case writes beside its fields and tables, and its checkpoints.
std::vector<std::string> run_files(const Case& the_case);
/// The run from whose fields another one starts.
struct Start {
  FoundCheckpoint found;
  Case theirs;
  std::string folder;
};

/// When a run began by its clock, and when it had read the case and what that names.
struct Begun {
  double at, read;
};

/// Drives one problem on one executor: set-up, the loop, and what it leaves in the result folder.
class Runner {
 public:
  /// `candidate` is the plugin that the executor comes from; `tuned` is what the executor was given beside the case's
  /// options; `ranks` are those of a run on several, of which `own` is the first.
  Runner(const Case& the_case, Problem& problem, std::shared_ptr<Executor> executor, const Candidate& candidate,
         const RunOptions& options, const Clock& clock, const Begun& begun, OptionMap tuned = {},
         AttentiveRanks* ranks = nullptr, RankFacts own = {});

  /// As run_case, with the fields of another run where there is a `start`, or, from a checkpoint, as resume_case.
  Outcome run(const FoundCheckpoint* from = nullptr, const Start* start = nullptr);

 private:
  /// What a checkpoint says of the history and of the files of fields.
  struct Files {
    std::string history, fields;
    std::optional<bool> frame_due{};  ///< at the end: it has what was due before, and not what is due then
  };
  Outcome run_in(ResultFolder& folder, const FoundCheckpoint* from);
  void restore(ResultFolder& folder, const FoundCheckpoint& from, History& history);
  void end(ResultFolder& folder);
  void loop(ResultFolder& folder, const FoundCheckpoint* from);
  void steps(ResultFolder& folder, History& history);
  void end_by_signal(ResultFolder& folder, const History& history);
  void write_checkpoint(ResultFolder& folder, const Files& files);
  void write_due(ResultFolder& folder, bool frame);
  void write_frame();
  [[nodiscard]] std::string reached() const;
  [[nodiscard]] int ranks() const { return ranks_ == nullptr ? 1 : ranks_->size(); }
  [[nodiscard]] std::vector<Traffic> traffic() const;
  [[nodiscard]] std::string trace_of_all() const;
  void measure_rates();
  [[nodiscard]] std::string silent() const;
  void hung() const noexcept;
  void overdue() const noexcept;
  void fail(int code, const std::string& message) noexcept;
  void not_set_up(const std::filesystem::path& directory, int code, const std::string& message) const noexcept;
  void ended_by_plugin(const Error& error) const noexcept;
  [[nodiscard]] Summary ended(Status status, int code, const std::string& message) const;
  [[nodiscard]] Summary failure(int code, const std::string& message) const {
    return ended(Status::failed, code, message);
  }
  void write_ending(const Summary& summary) const noexcept;
  std::string write_summary(ResultFolder& folder, Summary summary) const;
  void ask_problem();

  const Case& case_;
  std::optional<Trace> trace_;  // before what uses it
  Problem& problem_;
  std::shared_ptr<Executor> executor_;
  const RunOptions& options_;
  AttentiveRanks* ranks_;  ///< of a run on several; else null
  RankFacts own_;
  const Clock& clock_;
  Begun begun_;
  Candidate plugin_;
  Summary summary_;
  std::optional<FieldFiles> files_;
  CheckpointSchedule schedule_;
  double checkpoint_seconds_ = 0.0;      ///< what the newest checkpoint took
  std::optional<std::int64_t> sampled_;  ///< the step of the newest values at points
  std::vector<Row> closing_;             ///< rows that end the history
  std::optional<Files> end_;  ///< what the checkpoint of the end says of them: without what only the end writes
  std::atomic<ResultFolder*> results_{nullptr};  ///< while it is open
  std::optional<bool> due_;  ///< of a run that goes on from an end: whether a frame is among what is due there
  SignalWatch signals_;      // last: it may tell of the rest
};

}  // namespace quoin
