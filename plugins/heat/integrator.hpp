#pragma once

// Time steps on a device.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "quoin/field.hpp"
#include "quoin/kernel_entry.hpp"
#include "quoin/kernel_timer.hpp"

namespace heat {

class Setup;

inline constexpr std::int64_t most_stages = 1000;

/// What the step times the largest eigenvalue may be with so many stages of rkc, two or more.
double stable_range(std::int64_t stages);

/// The numbers of one stage: Y_j = whole Y_0 + now Y_(j-1) + last Y_(j-2) + h (step F_(j-1) + first F_0), where F_(j-1)
/// is the rate at time t + h `time`.
struct Stage {
  double whole, now, last, step, first, time;
};

/// Of a step of second order; element 0 is the first stage. B. P. Sommeijer, L. F. Shampine, J. G. Verwer, RKC: an
/// explicit solver for parabolic PDEs, J. Comput. Appl. Math. 88 (1998) 315-326.
std::vector<Stage> rkc_stages(std::int64_t stages);

/// A field and what it takes to move it on.
class TimeStepper {
 public:
  /// `longest`: steps of a chunk at most.
  TimeStepper(const std::shared_ptr<quoin::Executor>& executor, const Setup& setup, quoin::Queue& queue,
              quoin::KernelTimer& timer, std::int64_t longest);

  /// Sets the field; the values on the sides are the case's.
  void load(quoin::Queue& queue, const quoin::Field::Fill& interior);
  /// Queues step `number`, from 0, whose energy goes to `slot` of the chunk.
  void launch(quoin::Queue& queue, std::int64_t number, std::int64_t slot);
  /// The sums of u^2 after the first `count` steps of the chunk.
  [[nodiscard]] std::vector<double> energies(quoin::Queue& queue, std::int64_t count) const;
  [[nodiscard]] const quoin::Field& field() const { return *start_; }

 private:
  using FieldPointer = std::unique_ptr<quoin::Field>;
  const Setup& setup_;
  std::vector<Stage> stages_;
  quoin::TimedKernel first_, stage_, energy_, sum_;
  FieldPointer start_, source_, rate_;
  std::array<FieldPointer, 3> work_;
  quoin::Buffer<std::byte> partials_, sums_;
};

/// Bytes on the device.
double device_bytes(const Setup& setup, std::int64_t longest);

}  // namespace heat
