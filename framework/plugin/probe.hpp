#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <optional>

#include "quoin/backends.hpp"

namespace quoin {

/// Closes a file at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Opens a candidate in a child process, beside this one until the answer is wanted. The child is ended with it.
class Probing {
 public:
  using Clock = std::chrono::steady_clock;

  /// As for probe_plugin(), and the child is ended `seconds` from now. Where `choice` is given it may leave out devices
  /// that this cannot mean; `with_executor` has it make an executor as well, on that device and with those options.
  explicit Probing(Candidate candidate, double seconds = 20.0, const BackendChoice* choice = nullptr,
                   bool with_executor = false);
  Probing(const Probing&) = delete;
  Probing& operator=(const Probing&) = delete;
  ~Probing();
  [[nodiscard]] const Candidate& candidate() const { return candidate_; }
  /// Waits for it; to be asked once.
  Probed answer();

 private:
  int end();

  Candidate candidate_;
  double seconds_;
  Clock::time_point deadline_;
  std::optional<Descriptor> from_;
  std::optional<pid_t> child_;  // none for a candidate that is refused
};

/// The file to which quoin-probe writes its answer.
inline constexpr int probe_answer = 3;

/// What the program quoin-probe does for the process `parent`: opens the plugin, answers with its devices or the
/// reason that there are none, and ends. `choice`, a JSON object, has the `device` that is wanted, if any,
/// and `options` where an executor is made with them.
[[noreturn]] void answer_probe(const char* plugin, pid_t parent, const char* choice);

}  // namespace quoin
