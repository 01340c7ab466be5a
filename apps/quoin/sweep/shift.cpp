#include "sweep/shift.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "quoin/executor.hpp"
#include "quoin/log.hpp"
#include "quoin/words.hpp"
#include "sweep/members.hpp"
#include "sweep/processes.hpp"

namespace quoin {
namespace {

/// Throws what the member's run would refuse.
class MemberCheck {
 public:
  explicit MemberCheck(const std::vector<Candidate>& plugins) : plugins_(plugins) {}

  Needs operator()(const Case& the_case) {
    Needs needs = place_of(the_case);
    needs.memory = check_case(the_case, plugins_, /*force=*/true).host;
    log_level(spdlog::level::err);  // what the first member is told holds for the others
    return needs;
  }

 private:
  /// Once for those that say the same of their backends.
  Needs place_of(const Case& the_case) {
    const std::string resolved = the_case.resolved();
    const std::int64_t threads = the_case.integer("run.threads");
    const std::size_t start = resolved.find("\nbackend:");
    const std::string said = resolved.substr(start, resolved.find("\noutput:") - start) + std::to_string(threads);
    const auto known = places_.find(said);
    if (known != places_.end()) return known->second;
    const Chosen chosen = chosen_backend(the_case, plugins_);
    const DeviceInfo& device = chosen.executor->device();
    const bool host = device.kind == DeviceKind::cpu;
    Needs needs;
    if (!host) needs.device = fmt::format("{} {}", chosen.backend->candidate().name, chosen.device);
    if (host) needs.threads = threads > 0 ? static_cast<unsigned>(threads) : std::max(1U, device.units);
    return places_.emplace(said, needs).first->second;
  }

  const std::vector<Candidate>& plugins_;
  std::map<std::string, Needs> places_;
};

/// How many run at a time: those that the cores and the memory have room for.
std::size_t at_a_time(const std::vector<Job>& jobs) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::size_t most = cores;
  std::set<std::string> devices;
  for (const auto& [member, needs, command] : jobs) {
    devices.insert(needs.device);
    most = std::min<std::size_t>(most, cores / std::min(cores, needs.threads));
    most = std::min(most, static_cast<std::size_t>(memory / std::max(needs.memory, 1.0)));
  }
  if (!devices.contains("")) most = std::min(most, devices.size());
  return std::max<std::size_t>(most, 1);
}

/// Runs jobs, some at a time, and keeps in the study how each ended.
class Shift {
 public:
  Shift(const Sweep& sweep, const std::vector<Job>& jobs, Json& study, StudyFolder& folder)
      : sweep_(sweep), jobs_(jobs), study_(study), folder_(folder), waiting_(jobs_.size()) {
    std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
  }

  /// Returns the signal that came, or 0.
  int run() {
    const int given = sweep_.arguments.jobs;
    const std::size_t most = std::min(given > 0 ? static_cast<std::size_t>(given) : at_a_time(jobs_), jobs_.size());
    log().info("{} of {} members to run{}", jobs_.size(), sweep_.members.size(),
               jobs_.empty() ? "" : fmt::format(", {} at a time", most));
    keep();
    Processes processes(sweep_.arguments.of_case.file == "-" ? Case::standard_input() : "");
    for (;;) {
      while (processes.caught() == 0 && processes.running() < most && start_next(processes)) {
      }
      if (processes.running() == 0) break;
      if (const auto ended = processes.wait()) note(*ended);
    }
    return processes.caught();
  }

 private:
  Json& row(const Job& job) { return study_["members"][job.member]; }

  /// The first that waits for no device; false where there is none. Who gives --jobs says how many share a device.
  bool start_next(Processes& processes) {
    const auto next = std::ranges::find_if(waiting_, [this](std::size_t number) {
      const std::string& device = jobs_[number].needs.device;
      return sweep_.arguments.jobs > 0 || device.empty() || !busy_.contains(device);
    });
    if (next == waiting_.end()) return false;
    const Job& job = jobs_[*next];
    processes.start(*next, job.command);
    row(job)["status"] = "running";
    busy_.insert(job.needs.device);
    waiting_.erase(next);
    return true;
  }

  void note(const Processes::Ended& ended) {
    const Job& job = jobs_[ended.job];
    put_end(row(job), ended.code, ended.said);
    busy_.erase(job.needs.device);
    std::string line = fmt::format("{} of {}: {} {}", ++done_, jobs_.size(),
                                   text_of(sweep_.members[job.member].changes), row(job)["status"].get<std::string>());
    if (row(job).contains("message")) line += ": " + printable(row(job)["message"].get<std::string>(), true);
    ended.code == 0 ? log().info("{}", line) : log().error("{}", line);
    if (std::chrono::steady_clock::now() - kept_ > std::chrono::seconds(1)) keep();
  }

  /// Now and then, for the sweep may be killed. What cannot be written now is at the end, or refused there.
  void keep() {
    kept_ = std::chrono::steady_clock::now();
    try {
      folder_.write(sweep_table, to_text(study_));
    } catch (const Error& error) {
      log().warn("{}: {}", error.where(), error.what());
    }
  }

  const Sweep& sweep_;
  const std::vector<Job>& jobs_;
  Json& study_;
  StudyFolder& folder_;
  std::vector<std::size_t> waiting_;
  std::set<std::string> busy_;  // devices
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point kept_;
};

}  // namespace

std::vector<Job> jobs_of(const Sweep& sweep, Json& rows) {
  std::vector<Job> jobs;
  log_level(spdlog::level::warn);
  MemberCheck check(sweep.plugins);
  for (std::size_t k = 0; k < sweep.members.size(); ++k) {
    const SweepMember& member = sweep.members[k];
    std::vector<std::string> command = command_of(sweep, member);
    if (command.empty()) {
      put_earlier_end(rows[k]);
      continue;
    }
    command.emplace_back("--quiet");
    jobs.push_back({k, for_member(member.changes, [&] { return check(member.the_case); }), std::move(command)});
  }
  log_level(spdlog::level::info);
  return jobs;
}

int run_jobs(const Sweep& sweep, const std::vector<Job>& jobs, Json& study, StudyFolder& folder) {
  return Shift(sweep, jobs, study, folder).run();
}

}  // namespace quoin
