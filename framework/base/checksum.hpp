#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace quoin {

/// Of bytes that come piece by piece, by XXH3 with 128 bits: as fast as memory, and sure to see what differs by
/// accident. Whoever wants to be told apart by intent takes Sha256.
class Checksum {
 public:
  Checksum();
  void add(std::span<const std::byte> bytes);
  /// 32 lower-case hexadecimal digits, as xxhsum prints them; further pieces may follow.
  [[nodiscard]] std::string hex() const;

 private:
  std::unique_ptr<void, void (*)(void*)> state_;  // XXH3_state_t
};

}  // namespace quoin
