#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/tree_groups.hpp"
#include "kernels/dgcvs/facts.hpp"
#include "problems/dgcvs/scheme/ghost_exchange.hpp"
#include "problems/dgcvs/scheme/level.hpp"
#include "problems/dgcvs/scheme/outside.hpp"
#include "quoin/buffer.hpp"
#include "quoin/catalogue.hpp"
#include "quoin/communicator.hpp"
#include "quoin/host_view.hpp"
#include "quoin/kernel_timer.hpp"
#include "quoin/parts.hpp"

namespace quoin {

/// The kernels of both levels.
std::vector<KernelSpec> level_kernels(const DgSetup& setup);

/// The entities of one kind on the device, with the launches that update and observe them.
class DeviceLevel {
 public:
  /// Those of this rank, one of some that share them out as `partition` does, which outlives this. `arrays`: its own,
  /// if they are there already.
  DeviceLevel(const std::shared_ptr<Executor>& executor, const DgSetup& setup, EntityKind kind, Queue& queue,
              KernelTimer& timer, const Partition& partition, Communicator& ranks,
              std::optional<LevelArrays> arrays = {});
  /// Before the first update, and where half steps become `tau` long: shared matrices know that.
  void set_half_step(Queue& queue, double tau);

  /// Launches that one update, or one look, makes.
  [[nodiscard]] std::size_t update_launches() const { return updates_.size() + (limit_ ? 1 : 0); }
  [[nodiscard]] Cost update_cost() const;
  [[nodiscard]] std::size_t observe_launches() const { return observes_.size() + (ranks_.size() == 1 ? 1 : 0); }

  /// One half step of step `step`, from the polynomials of `old`, by all ranks. With `from_mean` the sweeps start from
  /// the old mean.
  void update(Queue& queue, DeviceLevel& old, std::int64_t step, double tau, bool from_mean);
  /// Of the cells of all ranks: sums[2 slot] is then the integral of the first variable, sums[2 slot + 1] that of its
  /// squared coefficients.
  void observe(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot);

