#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quoin {

/// What checkpoint-ITERATION.json says of the file checkpoint-ITERATION.h5 beside it.
struct CheckpointIndex {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< of the whole file
};

std::string to_json(const CheckpointIndex& index);

/// Throws ErrorKind::checkpoint where the text is no index, or one of another version.
CheckpointIndex parse_checkpoint_index(std::string_view text);

}  // namespace quoin
