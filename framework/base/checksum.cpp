#include "base/checksum.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace quoin {

Checksum::Checksum()
    : state_(XXH3_createState(), [](void* state) { XXH3_freeState(static_cast<XXH3_state_t*>(state)); }) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_.get()));
}

void Checksum::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_.get()), bytes.data(), bytes.size());
}

std::string Checksum::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_.get()));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace quoin
