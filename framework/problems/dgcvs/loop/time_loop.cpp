#include "problems/dgcvs/loop/time_loop.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/large_pages.hpp"
#include "problems/dgcvs/scheme/predict_start.hpp"
#include "problems/overlap.hpp"
#include "quoin/log.hpp"
#include "quoin/precision.hpp"
#include "quoin/ranks.hpp"

namespace quoin {

TimeLoop::TimeLoop(const DgSetup& setup, std::shared_ptr<Executor> executor, std::int64_t longest_chunk,
                   Communicator& ranks, std::optional<FirstLook> look)
    : setup_(setup),
      schedule_(setup),
      longest_chunk_(longest_chunk),
      ranks_(ranks),
      orders_(ranks),
      partition_(setup, ranks.size()),
      cells_(all_of(setup.staggered.cells, setup.method.entities)),
      vertices_(all_of(setup.staggered.vertices, setup.method.entities)),
      outside_(look ? look->outside : largest_outside(setup)) {
  queue_ = executor->queue();
  executor_ = std::move(executor);
  beside_ = least_of(ranks_, overlaps(setup_.the_case(), *executor_) ? 1 : 0) > 0;
  sums_ = ResultBytes(executor_, 2 * static_cast<std::size_t>(longest_chunk_ + 1) * sizeof(double));
  const bool known = look && ranks_.size() == 1;
  levels_ = std::make_unique<DeviceLevels>(executor_, *queue_, setup_, partition_, ranks_,
                                           known ? std::exchange(look->arrays, {}) : std::nullopt);
  chunk_ = levels_->first_chunk(longest_chunk_);
  if (beside_) look_for_fingerprint();
  if (starts_from_fields(setup_.the_case())) return;
  start({}, known ? &*look : nullptr);
}

/// What is known of the run has become this.
void TimeLoop::plan(const Prospect& prospect) {
  state_.prospect = prospect;
  state_.pace = first_pace(setup_, prospect);
  state_.speed = prospect.speed;
  warn_of_step();
  recorded_.clear();  // for what it launches may be another's
  levels_->set_half_step(*queue_, state_.pace.dt / 2);
}

/// From the formula, of which `known` is known, or from what is kept: where the host may, in the device's own memory.
void TimeLoop::start(const std::vector<double>& kept, FirstLook* known) {
  DeviceLevel& cells = levels_->cells;
  const std::shared_ptr<HostView> there = known == nullptr ? cells.in_place(*queue_) : nullptr;
  const auto count = static_cast<std::size_t>(setup_.values() * cells.lanes().stride);
  std::vector<double> room;
  if (known != nullptr)
    room = std::move(known->cells);
  else if (there == nullptr)
    resize_cleared(room, count);
  const std::span all = there != nullptr ? std::span(reinterpret_cast<double*>(there->bytes().data()), count) : room;
  Largest largest = known != nullptr ? known->in_cells : start_in_space(setup_, cells.arrays(), kept, all);
  largest.see(outside_);
  plan(prospect_of(setup_, ranks_, largest));
  constexpr std::int64_t first_steps = 32;
  if (beside_ && levels_->uses_time()) look_ahead(first_steps);  // while the start is made
  predict_start(setup_, cells.arrays(), state_.pace.dt / 2, kept, all);
  if (there != nullptr)
    there->store();
  else
    cells.set_coefficients(*queue_, in_precision(all, setup_.method.precision));
  cells.observe(*queue_, sums_.buffer(), 0);  // which the first chunk reads
  record_steps();
}

/// Where all steps but the first are alike.
void TimeLoop::record_steps() {
  recorded_.clear();
  if (ranks_.size() > 1 || levels_->uses_time()) return;
  constexpr std::int64_t any = 1;
  for (const std::int64_t count : {10, 5, 2, 1})
    recorded_.push_back({count, TimedSequence(*queue_, levels_->timer, [&] {
                           for (std::int64_t k = 0; k < count; ++k) levels_->update(*queue_, any, state_.pace.dt / 2);
                         })});
}

/// Those from `step` to before `end`. Steps that the timer wants to see by themselves are the last of a chunk.
void TimeLoop::launch_steps(std::int64_t step, std::int64_t end, std::int64_t end_of_chunk) {
  while (step < end) {
    const auto fits = std::ranges::find_if(recorded_, [&](const RecordedSteps& steps) {
      return step > 0 && steps.launches.exists() && steps.count <= end - step &&
             steps.count <= end_of_chunk - step - steps.launches.wanted();
    });
    if (fits == recorded_.end()) {
      levels_->update(*queue_, step++, state_.pace.dt / 2);
    } else {
      fits->launches.run(*queue_);
      step += fits->count;
    }
  }
}

std::int64_t TimeLoop::steps_to_launch(std::int64_t until) const {
  const std::int64_t done = state_.steps;
  std::int64_t count = 1;
  while (count < until - done && !schedule_.pause_after(done + count, state_.pace) &&
         !schedule_.flow_after(done + count, state_.pace))
    ++count;
  return count;
}

double TimeLoop::stable_step() const { return setup_.stable_cfl * setup_.unit_step / state_.speed; }

/// Takes shorter steps from here on where waves have become too fast for these.
void TimeLoop::renew_pace() {
  constexpr double margin = 1.05;  // what a speed gains by rounding and ripples is no reason
  const double longest = setup_.longest_step(state_.speed);
  if (state_.pace.dt <= margin * longest) return;
  const Pace next = Pace::within(state_.steps, state_.time(), setup_.method.final_time, longest);
  levels_->stretch_time(*queue_, next.dt / state_.pace.dt);
  log().debug("time steps of {:.6g} from step {} on, for waves of speed {:.6g}", next.dt, state_.steps, state_.speed);
  state_.pace = next;
  record_steps();
  prepared_to_ = ahead_to_ = state_.steps;
}

void TimeLoop::look_at_flow() {
  const DeviceLevel& cells = levels_->cells;
  const FlowLook look = quoin::look_at_flow(setup_, cells.lanes(), cells.at_centres(*queue_), ranks_);
  constexpr double run_away = 100.0;
  if (look.impossible || !(look.speed <= run_away * state_.prospect.speed)) {
    divergence_ = {state_.steps, look};
    return;
  }
  state_.speed = look.speed;
  warn_of_step();
}

/// Once, where the user's own step is too long.
void TimeLoop::warn_of_step() {
  const double stable = stable_step();
  if (warned_ || !setup_.method.time_step || state_.pace.dt <= stable * (1 + 1e-12)) return;
  warned_ = true;
  log().warn(
      "the time step is {:.6g} at step {}, and up to {:.6g} is stable for certain: give a smaller "
      "method.time_step, or method.cfl in its place",
      state_.pace.dt, state_.steps, stable);
}

void TimeLoop::advance(std::int64_t most, std::vector<Row>& history) {
  const std::int64_t before = state_.steps;
  const double seconds_before = update_seconds_;
  const std::int64_t until = before + std::min({most, chunk_, last_step() - before});
  orders_.give({StepOrder::Kind::step, until});
  step_to(until, history);
  const std::int64_t done = state_.steps - before;
  if (done > 0) chunk_ = next_chunk(done, update_seconds_ - seconds_before, chunk_, longest_chunk_);
}

void TimeLoop::step_to(std::int64_t until, std::vector<Row>& history) {
  const std::int64_t before = advancing_from_ = state_.steps;
  while (state_.steps < until && !divergence_ &&
         (state_.steps == before || !schedule_.pause_after(state_.steps, state_.pace)))
    run_chunk(until, history);
}

/// The states outside of as many steps as there is room for: making them costs about as much for few.
void TimeLoop::prepare(std::int64_t until) {
  std::int64_t count = std::min(until - state_.steps, levels_->max_steps());
  if (ahead_to_ > state_.steps) count = ahead_to_ - state_.steps;
  levels_->prepare(*queue_, state_.steps, count, state_.pace);
  prepared_to_ = state_.steps + count;
}

/// Those of the steps after these, while the device computes: of the rest until there, else of as many again.
void TimeLoop::look_ahead(std::int64_t until) {
  const std::int64_t rest = prepared_to_ < until ? until - prepared_to_ : until - advancing_from_;
  const std::int64_t count = std::min({rest, last_step() - prepared_to_, levels_->max_steps()});
  if (count <= 0) return;
  levels_->look_ahead(prepared_to_, count, state_.pace);
  ahead_to_ = prepared_to_ + count;
}

void TimeLoop::run_chunk(std::int64_t until, std::vector<Row>& history) {
  if (state_.steps > 0 && schedule_.flow_after(state_.steps, state_.pace)) renew_pace();
  if (prepared_to_ <= state_.steps) prepare(until);
  const std::int64_t count = steps_to_launch(std::min(until, prepared_to_));
  std::vector<std::int64_t> looks;  // the steps whose sums are looked at
  if (state_.steps == 0) looks.push_back(0);
  const std::size_t looked = looks.size();
  const auto look = [&](std::int64_t step) {
    levels_->cells.observe(*queue_, sums_.buffer(), static_cast<std::int64_t>(looks.size()));
    looks.push_back(step);
  };
  if (beside_ && state_.steps + count == prepared_to_) look_ahead(until);
  levels_->timer.begin(*queue_);
  const std::int64_t end = state_.steps + count;
  for (std::int64_t step = state_.steps; step < end;) {
    const std::int64_t first = step++;
    while (step < end && !schedule_.sums_after(step, state_.pace)) ++step;
    launch_steps(first, step, end);
    if (schedule_.sums_after(step, state_.pace)) look(step);
  }
  levels_->timer.end(*queue_);
  queue_->synchronize();
  const std::size_t bytes = 2 * looks.size() * element_size(setup_.method.precision);
  const std::vector<double> sums = from_precision(sums_.read(*queue_, bytes), setup_.method.precision);
  for (std::size_t k = 0; k < looks.size() && !divergence_; ++k)
    add_sums(history, looks[k], sums[2 * k], sums[2 * k + 1]);
  state_.steps += count;

  const std::size_t updates = static_cast<std::size_t>(count) * levels_->update_launches();
  update_seconds_ += levels_->timer.collect(updates + (looks.size() - looked) * levels_->cells.observe_launches());
  if (!divergence_ && schedule_.flow_after(state_.steps, state_.pace)) look_at_flow();
}

void TimeLoop::add_sums(std::vector<Row>& history, std::int64_t step, double mass, double square) {
  state_.mass = mass;
  state_.norm = std::sqrt(square);
  if (!state_.first_mass) state_.first_mass = mass;
  constexpr double blown_up = 1000.0;
  if (!std::isfinite(state_.norm) || !std::isfinite(mass) || state_.norm > blown_up * state_.prospect.norm)
    divergence_ = {step, std::nullopt};
  state_.drift = std::max(state_.drift, std::abs(mass - *state_.first_mass));
  if (schedule_.row_after(step) || divergence_) history.push_back(row_of(step));
}

Row TimeLoop::row_of(std::int64_t step) const { return {step, state_.pace.time(step), state_.mass, state_.norm}; }

Solution TimeLoop::solution(EntityKind kind) const {
  const auto give_row = [&](std::int64_t n, const auto& take) { take(coefficients(kind, n)); };
  return solution_of(kind, lanes(kind), copied(lanes(kind), give_row));
}

Solution TimeLoop::own_solution(EntityKind kind) const {
  const DeviceLevel& level = levels_->of(kind);
  if (const std::shared_ptr<HostView> there = level.in_place(*queue_))
    return solution_of(kind, level.lanes(), {there, reinterpret_cast<const double*>(there->read().data())});
  std::vector<std::byte> room;
  const auto give_row = [&](std::int64_t n, const auto& take) { level.give_row(*queue_, n, room, take); };
  return solution_of(kind, level.lanes(), copied(level.lanes(), give_row));
}

template <class GiveRow>
std::shared_ptr<const double> TimeLoop::copied(const EntityLanes& lanes, const GiveRow& give_row) const {
  const auto all = std::make_shared<std::vector<double>>();
  resize_cleared(*all, static_cast<std::size_t>(setup_.values() * lanes.stride));
  for (std::int64_t n = 0; n < setup_.values(); ++n)
    give_row(n, [&](std::span<const std::byte> raw) {
      load_values(raw, setup_.method.precision, all->data() + n * lanes.stride);
    });
  return {all, all->data()};
}

Solution TimeLoop::solution_of(EntityKind kind, const EntityLanes& lanes,
                               std::shared_ptr<const double> coefficients) const {
  const double tau = state_.pace.dt / 2;
  const double at = kind == EntityKind::cells ? state_.time() : state_.time() - tau;
  return {setup_, kind, lanes, std::move(coefficients), state_.steps, at, tau};
}

/// Beside what is done next, if a checkpoint will ask for it.
void TimeLoop::look_for_fingerprint() const {
  const bool checkpoints =
      setup_.the_case().boolean("run.checkpoint.end") || setup_.the_case().has("run.checkpoint.every");
  if (!checkpoints || ranks_.rank() != 0 || looked_for_fingerprint_) return;
  looked_for_fingerprint_ = true;
  fingerprinting_.start([this] { find_fingerprint(); });
}

const std::string& TimeLoop::fingerprint() const {
  fingerprinting_.finish();
  if (fingerprint_.empty()) find_fingerprint();
  return fingerprint_;
}

void TimeLoop::find_fingerprint() const {
  fingerprint_ = mesh_sha256(ranks_.size() == 1 ? levels_->cells.arrays() : LevelArrays(setup_, EntityKind::cells));
}

}  // namespace quoin
