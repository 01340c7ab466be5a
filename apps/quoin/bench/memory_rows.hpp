#pragma once

// What kernels and the host do with each kind of memory, timed in turn.

#include <functional>
#include <memory>
#include <string>

#include "quoin/executor.hpp"
#include "runs.hpp"

namespace quoin::bench::memory {

inline constexpr std::int64_t integers = 6144;  ///< that kernels add to, in groups of 64

struct Amount {
  int runs;                ///< of the rows of 6144 integers
  std::int64_t mebibytes;  ///< that the host writes
  double patience;         ///< seconds that one run may take
  /// Of the rows of what the host writes.
  [[nodiscard]] int large_runs() const { return runs / 100 + 1; }
};

/// Adds to `found` the rows in each kind of memory that the device has: `rows`, by the kind's name, has the spread of
/// the microseconds of each by its own; what the device lacks is not there. Gives `keep` a file of all times, CSV. Then
/// looks whether all was added, and adds `together`, what host and kernel have added at the same time, or null. Throws
/// ErrorKind::device where the device fails, or an add is lost.
void measure(const std::shared_ptr<Executor>& executor, const Amount& amount, Json& found,
             const std::function<void(const std::string& csv)>& keep);

}  // namespace quoin::bench::memory
