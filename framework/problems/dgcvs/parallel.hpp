#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "run/thread.hpp"

namespace quoin {

/// Calls body(first, last) for parts of 0 .. count, each on a thread of its own; throws what the first part threw, or
/// ErrorKind::device where a thread cannot be started. `least` items are worth a thread.
template <class Body>
void parallel_parts(std::int64_t count, const Body& body, std::int64_t least = 256) {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const std::int64_t parts = std::clamp<std::int64_t>(count / least, 1, cores);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  const auto work = [&](std::int64_t part) {
    try {
      body(count * part / parts, count * (part + 1) / parts);
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
