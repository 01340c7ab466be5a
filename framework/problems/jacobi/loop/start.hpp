#pragma once

#include <cstddef>
#include <vector>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Starts from the field that a run of the case `theirs` has saved, as Problem::start_from.
void start_from(IterationLoop& loop, CheckpointReader& reader, const Case& theirs);

/// The raw values of the interior nodes that a checkpoint keeps.
std::vector<std::byte> kept_field(CheckpointReader& reader, const Grid& grid, Precision precision);

}  // namespace quoin
