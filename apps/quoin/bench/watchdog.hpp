#pragma once

// What ends a benchmark whose device does not answer: a call into its driver would never return.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace quoin::bench {

/// While it lives, ends the process with the exit code of a device that fails, unless the benchmark goes on in time.
class Watchdog {
 public:
  /// `patience` in seconds; `where`: the device.
  Watchdog(double patience, std::string where);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();
  /// The benchmark has got so far, and now begins `what`.
  void begins(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  std::chrono::duration<double> patience_;
  std::string where_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_{"the start"};
  Clock::time_point since_ = Clock::now();
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace quoin::bench
