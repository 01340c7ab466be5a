#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quoin {

/// What checkpoint-ITERATION.json says of the file checkpoint-ITERATION.h5 beside it, and of the files
/// checkpoint-ITERATION-NAME.bin, which hold an array each.
struct CheckpointIndex {
  struct Array {
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256{};
  };
  std::uint64_t bytes = 0;
  std::string sha256{};  ///< of the whole file
  std::vector<Array> arrays{};
};

/// Whether an array of that name has a file of its own: it is of lower-case letters and `_`.
bool is_array_name(std::string_view name);

std::string to_json(const CheckpointIndex& index);

/// Throws ErrorKind::checkpoint where the text is no index, or one of another version.
CheckpointIndex parse_checkpoint_index(std::string_view text);

}  // namespace quoin
