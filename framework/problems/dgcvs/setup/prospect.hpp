#pragma once

#include <span>

#include "problems/dgcvs/setup/pace.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/communicator.hpp"

namespace quoin {

/// What is largest among states.
struct Largest {
  double speed = 0.0;  ///< of waves
  double value = 0.0;  ///< that the first variable has
  void see(double other_speed, double other_value);
  void see(const Largest& other) { see(other.speed, other.value); }
  /// So many states, in rows.
  void see(const HostLaw& law, std::span<const double> rows, std::size_t count);
};

/// What is known of a run before it starts.
struct Prospect {
  double speed;  ///< the largest wave speed
  double norm;   ///< of the largest value that the first variable has, were it that everywhere
};

/// Of the states outside, at all times, and of what rain brings. Throws ErrorKind::case_file naming a point where a
/// state cannot be.
Largest largest_outside(const DgSetup& setup);
/// Each of the ranks gives what is largest among those, and among its own at the start.
Prospect prospect_of(const DgSetup& setup, Communicator& ranks, const Largest& own);
/// Throws ErrorKind::case_file where the steps are too many to count.
Pace first_pace(const DgSetup& setup, const Prospect& prospect);

}  // namespace quoin
