#pragma once

namespace quoin {

/// While it lives, SIGINT and SIGTERM are only noted, so that the run can end in order.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();
  /// The newest signal that came, 0 for none.
  [[nodiscard]] int caught() const;
  /// Whether another came after the first: whoever sent it will not wait.
  [[nodiscard]] bool urgent() const;
};

}  // namespace quoin
