#pragma once

// What a checkpoint keeps of a run.

#include "problems/dgcvs/loop/time_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// As Problem::save.
void save_run(const TimeLoop& loop, CheckpointWriter& writer);
/// As Problem::restore.
void restore_run(TimeLoop& loop, CheckpointReader& reader);

}  // namespace quoin
