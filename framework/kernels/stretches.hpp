#pragma once

// For points that each read a stretch of their own, one after the other: the lines of a cache that a lane has begun
// must still be there when it comes to their rest, so that few lanes are under way at a time.

#include "kernels/dialect/cpp.hpp"

namespace quoin::kernels {
inline namespace QN_ISA {

/// Lanes of a multiprocessor, whole groups of them, that visit the points at once, so that `bytes_at_once` hold what
/// they read of the entries; 0: as many as there are.
inline std::uint64_t stretch_lanes(std::int64_t entries, std::uint64_t entry_bytes, std::uint64_t points,
                                   std::uint64_t bytes_at_once, std::uint64_t group) {
  constexpr std::uint64_t resident = 2048;
  if (bytes_at_once == 0 || entries <= 0) return 0;
  const std::uint64_t lanes = bytes_at_once * points / (static_cast<std::uint64_t>(entries) * entry_bytes);
  if (lanes >= resident) return 0;
  const std::uint64_t groups = (lanes + group / 2) / group;
  return groups == 0 ? group : groups * group;
}

/// The same for points of a kernel that says how many entries they have; 0 for others.
template <class T, class Point>
std::uint64_t stretch_lanes(const Point& point, std::uint64_t points, std::uint64_t bytes_at_once,
                            std::uint64_t group) {
  if constexpr (!Point::packs && requires { point.a.entries; })
    return stretch_lanes(point.a.entries, sizeof(T) + sizeof(qn_index32), points, bytes_at_once, group);
  return 0;
}

}  // namespace QN_ISA
}  // namespace quoin::kernels
