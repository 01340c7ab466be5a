#pragma once

#include <cstdint>
#include <vector>

#include "problems/dgcvs/setup/pace.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "problems/samples.hpp"

namespace quoin {

/// After which steps something is looked at or written. None of it depends on how steps are launched, so that chunks
/// change no bit.
class Schedule {
 public:
  explicit Schedule(const DgSetup& setup);

  /// To the final time, or to the case's limit.
  [[nodiscard]] std::int64_t last_step(const Pace& pace) const;
  /// Whether history.csv has a row.
  [[nodiscard]] bool row_after(std::int64_t step) const;
  /// Whether the sums are looked at.
  [[nodiscard]] bool sums_after(std::int64_t step, const Pace& pace) const;
  /// Whether the flow is.
  [[nodiscard]] bool flow_after(std::int64_t step, const Pace& pace) const;
  [[nodiscard]] bool frame_after(std::int64_t step, const Pace& pace) const;
  /// Whether anything is to be written, but for the history.
  [[nodiscard]] bool pause_after(std::int64_t step, const Pace& pace) const;

 private:
  const DgSetup& setup_;
  std::vector<SampleSet> samples_;
};

}  // namespace quoin
