#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "problems/dgcvs/scheme/device_level.hpp"
#include "quoin/kernel_timer.hpp"

namespace quoin {

/// Cells and vertices on the device, a half step apart, with the timer of their launches.
struct DeviceLevels {
  /// `known`: the arrays of this rank's cells, if they are there already.
  DeviceLevels(const std::shared_ptr<Executor>& executor, Queue& queue, const DgSetup& setup,
               const Partition& partition, Communicator& ranks, std::optional<LevelArrays> known = {});

  [[nodiscard]] DeviceLevel& of(EntityKind kind) { return kind == EntityKind::cells ? cells : vertices; }
  [[nodiscard]] const DeviceLevel& of(EntityKind kind) const { return kind == EntityKind::cells ? cells : vertices; }

  /// As DeviceLevel, on both.
  [[nodiscard]] std::size_t update_launches() const { return cells.update_launches() + vertices.update_launches(); }
  [[nodiscard]] std::int64_t max_steps() const { return max_steps_; }
  /// Whether states outside depend on time, on any rank.
  [[nodiscard]] bool uses_time() const { return max_steps_ < std::numeric_limits<std::int64_t>::max(); }
  /// How many steps to launch before anything is known of the device, at most `longest`: one, where states outside are
  /// to be made beside them.
  [[nodiscard]] std::int64_t first_chunk(std::int64_t longest) const;
  void prepare(Queue& queue, std::int64_t first, std::int64_t steps, const Pace& pace);
  void look_ahead(std::int64_t first, std::int64_t steps, const Pace& pace);
  void set_half_step(Queue& queue, double tau);
  void stretch_time(Queue& queue, double ratio);
  /// A time step.
  void update(Queue& queue, std::int64_t step, double tau);
  /// Whether all coefficients are finite.
  [[nodiscard]] bool finite(Queue& queue) const;

  KernelTimer timer;
  DeviceLevel cells, vertices;

 private:
  std::int64_t max_steps_;
};

}  // namespace quoin
