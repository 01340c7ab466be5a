#pragma once

#include <cstdint>

namespace quoin {

/// Equal time steps, from a step of the run to its last.
struct Pace {
  std::int64_t from = 0;  ///< step
  std::int64_t last = 0;  ///< step that reaches the end
  double start = 0.0;     ///< time at step `from`
  double dt = 0.0;

  bool operator==(const Pace&) const = default;
  [[nodiscard]] double time(std::int64_t step) const { return start + static_cast<double>(step - from) * dt; }
  /// As few as get from time `start` to `end` with none longer than `longest`; one at least.
  static Pace within(std::int64_t from, double start, double end, double longest);
};

}  // namespace quoin
