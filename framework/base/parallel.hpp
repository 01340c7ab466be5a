#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "base/thread.hpp"

namespace quoin {

/// A stretch of the items 0 .. count, the one with this number of all that they are split into.
struct Part {
  std::int64_t number;
  std::int64_t first;
  std::int64_t last;
};

/// As many as there are cores, where each gets at least `least` items: fewer are not worth a thread.
inline std::int64_t parts_of(std::int64_t count, std::int64_t least = 256) {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  return std::clamp<std::int64_t>(count / least, 1, cores);
}

/// Calls body(Part) for each part, on a thread of its own; throws what the first part threw, or ErrorKind::device where
/// a thread cannot be started.
template <class Body>
void parallel_parts(std::int64_t count, const Body& body, std::int64_t least = 256) {
  const std::int64_t parts = parts_of(count, least);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  const auto work = [&](std::int64_t part) {
    try {
      body(Part{part, count * part / parts, count * (part + 1) / parts});
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::int64_t part = 1; part < parts; ++part) threads.push_back(start_thread([&work, part] { work(part); }));
    work(0);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace quoin
