#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

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

}  // namespace quoin
