#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quoin/parts.hpp"

namespace quoin {

/// What checkpoint-ITERATION.json says of the file checkpoint-ITERATION.h5 beside it, and of the arrays in files of
/// their own: the parts of one are rank_file()s of checkpoint-ITERATION-NAME.
struct CheckpointIndex {
  struct Array {
    std::string name;
    std::uint64_t bytes = 0;
    std::vector<WrittenPart> parts{};  ///< one a rank
  };
  std::uint64_t bytes = 0;
  std::string sha256{};  ///< of the whole file
  std::vector<Array> arrays{};
};

/// Whether an array of that name can have files of its own: it is of lower-case letters and `_`.
bool is_array_name(std::string_view name);

std::string to_json(const CheckpointIndex& index);

/// Throws ErrorKind::checkpoint where the text is no index, or one of another version.
CheckpointIndex parse_checkpoint_index(std::string_view text);

}  // namespace quoin
