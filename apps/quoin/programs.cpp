#include "programs.hpp"

#include <poll.h>
#include <unistd.h>

#include "commands.hpp"
#include "quoin/error.hpp"
#include "quoin/plugin_exit.hpp"
#include "runs.hpp"

namespace quoin {
namespace {

std::string line_of(const char* name, const Json& value) {
  return Json({{name, value}}).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Of a pipe nobody reads any more.
bool reader_has_gone() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

class Lines final : public RunWatcher {
 public:
  void started(const std::filesystem::path& folder) override {
    print(line_of("start", {{"version", 1}, {"directory", folder.string()}}));
  }

  bool progressed(const Progress& progress) override {
    constexpr double pause = 0.1;  // seconds
    const double now = system_clock().seconds();
    if (progress.status == Status::running && now - told_ < pause) return true;
    told_ = now;
    Json told{{"iterations", progress.iterations}, {"limit", progress.limit}, {"residual", nullptr},
              {"tolerance", progress.tolerance},   {"time", nullptr},         {"final_time", nullptr}};
    if (progress.residual) told["residual"] = *progress.residual;
    if (progress.time) {
      told["time"] = *progress.time;
      told["final_time"] = progress.final_time;
    }
    print(line_of("progress", told));
    return !reader_has_gone();
  }

 private:
  double told_ = -1.0;
};

Json failure(const Error& error) {
  return {{"version", 1},
          {"status", to_string(Status::failed)},
          {"exit_code", error.exit_code()},
          {"message", error.what()},
          {"errors", mistakes(error)}};
}

}  // namespace

int tell_programs(bool lines, const std::function<Outcome(RunWatcher* watcher)>& perform) {
  const auto print_failure = [lines](const Error& error) {
    print(lines ? line_of("end", failure(error)) : to_text(failure(error)));
  };
  const WhenPluginExits tell(print_failure);
  Lines watcher;
  Outcome outcome;
  try {
    outcome = perform(lines ? &watcher : nullptr);
  } catch (const Error& error) {
    print_failure(error);
    throw;
  }
  print(lines ? line_of("end", Json::parse(outcome.summary)) : outcome.summary);
  return report(outcome, /*quiet=*/true);
}

}  // namespace quoin
