#include "conformance/apart.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/child.hpp"
#include "quoin/error.hpp"
#include "quoin/plugin_exit.hpp"
#include "quoin/problems.hpp"

namespace quoin::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// Tells the other process.
class Messages final : public Course {
 public:
  explicit Messages(const Send& send) : send_(send) {}
  void begins(std::size_t number, const Result& check) override {
    send_({{"begins", number}, {"name", check.name}, {"precision", check.precision}});
  }
  void begins_case(const std::string& name) override { send_({{"case", name}}); }
  void ended(const Result& result) override {
    send_({{"outcome", result.outcome}, {"message", result.message}, {"seconds", result.seconds}});
  }

 private:
  const Send& send_;
};

/// What the child does: all that touches the plugin.
void check(const Subject& subject, std::size_t first, const Send& send) {
  const WhenPluginExits tell([&](const Error& reason) { send({{"exits", reason.what()}}); });
  try {
    Messages messages(send);
    {
      const std::shared_ptr<OpenBackend> backend = open_backend(subject.candidate);
      const int device = find_device(backend->devices(subject.device), subject.device, subject.candidate.name);
      const std::shared_ptr<Executor> executor = backend->executor(device, subject.options);
      send({{"device", executor->device().name}, {"error_bound", executor->device().error_bound}});
      run_suite(executor, messages, {first, subject.checks}, problem_kernels());
    }
    send({{"shutdown", true}});
    shutdown_backends();
  } catch (const Error& error) {
    send({{"kind", error.kind()}, {"message", error.what()}, {"where", error.where()}});
  }
}

Result nothing_yet(std::string name, std::string precision) {
  return {std::move(name), std::move(precision), 0, Outcome::passed, {}, 0.0};
}

/// What is heard of the checks, from one child after the other.
class Hearing {
 public:
  Hearing(Report& report, const std::function<void(const Result&)>& hear) : report_(report), hear_(hear) {}

  [[nodiscard]] std::size_t next() const { return next_; }

  void operator()(const Message& message) {
    if (message.contains("device")) {
      message.at("device").get_to(report_.device);
      message.at("error_bound").get_to(report_.error_bound);
    } else if (message.contains("begins")) {
      next_ = message.at("begins").get<std::size_t>() + 1;
      begin(nothing_yet(message.at("name"), message.at("precision")));
    } else if (message.contains("case")) {
      message.at("case").get_to(case_);
      ++running_->cases;
    } else if (message.contains("outcome")) {
      message.at("outcome").get_to(running_->outcome);
      message.at("message").get_to(running_->message);
      message.at("seconds").get_to(running_->seconds);
      end();
    } else if (message.contains("shutdown")) {
      last_ = true;
      begin(nothing_yet("shutdown", {}));
      ++running_->cases;
    } else if (message.contains("exits")) {
      message.at("exits").get_to(exits_);
    } else {
      error_.emplace(message.at("kind").get<ErrorKind>(), message.at("message").get<std::string>(),
                     message.at("where").get<std::string>());
    }
  }

  /// What follows from the end of a child. Whether another one has to go on.
  bool go_on_after(const std::string& ending) {
    if (error_ && report_.device.empty()) throw *std::exchange(error_, std::nullopt);
    if (ending.empty() && last_) {
      end();
      return false;
    }
    const std::string how = error_            ? error_->what()
                            : !exits_.empty() ? exits_
                            : !ending.empty() ? "the plugin " + ending
                                              : "the process ended before the checks did";
    if (report_.device.empty()) throw Error(ErrorKind::plugin, how, report_.file);
    const bool went_on = began_any_;
    if (!running_) begin(nothing_yet("start", {}));
    running_->outcome = Outcome::failed;
    running_->message = (case_.empty() ? "" : case_ + ": ") + how;
    running_->seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    end();
    exits_.clear();
    error_.reset();
    began_any_ = false;
    return went_on && !last_;
  }

 private:
  void begin(Result check) {
    running_ = std::move(check);
    began_any_ = true;
    case_.clear();
    began_ = Clock::now();
  }
  void end() {
    hear_(*running_);
    report_.results.push_back(*std::exchange(running_, std::nullopt));
  }

  Report& report_;
  const std::function<void(const Result&)>& hear_;
  std::size_t next_ = 0;
  std::optional<Result> running_;
  std::string case_;
  Clock::time_point began_;
  bool began_any_ = false;  ///< in this child
  bool last_ = false;
  std::string exits_;
  std::optional<Error> error_;
};

}  // namespace

Report run_apart(const Subject& subject, const std::function<void(const Result&)>& hear) {
  const Candidate& candidate = subject.candidate;
  Report report{candidate.name, candidate.version, candidate.file.string(), {}, 0.0, {}, subject.checks.empty()};
  Hearing hearing(report, hear);
  std::string ending;
  do {
    ending =
        in_child([&](const Send& send) { check(subject, hearing.next(), send); }, std::ref(hearing), subject.seconds);
  } while (hearing.go_on_after(ending));
  return report;
}

}  // namespace quoin::conformance
