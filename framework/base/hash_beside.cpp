#include "base/hash_beside.hpp"

#include <algorithm>
#include <utility>

namespace quoin {

void HashBeside::add(std::span<const std::byte> bytes) {
  constexpr std::size_t block = std::size_t{2} << 20U;  // small enough for a core's cache, worth a thread
  while (!bytes.empty()) {
    const std::size_t more = std::min(bytes.size(), block - filling_.size());
    filling_.insert(filling_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(more));
    bytes = bytes.subspan(more);
    if (filling_.size() < block) return;
    hashing_.finish();
    std::swap(filling_, full_);
    filling_.clear();
    hashing_.start([this] { hash_.add(full_); });
  }
}

void HashBeside::finish() {
  hashing_.finish();
  hash_.add(filling_);
  filling_.clear();
}

}  // namespace quoin
