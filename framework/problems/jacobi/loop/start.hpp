#pragma once

#include <cstddef>

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Starts from the field that a run of the case `theirs` has saved, as Problem::start_from.
void start_from(IterationLoop& loop, CheckpointReader& reader, const Case& theirs);

/// Bytes of the interior nodes' values, which a checkpoint keeps as `u`.
std::size_t field_bytes_of(const Grid& grid, Precision precision);
/// Gives them row by row, from the checkpoint, which stays where it is. Throws ErrorKind::checkpoint where it has none.
Field::Fill kept_field(CheckpointReader& reader, const Grid& grid, Precision precision);

}  // namespace quoin
