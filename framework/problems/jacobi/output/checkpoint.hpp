#pragma once

// What a checkpoint keeps of a run.

#include "problems/jacobi/loop/iteration_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// As Problem::save.
void save_run(const IterationLoop& loop, CheckpointWriter& writer);
/// As Problem::restore.
void restore_run(IterationLoop& loop, CheckpointReader& reader);

}  // namespace quoin
