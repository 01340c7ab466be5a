#pragma once

#include <cstdint>
#include <functional>

#include "problems/dgcvs/setup/pace.hpp"
#include "problems/dgcvs/setup/setup.hpp"
#include "quoin/communicator.hpp"

namespace quoin {

/// The state at a point of a cell, in the frame of the cell. For several threads at once.
using CellState = std::function<State(std::int64_t cell, Point)>;

/// What is known of a run before it starts.
struct Prospect {
  double speed;  ///< the largest wave speed
  double norm;   ///< of the largest value that the first variable has, were it that everywhere
};

/// What the initial and the outer states tell, looked at everywhere, by each of the ranks at a part; `at_start` takes
/// the place of the case's formula.
Prospect prospect_of(const DgSetup& setup, Communicator& ranks, const CellState& at_start = {});
/// By this process alone.
Prospect prospect_of(const DgSetup& setup);

/// Throws ErrorKind::case_file where the steps are too many to count.
Pace first_pace(const DgSetup& setup, const Prospect& prospect);

}  // namespace quoin
