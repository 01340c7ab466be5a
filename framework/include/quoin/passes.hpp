#pragma once

// How a backend does several Jacobi sweeps in one pass through memory: reading the keys by which a case or `quoin tune`
// sets it, and the keys of backends on the CPU. No bit depends on it.

#include <charconv>
#include <cstdint>
#include <string>

#include "quoin/error.hpp"
#include "quoin/host_memory.hpp"
#include "quoin/plugin.hpp"

namespace quoin {

/// Entries of the manifest's array of keys.
#define QUOIN_PASSES_KEYS                                                                                  \
  R"({"key": "sweep_depth", "type": "integer", "minimum": 2, "maximum": 16, "tune": [2, 4, 8, 16],)"       \
  R"( "meaning": "Jacobi sweeps of one pass through memory at most, on the host's cores."},)"              \
  R"({"key": "sweep_columns", "type": "integer", "minimum": 16, "maximum": 512, "tune": [128, 256, 512],)" \
  R"( "unit": "nodes", "meaning": "Width of a tile of such a pass; whole blocks of 16, on the host's cores."})"

/// The number of a key: a multiple of `step` from `least` to `most`, or `fallback` where it is not given. Throws
/// ErrorKind::case_file for another.
inline std::int64_t number_option(const Options& options, const char* key, std::int64_t fallback, std::int64_t least,
                                  std::int64_t step, std::int64_t most) {
  const auto found = options.find(key);
  if (found == options.end()) return fallback;
  const std::string& text = found->second;
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  const bool whole = std::from_chars(text.data(), end, value).ptr == end;
  if (!whole || value < least || value > most || value % step != 0)
    throw Error(ErrorKind::case_file, "`" + std::string(key) + ": " + text + "` must be a multiple of " +
                                          std::to_string(step) + " from " + std::to_string(least) + " to " +
                                          std::to_string(most));
  return value;
}

/// How a backend on the CPU does several Jacobi sweeps in one pass.
struct Passes {
  std::int64_t deepest;       ///< sweeps of a pass at most
  std::int64_t tile_columns;  ///< whole blocks, at most so many
  /// Sweeps of a pass that goes by rows.
  [[nodiscard]] std::int64_t by_rows() const { return deepest < deepest_row_pass ? deepest : deepest_row_pass; }
};

/// What the options say, or else what does well on most processors. Throws ErrorKind::case_file for what cannot be.
inline Passes passes_of(const Options& options) {
  return {number_option(options, "sweep_depth", deepest_pass, 2, 1, deepest_pass),
          number_option(options, "sweep_columns", widest_tile, block_columns, block_columns, widest_tile)};
}

}  // namespace quoin
