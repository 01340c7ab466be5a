#pragma once

#include <cstddef>
#include <cstdint>

#include "quoin/case.hpp"

namespace quoin {

/// When `run.checkpoint` asks for checkpoints.
class CheckpointSchedule {
 public:
  /// Throws ErrorKind::case_file where `every` is neither a count nor a time.
  explicit CheckpointSchedule(const Case& the_case);

  /// Iterations or steps after whose multiples there is one; 0: none by their count.
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  /// Whether there is one at the end.
  [[nodiscard]] bool at_end() const { return at_end_; }
  /// How many a run has at most at a time: one more than are kept, for the newest is whole before the oldest goes.
  [[nodiscard]] std::size_t most() const { return iterations_ > 0 || seconds_ > 0.0 ? keep_ + 1 : at_end_ ? 1 : 0; }
  /// How many are kept.
  [[nodiscard]] std::size_t keep() const { return keep_; }
  /// The clock starts at `now`, in seconds.
  void start(double now) { last_ = now; }
  /// Whether one is due after so many iterations; if so, the interval starts again.
  [[nodiscard]] bool due(std::int64_t iterations, double now);

 private:
  std::int64_t iterations_ = 0;
  double seconds_ = 0.0;  // 0: none by the clock
  std::size_t keep_;
  bool at_end_;
  double last_ = 0.0;
};

}  // namespace quoin
