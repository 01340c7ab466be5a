#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "output/checkpoint.hpp"
#include "output/result_folder.hpp"

namespace quoin {

/// Whether a checkpoint or its index has such a name, as write_checkpoint makes it: copies are called otherwise.
bool is_checkpoint_name(std::string_view name);

/// Writes the checkpoint of a run on so many ranks, its arrays that come in parts, and then its index, each whole, and
/// removes all but the newest `keep` that runs wrote here. Returns the name of the file. ErrorKind::io; the earlier
/// checkpoints are then as they were.
std::string write_checkpoint(ResultFolder& folder, const Checkpoint& checkpoint, std::int64_t iteration,
                             std::size_t keep, int ranks = 1);

struct FoundCheckpoint {
  Checkpoint checkpoint;
  std::string name;                      ///< of its file
  std::vector<std::string> passed_over;  ///< newer ones, each with the reason
};
/// The newest in the folder whose checksum is right; HDF5 opens no other. Throws ErrorKind::checkpoint, naming all that
/// are there with what is wrong with them, where there is none.
FoundCheckpoint newest_checkpoint(const std::filesystem::path& folder);

}  // namespace quoin
