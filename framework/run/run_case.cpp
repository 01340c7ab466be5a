#include <csignal>

#include "quoin/error.hpp"
#include "quoin/run.hpp"
#include "run/limits.hpp"
#include "run/runner.hpp"
#include "run/tuned.hpp"

namespace quoin {
namespace {

/// A problem whose needs can be met on an executor that can be used.
struct Ready {
  std::unique_ptr<Problem> problem;
  Chosen chosen;
};

/// The case's backends; run.threads, where it is given, is the option `threads` of each.
std::vector<BackendChoice> wanted_backends(const Case& the_case) {
  std::vector<BackendChoice> wanted = the_case.backends();
  const std::int64_t threads = the_case.integer("run.threads");
  if (threads == 0) return wanted;
  for (BackendChoice& choice : wanted) choice.options["threads"] = std::to_string(threads);
  return wanted;
}

/// Refuses what cannot run, cheapest first. Nothing is allocated or written.
Ready make_ready(const Case& the_case, const std::vector<Candidate>& plugins, bool force) {
  Ready ready{problem_type(the_case.text("problem.type")).make(the_case), {}};
  const Estimate needs = ready.problem->estimate();
  require_host_memory(needs.host, the_case.name());
  const std::filesystem::path folder = the_case.text("output.directory");
  ResultFolder::check(folder, force);
  require_disk(needs.disk, folder);
  ready.chosen = choose_backend(wanted_backends(the_case), plugins, system_opener(), tuned_for(the_case));
  const DeviceInfo& device = ready.chosen.executor->device();
  if (device.kind == DeviceKind::cpu) require_host_memory(needs.host + needs.device, the_case.name());
  require_device_memory(needs.device, device);
  return ready;
}

}  // namespace

Outcome run_case(const Case& the_case, const std::vector<Candidate>& plugins, const RunOptions& options,
                 const Clock& clock) {
  // A reader that goes away must not take the run with it; the closing table is printed after this returns,
  // so it stays that way.
  std::signal(SIGPIPE, SIG_IGN);
  const double started = clock.seconds();
  Ready ready = make_ready(the_case, plugins, options.force);
  Runner runner(the_case, *ready.problem, ready.chosen.executor, ready.chosen.backend->candidate(), options, clock,
                started, ready.chosen.tuned);
  return runner.run();
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
  const Ready ready = make_ready(the_case, plugins, force);
  ready.problem->check();
  return ready.problem->estimate();
}

}  // namespace quoin
