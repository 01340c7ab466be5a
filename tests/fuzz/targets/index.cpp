// Any text as the index beside a checkpoint: one that reads back as the same, or an error of the checkpoint.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "output/checkpoint_index.hpp"
#include "quoin/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto index = quoin::parse_checkpoint_index({reinterpret_cast<const char*>(data), size});
    const auto again = quoin::parse_checkpoint_index(quoin::to_json(index));
    if (again.bytes != index.bytes || again.sha256 != index.sha256) std::abort();
  } catch (const quoin::Error& error) {
    if (error.kind() != quoin::ErrorKind::checkpoint) std::abort();
  }
  return 0;
}
