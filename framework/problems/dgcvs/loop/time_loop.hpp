#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "problems/dgcvs/loop/flow.hpp"
#include "problems/dgcvs/loop/schedule.hpp"
#include "problems/dgcvs/loop/state.hpp"
#include "problems/dgcvs/scheme/device_levels.hpp"
#include "problems/dgcvs/scheme/solution.hpp"
#include "quoin/fields.hpp"

namespace quoin {

/// That the solution has grown without bound, or waves have.
struct Divergence {
  std::int64_t step;
  std::optional<FlowLook> flow;  ///< what was wrong with the flow; empty: the sums had grown
};

/// The time steps of a run on a device.
class TimeLoop {
 public:
  /// Everything but the polynomials of the start. `longest_chunk`: steps launched at most before the host looks at the
  /// device.
  TimeLoop(const DgSetup& setup, std::shared_ptr<Executor> executor, std::int64_t longest_chunk);

  /// What is known of the run has become this.
  void plan(const Prospect& prospect);
  /// From coefficients of cells as initial_coefficients() takes them; empty: by the formula of the case.
  void start(const std::vector<double>& kept);
  /// From where another run has come; the coefficients are left to the caller.
  void resume(const DgState& state);

  /// About a tenth of a second of steps, `most` at most; stops where something is to be written, or the solution is
  /// lost. Appends rows of the history.
  void advance(std::int64_t most, std::vector<Row>& history);

  [[nodiscard]] const DgSetup& setup() const { return setup_; }
  [[nodiscard]] const Schedule& schedule() const { return schedule_; }
  [[nodiscard]] const DgState& state() const { return state_; }
  [[nodiscard]] std::int64_t last_step() const { return schedule_.last_step(state_.pace); }
  /// The longest step that is stable at the wave speed seen last.
  [[nodiscard]] double stable_step() const;
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  /// Of the history, with the sums that were looked at last.
  [[nodiscard]] Row row_of(std::int64_t step) const;
  [[nodiscard]] Solution solution(EntityKind kind) const;
  [[nodiscard]] DeviceLevels& levels() const { return *levels_; }
  [[nodiscard]] Queue& queue() const { return *queue_; }
  /// Device seconds of all time steps.
  [[nodiscard]] double update_seconds() const { return update_seconds_; }

 private:
  void make_levels();
  [[nodiscard]] std::int64_t steps_to_launch(std::int64_t until) const;
  void renew_pace();
  void look_at_flow();
  void warn_of_step();
  void prepare(std::int64_t until);
  void run_chunk(std::int64_t until, std::vector<Row>& history);
  void add_sums(std::vector<Row>& history, std::int64_t step, double mass, double square);

  const DgSetup& setup_;
  Schedule schedule_;
  std::int64_t longest_chunk_;
  DgState state_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<DeviceLevels> levels_;
  Buffer<std::byte> sums_;
  std::int64_t prepared_to_ = 0;  // the step up to which the states outside are on the device
  std::int64_t chunk_ = 1;
  double update_seconds_ = 0.0;
  std::optional<Divergence> divergence_;
  bool warned_ = false;  // of a method.time_step that is too long
};

}  // namespace quoin