  /// The states outside for steps first to first + steps - 1, to be there before their updates are launched.
  void prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace);
  /// Starts to make those of the next prepare().
  void look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace);
  /// Steps whose states outside fit; any number where they do not depend on time.
  [[nodiscard]] std::int64_t max_steps() const { return max_steps_; }

  [[nodiscard]] const LevelArrays& arrays() const { return arrays_; }
  [[nodiscard]] const EntityLanes& lanes() const { return arrays_.lanes; }
  /// Coefficient n of all lanes: of DgSetup::unknowns().
  [[nodiscard]] std::vector<std::byte> row(Queue& queue, std::int64_t n) const;
  /// The same, which `take` gets where it lies if the host may look there, else in `room`, which may be used again.
  void give_row(Queue& queue, std::int64_t n, std::vector<std::byte>& room, const TakeBytes& take) const;
  /// All rows where they lie, doubles; null where the host may not look there, or finds float.
  [[nodiscard]] std::shared_ptr<HostView> in_place(Queue& queue) const;
  /// Of a row what whole_row() takes, in pieces.
  void give_own_row(Queue& queue, std::int64_t n, std::vector<std::byte>& room, const TakeBytes& take) const;
  [[nodiscard]] std::vector<std::byte> own_row(Queue& queue, std::int64_t n) const;
  /// Where that lies in the row of all entities.
  [[nodiscard]] std::vector<ArrayPart::Range> own_ranges() const;
  /// Of all entities, from those of each rank, one behind the other: in the lanes of one process.
  [[nodiscard]] std::vector<std::byte> whole_row(std::span<const std::byte> of_ranks) const;
  /// From that of all entities, in the time of steps `ratio` times as long.
  void take_row(Queue& queue, std::int64_t n, std::span<const std::byte> whole, double ratio);
  /// Those of the spatial members of some entities alone, which must increase: [variable][member][entity of the list].
  /// Over a bed comes behind them whether the entity is at a shore.
  [[nodiscard]] std::vector<double> spatial_coefficients(Queue& queue, std::span<const std::int64_t> entities) const;
  /// A row of all lanes for each variable: its values at the entities' centres, at their time. Over a bed come behind
  /// them whether the entity is at a shore, and the mean depth.
  [[nodiscard]] std::vector<double> at_centres(Queue& queue) const;
  /// Whether all coefficients are.
  [[nodiscard]] bool finite(Queue& queue) const;
  /// The same polynomials in the time of steps `ratio` times as long.
  void stretch_time(Queue& queue, double ratio);
  void set_coefficients(Queue& queue, std::span<const std::byte> raw);

 private:
  [[nodiscard]] std::size_t row_bytes() const;
  [[nodiscard]] int power_of_time(std::int64_t n) const;
  void set_row(Queue& queue, std::int64_t n, std::vector<std::byte> raw, double ratio);
  /// The entities of a launch: without boundary faces, with them, or some with and some without.
  enum class Reach { inside, boundary, all };
  /// A launch of every half step.
  struct Update {
    TimedKernel kernel;
    Reach reach;
    KernelId id;
    int parts;  ///< of dgcvs_update
  };
  /// The launches that update the entities in a box.
  void add_updates(KernelTimer& timer, Reach reach, const Box& box);
  /// Whether the boundary flux of entities sees the new polynomial, not the old one: design dg-cvs, section 7.
  [[nodiscard]] bool implicit(bool boundary) const { return boundary && kind_ == EntityKind::vertices; }
  [[nodiscard]] DgWork work_of(KernelId kernel, bool boundary) const;
  /// Of a launch of so many entities.
  [[nodiscard]] Cost cost_of(const Variant& variant, bool boundary, int parts, std::int64_t entities) const;
  /// What an update is launched with.
  struct Launch {
    DeviceLevel& old;
    std::int64_t step;
    double tau;
    bool from_mean;
  };
  /// The lanes inside that peers read, and the others, as far as it pays to compute those beside the exchange.
  void split_inside();
  void launch(Queue& queue, Update& update, const Launch& with, std::span<const Box> boxes = {});
  void launch_beside(Queue& queue, Update& update, const Launch& with, std::span<const Box> boxes);
  /// Calls launch(arguments) with those of a launch.
  template <class Call>
  void with_arguments(const Update& update, const Launch& with, const Call& call);
  void limit(Queue& queue, DeviceLevel& old, double tau);
  /// The sum of a value of each lane over all ranks.
  template <class T>
  void join(Queue& queue, Buffer<std::byte>& sums, std::int64_t slot);
  /// An array with an entity a lane, from lane `first` on.
  [[nodiscard]] Argument rows(Buffer<std::byte>& buffer, std::int64_t first = 0) const;
  /// One of shapes, from that in lane `first` on.
  [[nodiscard]] Argument shapes(Buffer<std::byte>& buffer, std::int64_t first) const;
  [[nodiscard]] Argument law_argument();
  [[nodiscard]] Buffer<std::byte> reals(Queue& queue, std::span<const double> values) const;
  [[nodiscard]] Buffer<std::byte> integers(Queue& queue, std::span<const std::int64_t> values) const;

  std::shared_ptr<Executor> executor_;
  const DgSetup& setup_;
  EntityKind kind_;
  const Partition& partition_;
  Communicator& ranks_;
  LevelArrays arrays_;
  EntityLanes all_;  ///< as one process has them
  GhostExchange ghosts_;
  OutsideStates outside_states_;
  std::int64_t max_steps_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t prepared_from_ = 0;
  Buffer<std::byte> own_, neighbour_, geometry_, region_, factor_, moments_, length_, law_, matrices_, bed_, bed_slope_,
      behind_, face_, outside_, face_bed_, face_lane_, sequence_;
  Buffer<std::byte> rhs_;  // between the launches of a half step, where it has several
  Buffer<std::byte> threshold_;
  Buffer<std::byte> observed_;  // a row of all lanes for the mass, and one for the square
  std::vector<Update> updates_;
  std::vector<Box> outer_, inner_;    // of the lanes inside, where they are computed one after the other
  std::optional<TimedKernel> limit_;  // of all lanes, where the case has a limiter
  struct Observe {
    TimedKernel kernel;
    std::int64_t first;  ///< lane
  };
  std::vector<Observe> observes_;
  std::optional<TimedKernel> sum_;                         // of one rank alone
  std::optional<TreeGroups> inside_sums_, boundary_sums_;  // of several
};

}  // namespace quoin
