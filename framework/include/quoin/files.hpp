#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "quoin/error.hpp"

namespace quoin {

/// What lies at a path, in words; empty for a file and for nothing.
inline std::string other_than_file(const std::filesystem::path& path) {
  std::error_code none;
  switch (std::filesystem::status(path, none).type()) {
    case std::filesystem::file_type::directory:
      return "a folder";
    case std::filesystem::file_type::fifo:
      return "a named pipe";
    case std::filesystem::file_type::socket:
      return "a socket";
    case std::filesystem::file_type::block:
    case std::filesystem::file_type::character:
      return "a device";
    default:
      return {};
  }
}

/// Throws ErrorKind::io where a folder, a pipe or the like lies in the place of a file: nobody waits for a pipe that
/// nobody writes to.
inline void require_file(const std::filesystem::path& path) {
  if (const std::string other = other_than_file(path); !other.empty())
    throw Error(ErrorKind::io, "there is " + other + " in the place of a file; remove it", path.string());
}

}  // namespace quoin
