#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "quoin/buffer.hpp"

namespace quoin {

/// Raw values in device memory of their own; no values are in memory, too, for an argument must have some.
inline Buffer<std::byte> uploaded(const std::shared_ptr<Executor>& executor, Queue& queue,
                                  std::span<const std::byte> raw) {
  Buffer<std::byte> buffer(executor, std::max<std::size_t>(raw.size(), 8));
  buffer.upload(queue, raw);
  return buffer;
}

}  // namespace quoin
