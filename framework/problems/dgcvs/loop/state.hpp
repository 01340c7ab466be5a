#pragma once

#include <cstdint>
#include <optional>

#include "problems/dgcvs/setup/pace.hpp"
#include "problems/dgcvs/setup/prospect.hpp"

namespace quoin {

/// How far a run has come, besides its polynomials.
struct DgState {
  std::int64_t steps = 0;  ///< done
  Prospect prospect{};
  Pace pace;
  double before = 0.0;  ///< time of the step before pace.from
  double speed = 0.0;   ///< the largest of waves, when the flow was last looked at
  std::optional<double> first_mass;
  double mass = 0.0, norm = 0.0;  ///< when the sums were last looked at
  double drift = 0.0;             ///< the largest change of the mass so far

  [[nodiscard]] double time() const { return pace.time(steps); }
  /// Of the step before this one.
  [[nodiscard]] double time_before() const { return steps > 0 && steps == pace.from ? before : pace.time(steps - 1); }
};

}  // namespace quoin
