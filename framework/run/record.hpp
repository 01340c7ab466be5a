#pragma once

#include "output/checkpoint.hpp"
#include "quoin/case.hpp"

namespace quoin {

/// Whether what a checkpoint tells of its run, beside the state of the problem, is as the runner writes it. A checksum
/// that is right does not say so: anybody can write a file and its checksum. Throws ErrorKind::checkpoint.
void require_record(const Checkpoint& checkpoint, const KeyTable& keys);

}  // namespace quoin
