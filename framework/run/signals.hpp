#pragma once

namespace quoin {

/// While it lives, the first SIGINT or SIGTERM is only noted, so that the run can end in order. The second
/// of its kind ends the process at once: whatever was written is whole at any moment.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();
  /// The signal that came, 0 for none.
  [[nodiscard]] int caught() const;
};

}  // namespace quoin
