#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/beside.hpp"
#include "base/sha256.hpp"

namespace quoin {

/// Adds many bytes to a hash on a thread of its own, while the caller writes them.
class HashBeside {
 public:
  /// `hash` is left alone until finish().
  explicit HashBeside(Sha256& hash) : hash_(hash) {}
  void add(std::span<const std::byte> bytes);
  /// Waits until all of them are in the hash.
  void finish();

 private:
  Sha256& hash_;
  std::vector<std::byte> filling_, full_;
  Beside hashing_;  // last, for it uses the others
};

}  // namespace quoin
