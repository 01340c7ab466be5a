#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "base/thread.hpp"

namespace quoin {

/// A stretch of the items 0 .. count, the one with this number of all that they are split into.
struct Part {
  std::int64_t number;
  std::int64_t first;
  std::int64_t last;
};

/// As many as there may be threads, where each gets at least `least` items: fewer are not worth a thread.
inline std::int64_t parts_of(std::int64_t count, std::int64_t least = 256) {
  return std::clamp<std::int64_t>(count / least, 1, most_threads());
}

/// Calls body(0) to body(parts - 1), on the calling thread and on others, which wait for the next call; so do those of
/// other callers, at the same time or from within a body. Throws ErrorKind::device where a thread cannot be started.
/// `body` throws nothing.
void run_parts(std::int64_t parts, const std::function<void(std::int64_t)>& body);

/// Throws the first of these that is one.
inline void rethrow_first(const std::vector<std::exception_ptr>& errors) {
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// Calls body(Part) for each part, as run_parts() does; throws what the first part threw.
template <class Body>
void parallel_parts(std::int64_t count, const Body& body, std::int64_t least = 256) {
  const std::int64_t parts = parts_of(count, least);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  run_parts(parts, [&](std::int64_t part) {
    try {
      body(Part{part, count * part / parts, count * (part + 1) / parts});
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
    }
  });
  rethrow_first(errors);
}

/// The same for items that take long: each thread makes a body of its own by `make()`, and goes on with another part as
/// soon as it has done one, for cores are not equally fast.
template <class Make>
void parallel_shares(std::int64_t count, const Make& make, std::int64_t least = 256) {
  constexpr std::int64_t of_each = 8;
  const std::int64_t threads = parts_of(count, least);
  const std::int64_t parts = threads == 1 ? 1 : std::min(count / least, of_each * threads);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  std::atomic<std::int64_t> next = 0;
  run_parts(threads, [&](std::int64_t) {
    std::int64_t part = next++;
    if (part >= parts) return;
    try {
      auto body = make();
      for (; part < parts; part = next++) body(Part{part, count * part / parts, count * (part + 1) / parts});
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
      next = parts;  // those before it are done, or at work
    }
  });
  rethrow_first(errors);
}

}  // namespace quoin
