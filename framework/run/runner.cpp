#include "run/runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/sha256.hpp"
#include "case/elementary.hpp"
#include "output/earlier_run.hpp"
#include "output/names.hpp"
#include "quoin/error.hpp"
#include "quoin/log.hpp"
#include "quoin/plugin_exit.hpp"
#include "quoin/problems.hpp"
#include "quoin/run.hpp"
#include "quoin/watchdog.hpp"
#include "quoin_commit.h"
#include "run/progress.hpp"
#include "run/rates_memory.hpp"

namespace quoin {
namespace {

/// Sends the log to the result folder as well, for as long as it lives.
class LogFile {
 public:
  LogFile(const std::filesystem::path& file, bool append) { log_to(file, append); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  ~LogFile() { log_to({}); }
};

/// Lets others know of the folder for as long as it lives.
class Open {
 public:
  Open(std::atomic<ResultFolder*>& known, ResultFolder& folder) : known_(known) { known = &folder; }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() { known_ = nullptr; }

 private:
  std::atomic<ResultFolder*>& known_;
};

/// The progress of a run on standard error, with log lines above a bar.
struct Display : ProgressDisplay {
  Display(const Case& the_case, bool quiet)
      : Display(progress_style(the_case.text("run.progress"), quiet, isatty(STDERR_FILENO) == 1)) {}
  ~Display() { log_over_bar(false); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

 private:
  explicit Display(ProgressStyle style)
      : ProgressDisplay(style, [](const std::string& text) { std::cerr << text << std::flush; }) {
    log_over_bar(style == ProgressStyle::bar);
  }
};

/// One hash for all kernels that a plugin was built from.
std::string hash_of(const Hashes& kernels) {
  std::string text;
  for (const auto& [family, hash] : kernels) text += family + " " + hash + "\n";
  return sha256_of(text);
}

}  // namespace

int exit_code(Status status, int signal) {
  switch (status) {
    case Status::converged:
    case Status::completed:
      return 0;
    case Status::not_converged:
    case Status::stagnated:
    case Status::max_steps:
      return static_cast<int>(ErrorKind::not_converged);
    case Status::diverged:
      return static_cast<int>(ErrorKind::diverged);
    case Status::interrupted:
      return 128 + signal;
    case Status::running:
    case Status::failed:
      break;
  }
  return static_cast<int>(ErrorKind::bug);
}

std::vector<std::string> run_files(const Case& the_case) {
  std::vector<std::string> names{case_name, log_name, timing_name, summary_name};
  if (the_case.boolean("output.history")) names.emplace_back(history_name);
  if (the_case.boolean("run.trace")) names.emplace_back(trace_name);
  return names;
}

std::map<std::string, std::string> versions_of(const Candidate& backend, const DeviceInfo& device) {
  std::map<std::string, std::string> versions{
      {"quoin", QUOIN_VERSION},           {"commit", QUOIN_COMMIT},
      {"compiler", __VERSION__},          {"kernels", hash_of(backend.kernels)},
      {"plugin", backend.version},        {"plugin_toolchain", backend.toolchain},
      {"functions", elementary_library()}};
  versions.merge(host_facts().drivers);
  if (!device.driver.empty()) versions["device_driver"] = device.driver;
  if (!device.version.empty()) versions["device"] = device.version;
  return versions;
}

Runner::Runner(const Case& the_case, Problem& problem, std::shared_ptr<Executor> executor, const Candidate& candidate,
               const RunOptions& options, const Clock& clock, const Begun& begun, OptionMap tuned,
               AttentiveRanks* ranks, RankFacts own)
    : case_(the_case),
      problem_(problem),
      executor_(std::move(executor)),
      options_(options),
      ranks_(ranks),
      own_(std::move(own)),
      clock_(clock),
      begun_(begun),
      plugin_(candidate),
      schedule_(the_case),
      signals_(the_case.seconds("run.grace"), [this] { overdue(); }) {
  if (case_.has("title")) summary_.title = case_.text("title");
  summary_.date = utc_now();
  summary_.host = host_facts();
  summary_.problem = case_.text("problem.type");
  summary_.backend = candidate.name;
  summary_.device = executor_->device().name;
  summary_.tuned = std::move(tuned);
  if (case_.has("method.precision")) summary_.precision = case_.text("method.precision");
  summary_.versions = versions_of(candidate, executor_->device());
  if (const Candidate* outside = plugin_of(summary_.problem)) summary_.versions["problem"] = outside->version;
  summary_.command_line = options_.command_line;
  summary_.case_sha256 = case_.sha256();
}

Outcome Runner::run(const FoundCheckpoint* from, const Start* start) {
  if (case_.boolean("run.trace")) trace_.emplace();
  const double opened = clock_.seconds();
  const std::filesystem::path directory = case_.text("output.directory");
  const WhenPluginExits tell([this](const Error& error) { ended_by_plugin(error); });
  try {
    const std::shared_ptr<Executor> executor = trace_ ? trace_->watch(executor_) : executor_;
    if (ranks_ == nullptr) {
      problem_.set_up(executor);
    } else {
      summary_.ranks = gather_facts(*ranks_, own_);
      require_room_on_devices(summary_.ranks);
      problem_.set_up_part(executor, *ranks_);
    }
  } catch (const Error& error) {
    if (from == nullptr && error.kind() == ErrorKind::device) not_set_up(directory, error.exit_code(), error.what());
    throw;
  }
  if (from != nullptr) {
    Checkpoint checkpoint = from->checkpoint;
    problem_.restore(checkpoint);  // before the folder is touched, for it may be refused
    if (!problem_.finite()) throw Error(ErrorKind::checkpoint, "the checkpoint holds values that are not finite");
  } else if (start != nullptr) {
    Checkpoint checkpoint = start->found.checkpoint;
    problem_.start_from(checkpoint, start->theirs);
  }
  const double set_up = clock_.seconds();
  const double upload = executor_->copied().seconds_to_device;
  summary_.setup_seconds = set_up - begun_.at;
  summary_.setup_parts = {{"read", begun_.read - begun_.at},
                          {"device", opened - begun_.read},
                          {"evaluate", set_up - opened - upload},
                          {"upload", upload}};
  ResultFolder folder =
      from != nullptr ? ResultFolder::of_earlier_run(directory) : ResultFolder(directory, options_.force);
  folder.claim(run_files(case_));
  const LogFile log_file(folder.path() / log_name, from != nullptr);
  const Open open(results_, folder);
  if (options_.watcher != nullptr) options_.watcher->started(folder.path());
  if (start != nullptr) log().info("starts from the fields of {} in {}", start->found.name, start->folder);
  try {
    return run_in(folder, from);
  } catch (const Error& error) {
    fail(error.exit_code(), error.what());
    throw;
  } catch (const std::bad_alloc&) {
    fail(static_cast<int>(ErrorKind::device), "out of memory on the host");
    throw;
  } catch (const std::exception& error) {
    fail(static_cast<int>(ErrorKind::bug), error.what());
    throw;
  }
}

Outcome Runner::run_in(ResultFolder& folder, const FoundCheckpoint* from) {
  folder.write_whole(case_name, {case_.resolved()});
  log().info("{} on {} ({}), set up in {:.3f} s", summary_.problem, summary_.backend, summary_.device,
             summary_.setup_seconds);
  if (ranks_ != nullptr) log().info("{} ranks, {} on this host", ranks_->size(), ranks_->host().size);
  for (const auto& [name, value] : summary_.tuned) log().info("tuned: backend.{} is {}", name, value);
  files_.emplace(folder, case_.boolean("output.fields.write"), case_.boolean("output.fields.pieces"), ranks());
  loop(folder, from);
  end(folder);
  if (trace_) folder.write_whole(trace_name, {trace_of_all()});
  ask_problem();
  summary_.wall_seconds = clock_.seconds() - begun_.at;
  std::string summary = write_summary(folder, summary_);
  log().info("{} after {}", to_string(summary_.status), reached());
  return {summary_.status, summary_.exit_code, folder.path(), kernel_table(summary_), std::move(summary)};
}

/// What comes behind the loop, and how long each part of it takes.
void Runner::end(ResultFolder& folder) {
  double before = clock_.seconds();
  const auto took = [&](const char* what) {
    const double now = clock_.seconds();
    summary_.end_seconds.emplace_back(what, now - std::exchange(before, now));
  };
  if (!signals_.urgent()) write_frame();
  files_->close();
  took("fields");
  if (end_) {
    write_checkpoint(folder, *end_);
    took("checkpoint");
  }
  if (signals_.urgent()) return;
  summary_.errors = problem_.errors();
  if (summary_.errors) took("errors");
  measure_rates();
  took("rates");
}

/// Everything as it was when the checkpoint was written: what the run has written since is no part of it.
void Runner::restore(ResultFolder& folder, const FoundCheckpoint& from, History& history) {
  history.add_packed(from.checkpoint.text("history"));
  files_->restore(from.checkpoint.text("files"));
  for (const std::string& name : earlier_run(folder.path()).fields)
    if (std::ranges::find(files_->names(), name) == files_->names().end()) folder.remove(name);
  const auto about = nlohmann::json::parse(from.checkpoint.text("about"));
  summary_.iterations = about.at("iterations").get<std::int64_t>();
  summary_.resumed = {summary_.iterations, about.at("backend").get<std::string>()};
  if (about.contains("frame due"))
    due_ = about["frame due"].get<bool>();
  else
    sampled_ = summary_.iterations;  // before the checkpoint
  log().info("goes on after {} iterations or steps, from {} written by {}", summary_.iterations, from.name,
             summary_.resumed->backend);
}

void Runner::loop(ResultFolder& folder, const FoundCheckpoint* from) {
  History history(folder, case_.boolean("output.history"), problem_.history_columns());
  if (from != nullptr) restore(folder, *from, history);
  problem_.pause_every(schedule_.iterations());
  steps(folder, history);
  if (summary_.status == Status::interrupted) end_by_signal(folder, history);
  history.add(closing_);
  history.close();
  summary_.history_sha256 = history.sha256();
  summary_.exit_code = exit_code(summary_.status, signals_.caught());
  if (summary_.message.empty()) return;
  if (summary_.status == Status::max_steps)  // which the case asked for
    log().info("{}", summary_.message);
  else
    log().error("{}", summary_.message);
}

void Runner::steps(ResultFolder& folder, History& history) {
  Timing timing(folder);
  Display display(case_, options_.quiet);
  Watchdog watchdog(case_.seconds("run.watchdog"), [this] { hung(); });
  if (!summary_.resumed) write_due(folder, problem_.frame_at_start());
  if (due_) write_due(folder, *due_);
  watchdog.heard();
  const double loop_started = clock_.seconds();
  const std::vector<Traffic> before = traffic();
  schedule_.start(loop_started);
  while (summary_.status == Status::running) {
    if (signals_.caught() != 0) {
      summary_.status = Status::interrupted;
      break;
    }
    const Progress progress = problem_.advance();
    watchdog.heard();
    const double now = clock_.seconds();
    history.add(progress.history);
    closing_ = progress.closing;
    summary_.loop_seconds = now - loop_started;
    timing.add(progress.iterations, summary_.loop_seconds);
    display.update(progress, now);
    if (options_.watcher != nullptr && !options_.watcher->progressed(progress) && signals_.caught() == 0)
      std::raise(SIGINT);  // a second one would leave no checkpoint
    summary_.iterations = progress.iterations;
    summary_.residual = progress.residual;
    summary_.time = progress.time;
    const bool ends = progress.status != Status::running && progress.status != Status::diverged;
    if (ends && schedule_.at_end()) end_ = {history.packed(), files_->state(), progress.frame};
    write_due(folder, progress.frame);
    summary_.status = progress.status;
    summary_.message = progress.message;
    if (summary_.status == Status::running && schedule_.due(progress.iterations, now)) {
      write_checkpoint(folder, {history.packed(), files_->state()});
    }
    watchdog.heard();  // hung() may read what is written above
  }
  display.finish();
  timing.close();
  const std::vector<Traffic> after = traffic();
  for (std::size_t k = 0; k < after.size(); ++k) {
    Traffic& of_loop = summary_.ranks[k].traffic;
    of_loop = after[k] - before[k];
    // A little before and behind the loop lies between the answers.
    of_loop.waiting_seconds = std::min(of_loop.waiting_seconds, summary_.loop_seconds);
  }
}

/// Of each rank since the start, of several.
std::vector<Traffic> Runner::traffic() const {
  if (ranks_ == nullptr) return {};
  std::vector<Traffic> all{ranks_->traffic()};
  for (const AttentiveRanks::Answer& answer : ranks_->ask()) all.push_back(answer.traffic);
  return all;
}

std::string Runner::trace_of_all() const {
  if (ranks_ == nullptr) return trace_->json();
  const auto name = [this](std::size_t rank) { return fmt::format("rank {} ({})", rank, summary_.ranks[rank].host); };
  std::vector<Trace::Lane> others;
  for (AttentiveRanks::Answer& answer : ranks_->ask(/*with_traces=*/true)) {
    const std::size_t rank = others.size() + 1;
    const bool same_clock = summary_.ranks[rank].host == summary_.ranks.front().host;
    others.push_back({name(rank), std::move(answer.trace), same_clock ? 0.0 : answer.clock_ahead});
  }
  return trace_->json(name(0), others);
}

/// Who interrupts a run may go on with it, unless they are in a hurry.
void Runner::end_by_signal(ResultFolder& folder, const History& history) {
  if (signals_.urgent() || (summary_.resumed && summary_.iterations == summary_.resumed->iterations)) return;
  if (signals_.caught() == SIGTERM && checkpoint_seconds_ > case_.seconds("run.grace")) return;
  write_checkpoint(folder, {history.packed(), files_->state()});
}

void Runner::write_checkpoint(ResultFolder& folder, const Files& files) {
  if (!problem_.finite()) return;
  const double started = clock_.seconds();
  Checkpoint checkpoint;
  problem_.save(checkpoint);
  checkpoint.put_text("case", case_.resolved());
  checkpoint.put_text("case file", std::filesystem::absolute(case_.name()).string());  // where its mesh file is sought
  checkpoint.put_text("history", files.history);
  checkpoint.put_text("files", files.fields);
  nlohmann::json about{{"iterations", summary_.iterations},
                       {"problem", summary_.problem},
                       {"backend", summary_.backend},
                       {"device", summary_.device},
                       {"versions", summary_.versions}};
  if (files.frame_due) about["frame due"] = *files.frame_due;
  // A device may be called anything.
  checkpoint.put_text("about", about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const std::string name = quoin::write_checkpoint(folder, checkpoint, summary_.iterations, schedule_.keep(), ranks());
  checkpoint_seconds_ = clock_.seconds() - started;
  log().debug("wrote {} in {:.3f} s", name, checkpoint_seconds_);
}

/// What the case asks for at the state that is reached.
void Runner::write_due(ResultFolder& folder, bool frame) {
  const std::size_t known = files_->names().size();
  if (sampled_ != summary_.iterations) problem_.sample(*files_);
  sampled_ = summary_.iterations;
  if (frame) write_frame();
  if (!frame && files_->names().size() == known) return;
  ask_problem();
  write_summary(folder, summary_);  // the files of a run that is killed are known
}

/// Once a step: the last frame may be the end.
void Runner::write_frame() {
  if (files_->begin_frame(summary_.iterations)) problem_.write(*files_);
}

std::string Runner::reached() const {
  if (summary_.time) return fmt::format("{} steps, t = {:.6g}", summary_.iterations, *summary_.time);
  std::string text = fmt::format("{} iterations", summary_.iterations);
  if (summary_.residual) text += fmt::format(", residual {:.6e}", *summary_.residual);
  return text;
}

/// Without a measurement the table has no percentages; a run does not fail for that.
void Runner::measure_rates() {
  if (problem_.kernels().empty()) return;
  try {
    summary_.rates = stream_rates(case_, executor_, plugin_);
  } catch (const std::exception& error) {
    log().warn("the rates of the device were not measured: {}", error.what());
  }
}

/// Returns what it has written.
std::string Runner::write_summary(ResultFolder& folder, Summary summary) const {
  summary.wall_seconds = clock_.seconds() - begun_.at;
  std::string text = to_json(summary);
  folder.write_whole(summary_name, {text});
  return text;
}

/// What the problem and the field files know for the summary.
void Runner::ask_problem() {
  summary_.kernels = problem_.kernels();
  std::ranges::stable_sort(summary_.kernels, std::ranges::greater{}, &KernelRow::seconds);
  summary_.launches = problem_.launches();
  summary_.copied = executor_->copied();
  summary_.figures = problem_.figures();
  if (files_) {
    summary_.field_sha256 = files_->sha256();
    summary_.fields = files_->names();
  }
}

/// Who keeps the loop waiting.
std::string Runner::silent() const {
  constexpr double patience = 2.0;
  if (ranks_ == nullptr) return "the device";
  const std::vector<int> missing = ranks_->missing(patience);
  std::string names;
  for (const int rank : missing)
    names += fmt::format("{}the device of rank {} ({})", names.empty() ? "" : " and ", rank,
                         summary_.ranks[static_cast<std::size_t>(rank)].host);
  return names.empty() ? "some rank, which waits for others as all do," : names;
}

/// Called beside a loop that waits for the device for ever: what can be said is said, and the process ends. Nothing of
/// the run is changed or asked, for its own thread may yet wake.
void Runner::hung() const noexcept {
  const int code = static_cast<int>(ErrorKind::device);
  const std::string message = fmt::format(
      "{} did not answer for {} s (run.watchdog), after iteration {}; is it hung, or is the case too large "
      "for it?",
      silent(), case_.seconds("run.watchdog"), summary_.iterations);
  log().error("{}", message);
  write_ending(failure(code, message));
  log().flush();
  _exit(code);
}

/// A device that cannot do what the case asks for is told in the summary, unless the folder holds another run's
/// results.
void Runner::not_set_up(const std::filesystem::path& directory, int code, const std::string& message) const noexcept {
  try {
    ResultFolder folder(directory, /*force=*/false);
    write_summary(folder, failure(code, message));
  } catch (const std::exception&) {  // the error itself says more
  }
}

/// Where the plugin has called exit(): in the middle of anything, so nothing is asked. The log has the reason.
void Runner::ended_by_plugin(const Error& error) const noexcept {
  const std::string message = (error.where().empty() ? plugin_.file.string() : error.where()) + ": " + error.what();
  if (results_ == nullptr) return not_set_up(case_.text("output.directory"), error.exit_code(), message);
  write_ending(failure(error.exit_code(), message));
}

/// Called beside a call that does not return, by who has been asked twice to end. As for hung().
void Runner::overdue() const noexcept {
  const int code = exit_code(Status::interrupted, signals_.caught());
  const std::string message =
      fmt::format("the device did not answer for {} s after the second signal (run.grace), after iteration {}",
                  case_.seconds("run.grace"), summary_.iterations);
  log().error("{}", message);
  write_ending(ended(Status::interrupted, code, message));
  log().flush();
  _exit(code);
}

void Runner::fail(int code, const std::string& message) noexcept {
  try {
    ask_problem();
  } catch (const std::exception&) {  // then it is said without the kernels' times
  }
  log().error("{}", message);
  write_ending(failure(code, message));
}

Summary Runner::ended(Status status, int code, const std::string& message) const {
  Summary summary = summary_;
  summary.status = status;
  summary.exit_code = code;
  summary.message = message;
  return summary;
}

/// Into the folder, where there is one.
void Runner::write_ending(const Summary& summary) const noexcept {
  try {
    if (results_ != nullptr) write_summary(*results_, summary);
  } catch (const std::exception& error) {
    log().error("the summary could not be written: {}", error.what());
  }
}

}  // namespace quoin
