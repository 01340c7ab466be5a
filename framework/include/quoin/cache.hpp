#pragma once

// What the program and its plugins keep between runs. A cache that cannot be written is done without.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace quoin {

/// ${XDG_CACHE_HOME:-~/.cache}/quoin/`name`, or empty where neither is set.
inline std::filesystem::path cache_folder(const std::string& name) {
  const char* base = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  if (base != nullptr && std::filesystem::path(base).is_absolute()) return std::filesystem::path(base) / "quoin" / name;
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
  if (home != nullptr && std::filesystem::path(home).is_absolute())
    return std::filesystem::path(home) / ".cache" / "quoin" / name;
  return {};
}

/// Makes the whole file appear at once, and its folder; false where that is impossible.
inline bool write_whole(const std::filesystem::path& path, const std::string& text) {
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return false;
  const bool written = write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool whole = close(descriptor) == 0 && written;
  if (whole) std::filesystem::rename(temporary, path, failure);
  if (!whole || failure) std::filesystem::remove(temporary, failure);
  return whole && !failure;
}

}  // namespace quoin
