#pragma once

// The device's memory: a pool of a fixed size, of which the host has handles and no addresses.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "quoin/bytes.hpp"
#include "quoin/error.hpp"
#include "quoin/executor.hpp"

namespace worker {

/// A part of the pool. The memory object holds it, and so does all work that uses it: the last of them gives it back.
using Piece = std::shared_ptr<std::byte>;

class Pool {
 public:
  Pool(std::size_t bytes, std::string device) : free_(bytes), device_(std::move(device)) {}

  /// By one thread at a time. Throws ErrorKind::device naming the bytes asked for and free.
  Piece take(std::size_t bytes) {
    if (bytes > free_) {
      throw quoin::Error(quoin::ErrorKind::device,
                         "out of memory: " + quoin::in_bytes(static_cast<double>(bytes)) + " asked for, " +
                             quoin::in_bytes(static_cast<double>(free_)) + " free",
                         device_);
    }
    auto* const data = static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), line));
    free_ -= bytes;
    return {data, [this, bytes](std::byte* piece) {  // by any thread
              ::operator delete(piece, line);
              free_ += bytes;
            }};
  }

 private:
  static constexpr std::align_val_t line{64};
  std::atomic<std::size_t> free_;
  std::string device_;
};

class DeviceMemory : public quoin::Memory {
 public:
  DeviceMemory(Pool& pool, std::size_t bytes) : bytes_(bytes), piece_(pool.take(bytes)) {}
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] quoin::MemoryKind kind() const override { return quoin::MemoryKind::device; }
  /// For work of a queue, which keeps a copy as long as it needs the bytes.
  [[nodiscard]] const Piece& piece() const { return piece_; }

 private:
  std::size_t bytes_;
  Piece piece_;
};

}  // namespace worker
