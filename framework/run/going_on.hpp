#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "output/checkpoint_files.hpp"
#include "quoin/case.hpp"
#include "quoin/run.hpp"

namespace quoin {

/// The case of a run that goes on in `folder` from that checkpoint: what case.yaml beside it says, with `changes`.
/// Throws ErrorKind::checkpoint where case.yaml is of another case, and ErrorKind::case_file, naming each, where
/// `changes` are of keys on which what is done depends.
Case case_to_go_on(const FoundCheckpoint& found, const std::filesystem::path& folder,
                   const std::vector<Override>& changes, const KeyTable& keys);

/// How the run in the folder has ended, where that is what the checkpoint holds and all its files are there; empty
/// where something is left to do.
std::optional<Outcome> ended_before(const FoundCheckpoint& found, const std::filesystem::path& folder);

}  // namespace quoin
