#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace quoin {

/// Calls `bite` from another thread when nothing has been heard for `seconds`: a device that hangs never
/// returns from the call that waits for it, so nobody else can.
class Watchdog {
 public:
  /// 0 seconds: never.
  Watchdog(double seconds, std::function<void()> bite);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  /// Something has happened; the time starts again, and `bite` sees what was written before.
  void heard();

 private:
  void watch();

  std::chrono::duration<double> limit_;
  std::function<void()> bite_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::chrono::steady_clock::time_point last_;
  bool done_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace quoin
