#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "quoin/buffer.hpp"

namespace quoin {

/// Raw values in device memory of their own; no values are in memory, too, for an argument must have some.
inline Buffer<std::byte> uploaded(const std::shared_ptr<Executor>& executor, Queue& queue,
                                  std::span<const std::byte> raw) {
  Buffer<std::byte> buffer(executor, std::max<std::size_t>(raw.size(), 8));
  buffer.upload(queue, raw);
  return buffer;
}

/// Zeros in device memory, without as many in the host's.
inline Buffer<std::byte> cleared(const std::shared_ptr<Executor>& executor, Queue& queue, std::size_t bytes) {
  Buffer<std::byte> buffer(executor, bytes);
  const std::vector<std::byte> zeros(std::min(bytes, std::size_t{4} << 20U));
  for (std::size_t done = 0; done < bytes; done += zeros.size())
    buffer.upload(queue, std::span(zeros).first(std::min(zeros.size(), bytes - done)), done);
  return buffer;
}

}  // namespace quoin
