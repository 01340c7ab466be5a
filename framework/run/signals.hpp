#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace quoin {

/// While it lives, SIGINT and SIGTERM are only noted, so that the run can end in order.
class SignalWatch {
 public:
  /// `grace` seconds after a second signal `overdue` is called from another thread: a call that hangs never lets
  /// the run come to its end.
  SignalWatch(double grace, std::function<void()> overdue);
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();
  /// The newest signal that came, 0 for none.
  [[nodiscard]] int caught() const;
  /// Whether another came after the first: whoever sent it will not wait.
  [[nodiscard]] bool urgent() const;

 private:
  void wait(double grace) const;

  std::function<void()> overdue_;
  std::atomic<bool> done_{false};
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace quoin
