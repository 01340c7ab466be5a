#include "problems/dgcvs/loop/schedule.hpp"

#include <algorithm>
#include <bit>

namespace quoin {

Schedule::Schedule(const DgSetup& setup) : setup_(setup), samples_(sample_sets(setup.the_case(), RunsBy::time)) {}

std::int64_t Schedule::last_step(const Pace& pace) const {
  return std::min(pace.last, setup_.method.max_steps.value_or(pace.last));
}

bool Schedule::row_after(std::int64_t step) const { return step % setup_.method.history_every == 0; }

/// A solution that grows without bound is found within ten steps, however rare the rows are.
bool Schedule::sums_after(std::int64_t step, const Pace& pace) const {
  return row_after(step) || step % 10 == 0 || step == last_step(pace);
}

/// Often at first, for what jumps at the start speeds up at once. A scalar law is not looked at: its values stay
/// between those of the start and the sides, which are known.
bool Schedule::flow_after(std::int64_t step, const Pace& pace) const {
  constexpr std::int64_t every = 16;
  return setup_.law.is_water() &&
         (step % every == 0 || std::has_single_bit(static_cast<std::uint64_t>(step)) || step == last_step(pace));
}

bool Schedule::frame_after(std::int64_t step, const Pace& pace) const {
  const std::optional<Every>& frames = setup_.method.frames;
  return frames && (step == 0 || frames->reached(step, pace.time(step - 1), pace.time(step)));
}

bool Schedule::pause_after(std::int64_t step, const Pace& pace) const {
  return frame_after(step, pace) || std::ranges::any_of(samples_, [&](const SampleSet& set) {
           return set.due(step, pace.time(step - 1), pace.time(step));
         });
}

}  // namespace quoin
