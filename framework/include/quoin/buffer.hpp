#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "quoin/executor.hpp"

namespace quoin {

/// `count` elements of T in device memory. Move-only; keeps its executor alive.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::shared_ptr<Executor> executor, std::size_t count, MemoryKind kind = MemoryKind::device)
      : executor_(std::move(executor)), memory_(executor_->allocate(count * sizeof(T), kind)), count_(count) {}

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const std::shared_ptr<Executor>& executor() const { return executor_; }
  [[nodiscard]] Memory& memory() { return *memory_; }
  [[nodiscard]] const Memory& memory() const { return *memory_; }

  void upload(Queue& queue, std::span<const T> values, std::size_t first = 0) {
    queue.copy_in(*memory_, first * sizeof(T), std::as_bytes(values));
  }
  void download(Queue& queue, std::span<T> values, std::size_t first = 0) const {
    queue.copy_out(std::as_writable_bytes(values), *memory_, first * sizeof(T));
  }

 private:
  std::shared_ptr<Executor> executor_;  // declared first: the memory goes before its executor
  std::unique_ptr<Memory> memory_;
  std::size_t count_ = 0;
};

/// Memory of the host that the device uses where it lies; of no bytes where there is none with an address for the host.
inline Buffer<std::byte> seen_by_both(const std::shared_ptr<Executor>& executor, std::size_t count) {
  if (count == 0 || std::ranges::count(executor->device().memories, MemoryKind::pinned) == 0) return {};
  Buffer<std::byte> pinned(executor, count, MemoryKind::pinned);
  return pinned.memory().on_host() == nullptr ? Buffer<std::byte>() : std::move(pinned);
}

/// Bytes of the host that pass to and from the device of an executor: where it has such memory, memory from which it
/// copies at full rate. Move-only.
class HostBytes {
 public:
  HostBytes() = default;
  HostBytes(const std::shared_ptr<Executor>& executor, std::size_t count) : pinned_(seen_by_both(executor, count)) {
    if (pinned_.size() > 0) {
      all_ = {pinned_.memory().on_host(), count};
      return;
    }
    plain_.resize(count);
    all_ = plain_;
  }
  [[nodiscard]] std::span<std::byte> all() const { return all_; }

 private:
  Buffer<std::byte> pinned_;
  std::vector<std::byte> plain_;
  std::span<std::byte> all_;
};

/// Few bytes that kernels write, for the host to look at: in its own memory where both have an address there, for a
/// copy takes longer than a small kernel. Move-only.
class ResultBytes {
 public:
  ResultBytes() = default;
  ResultBytes(const std::shared_ptr<Executor>& executor, std::size_t count) : buffer_(seen_by_both(executor, count)) {
    if (buffer_.size() > 0)
      on_host_ = buffer_.memory().on_host();
    else
      buffer_ = Buffer<std::byte>(executor, count);
  }
  [[nodiscard]] Buffer<std::byte>& buffer() { return buffer_; }
  /// The first `count`, of a queue whose work has been waited for, until it is given more.
  [[nodiscard]] std::span<const std::byte> read(Queue& queue, std::size_t count) {
    if (on_host_ != nullptr) return {on_host_, count};
    copy_.resize(count);
    buffer_.download(queue, copy_);
    return copy_;
  }

 private:
  Buffer<std::byte> buffer_;
  std::byte* on_host_ = nullptr;
  std::vector<std::byte> copy_;
};

}  // namespace quoin
