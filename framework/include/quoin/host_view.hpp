#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "quoin/executor.hpp"

namespace quoin {

/// A stretch of a device's memory in the hands of the host: where it lies, if the host may look there, else a copy.
class HostView {
 public:
  /// `memory`: a handle, through which only store() changes what is there. `room`: for the copy; it may be used again.
  HostView(Queue& queue, const Memory& memory, std::size_t offset, std::size_t count, std::vector<std::byte>& room)
      : HostView(queue, memory, offset, count) {
    if (lent()) return;
    room.resize(count);
    bytes_ = std::span(room).first(count);
  }
  /// Of no use unless lent().
  HostView(Queue& queue, const Memory& memory, std::size_t offset, std::size_t count)
      : queue_(queue), memory_(const_cast<Memory&>(memory)), offset_(offset), lent_(queue.map(memory_, offset, count)) {
    if (lent()) bytes_ = {lent_, count};
  }
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;
  ~HostView() {
    try {
      give_back();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the queue tells when it is used next
    }
  }

  /// Whether the host looks at the memory itself.
  [[nodiscard]] bool lent() const { return lent_ != nullptr; }
  /// What the device has there.
  [[nodiscard]] std::span<const std::byte> read() {
    if (!lent()) queue_.copy_out(bytes_, memory_, offset_);
    return bytes_;
  }
  /// Bytes to be set, all of them, before store().
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  void store() {
    if (!lent()) return queue_.copy_in(memory_, offset_, bytes_);
    give_back();
  }

 private:
  void give_back() {
    if (std::byte* const lent = std::exchange(lent_, nullptr)) queue_.unmap(memory_, lent);
  }

  Queue& queue_;
  Memory& memory_;
  std::size_t offset_;
  std::byte* lent_;
  std::span<std::byte> bytes_;
};

}  // namespace quoin
