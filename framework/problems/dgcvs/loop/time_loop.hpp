#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/beside.hpp"
#include "problems/dgcvs/loop/flow.hpp"
#include "problems/dgcvs/loop/schedule.hpp"
#include "problems/dgcvs/loop/state.hpp"
#include "problems/dgcvs/loop/step_order.hpp"
#include "problems/dgcvs/scheme/device_levels.hpp"
#include "problems/dgcvs/scheme/elements.hpp"
#include "problems/dgcvs/scheme/errors.hpp"
#include "problems/dgcvs/scheme/solution.hpp"
#include "problems/dgcvs/scheme/start_in_space.hpp"
#include "problems/orders.hpp"
#include "quoin/communicator.hpp"
#include "quoin/fields.hpp"
#include "quoin/parts.hpp"

namespace quoin {

/// That the solution has grown without bound, or waves have.
struct Divergence {
  std::int64_t step;
  std::optional<FlowLook> flow;  ///< what was wrong with the flow; empty: the sums had grown
};

/// The time steps of a run on a device. Of several ranks each has such a loop, and makes it together with the others.
/// Then the first one's is used, and the others follow it until it is destroyed.
class TimeLoop {
 public:
  /// From the formula of the case, where it has one; `look`: what is known of it. `longest_chunk`: steps launched at
  /// most before the host looks at the device.
  TimeLoop(const DgSetup& setup, std::shared_ptr<Executor> executor, std::int64_t longest_chunk, Communicator& ranks,
           std::optional<FirstLook> look = {});
  TimeLoop(const TimeLoop&) = delete;
  TimeLoop& operator=(const TimeLoop&) = delete;
  ~TimeLoop() { orders_.end(); }

  void follow();
  /// From coefficients of cells as start_in_space() takes them.
  void start_from(std::vector<double> kept);
  /// From where another run has come; the coefficients are left to the caller.
  void resume(DgState state);
  /// Coefficient n of all entities of a kind, as coefficients() gives it, in the time of steps `ratio` times as long.
  void take(EntityKind kind, std::int64_t n, std::vector<std::byte> whole, double ratio = 1.0);

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
  /// A frame of entities of a kind, of which no rank holds more than what is its own.
  void write_frame(EntityKind kind, FieldSink& sink) const;
  /// Those of all cells; the case has to have an exact solution.
  [[nodiscard]] Errors errors() const;
  /// Bytes of one coefficient of all entities of a kind.
  [[nodiscard]] std::size_t row_bytes(EntityKind kind) const;
  /// Coefficient n of DgSetup::unknowns(), of all entities, in lanes().
  [[nodiscard]] std::vector<std::byte> coefficients(EntityKind kind, std::int64_t n) const;
  /// Each rank writes those of its own entities: one coefficient behind the other, each as coefficients() gives it, but
  /// that of lanes which are copies.
  [[nodiscard]] std::vector<WrittenPart> write(EntityKind kind, RankFiles& files) const;
  /// Those of the spatial members of some cells alone, which must increase: [variable][member][cell of the list].
  [[nodiscard]] std::vector<double> spatial_coefficients(std::span<const std::int64_t> cells) const;
  /// Whether all are finite.
  [[nodiscard]] bool finite() const;
  /// Of all entities, as one process has them.
  [[nodiscard]] const EntityLanes& lanes(EntityKind kind) const {
    return kind == EntityKind::cells ? cells_ : vertices_;
  }
  /// Of the mesh.
  [[nodiscard]] const std::string& fingerprint() const;
  [[nodiscard]] const KernelTimer& timer() const { return levels_->timer; }
  [[nodiscard]] Queue& queue() const { return *queue_; }
  /// Device seconds of all time steps.
  [[nodiscard]] double update_seconds() const { return update_seconds_; }

 private:
  void look_for_fingerprint() const;
  void find_fingerprint() const;
  void plan(const Prospect& prospect);
  void start(const std::vector<double>& kept, FirstLook* known = nullptr);
  void resume_part(const DgState& state);
  void take_part(EntityKind kind, std::int64_t n, std::vector<std::byte>& whole, double ratio);
  [[nodiscard]] std::vector<std::byte> coefficients_of_ranks(EntityKind kind, std::int64_t n) const;
  /// Of this rank's own entities and ghosts.
  [[nodiscard]] Solution own_solution(EntityKind kind) const;
  /// Copies: give_row(n, take) gives coefficient n of the lanes.
  template <class GiveRow>
  [[nodiscard]] std::shared_ptr<const double> copied(const EntityLanes& lanes, const GiveRow& give_row) const;
  [[nodiscard]] Solution solution_of(EntityKind kind, const EntityLanes& lanes,
                                     std::shared_ptr<const double> coefficients) const;
  [[nodiscard]] ElementPiece own_piece(EntityKind kind) const;
  [[nodiscard]] ElementsOfRanks frame_of_all(const ElementPiece& piece) const;
  [[nodiscard]] StepOrder follow_frame(EntityKind kind) const;
  void give_to_first(std::span<const std::byte> bytes, std::size_t inside, std::size_t item,
                     const TakeBytes& take) const;
  void give_array(const ElementPiece& piece, std::size_t array, const TakeBytes& take) const;
  void add_errors(ErrorSums& sums) const;
  [[nodiscard]] std::vector<WrittenPart> write_part(EntityKind kind, RankFiles* files) const;
  [[nodiscard]] std::vector<double> sample_part(std::span<const std::int64_t> cells) const;
  [[nodiscard]] bool part_is_finite() const;
  void record_steps();
  void launch_steps(std::int64_t step, std::int64_t end, std::int64_t end_of_chunk);
  [[nodiscard]] std::int64_t steps_to_launch(std::int64_t until) const;
  void renew_pace();
  void look_at_flow();
  void warn_of_step();
  void prepare(std::int64_t until);
  void look_ahead(std::int64_t until);
  void step_to(std::int64_t until, std::vector<Row>& history);
  void run_chunk(std::int64_t until, std::vector<Row>& history);
  void add_sums(std::vector<Row>& history, std::int64_t step, double mass, double square);

  const DgSetup& setup_;
  Schedule schedule_;
  std::int64_t longest_chunk_;
  Communicator& ranks_;
  Orders<StepOrder> orders_;
  Partition partition_;
  EntityLanes cells_, vertices_;  // of all ranks
  Largest outside_;               // before the device, for it may throw
  DgState state_;
  std::shared_ptr<Executor> executor_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<DeviceLevels> levels_;
  /// So many steps in one; sums are looked at every 10, and the first step is by itself.
  struct RecordedSteps {
    std::int64_t count;
    TimedSequence launches;
  };
  std::vector<RecordedSteps> recorded_;  // the longest first
  ResultBytes sums_;
  std::int64_t prepared_to_ = 0;  // the step up to which the states outside are on the device
  std::int64_t ahead_to_ = 0;     // and are being made
  std::int64_t advancing_from_ = 0;
  bool beside_ = false;  // whether that is done while the device computes
  std::int64_t chunk_ = 1;
  double update_seconds_ = 0.0;
  std::optional<Divergence> divergence_;
  bool warned_ = false;              // of a method.time_step that is too long
  mutable std::string fingerprint_;  // once it is known
  mutable bool looked_for_fingerprint_ = false;
  mutable Beside fingerprinting_;  // last, for it uses the others
};

}  // namespace quoin
