#pragma once

#include <cstddef>
#include <span>

namespace quoin {

/// Hands out a stretch of bytes, one part behind the other.
struct Portions {
  std::span<std::byte> left;

  std::span<std::byte> next(std::size_t bytes) {
    const std::span<std::byte> own = left.first(bytes);
    left = left.subspan(bytes);
    return own;
  }
};

}  // namespace quoin
