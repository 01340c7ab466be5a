#pragma once

// For points that each read a stretch of their own: the lines of a cache that a lane has begun must still be there when
// it comes to their rest, so that few lanes are under way at a time.

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Work-groups of so many lanes that visit the points on a multiprocessor, by the bytes of entries that a point reads
/// and those that may be read at once; 0: the points are visited as any others.
template <class T, class Point>
unsigned stretch_groups(const Point& point, std::uint64_t points, std::uint64_t bytes_at_once, unsigned lanes) {
  if constexpr (!Point::packs && requires { point.a.entries; }) {
    constexpr std::uint64_t resident = 2048;
    const std::uint64_t entries = point.a.entries > 0 ? static_cast<std::uint64_t>(point.a.entries) : 1;
    const std::uint64_t at_once = bytes_at_once * points / (entries * (sizeof(T) + sizeof(qn_index32)));
    if (bytes_at_once != 0 && at_once < resident)
      return at_once < lanes ? 1 : static_cast<unsigned>((at_once + lanes / 2) / lanes);
  }
  return 0;
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
