#pragma once

#include "problems/dgcvs/loop/time_loop.hpp"
#include "quoin/problem.hpp"

namespace quoin {

/// Starts from the cells that a run of the case `theirs` has saved, as Problem::start_from.
void start_from(TimeLoop& loop, CheckpointReader& reader, const Case& theirs);

/// Throws ErrorKind::case_file where the fields are those of a mesh that is not this one.
void require_mesh_of(CheckpointReader& reader, const Case& the_case, const std::string& fingerprint);

}  // namespace quoin
